/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every CSR number beside the names of its class, which are said here once more
 * by what names begin and end with.
 */
#include <stdio.h>
#include <string.h>

#include <pmu/csr-access.h>
#include <pmu/csr-name.h>
#include <pmu/csr.h>

#include "unit.h"

/* "mhpmevent*" is all that begin so; an h more is an upper half. */
static const struct class_row {
	enum pmu_csr_class class;
	const char *names;
} class_rows[] = {
	{ PMU_CSR_OF_COUNTERS,
	  "mcycle minstret mhpmcounter* cycle time instret hpmcounter* "
	  "mcyclecfg minstretcfg mhpmevent* scountovf mcountinhibit "
	  "scountinhibit mcounteren scounteren hcounteren siselect sireg* "
	  "vsiselect vsireg*" },
	{ PMU_CSR_OF_INTERRUPTS,
	  "mip mie sip sie vsip vsie hip hie hgeip hgeie mstatus sstatus "
	  "vsstatus mideleg hideleg mvien mvip hvien hvip hvictl hviprio1 "
	  "hviprio2 miselect mireg* mtopi stopi vstopi stopei vstopei "
	  "stimecmp vstimecmp" },
	{ PMU_CSR_OF_BRANCHES,
	  "ebbhr ebbrr ebbcs ebbctl ebbovf ebbfrz ebbown ebbctr* sebbcs "
	  "sebbown sebbclaim hebben mebben" },
};

/* mstatush is no half of one register, it has no bit of an interrupt. */
static bool is_meant(const char *name, const char *word, size_t len)
{
	size_t n = strlen(name);

	if (word[len - 1] == '*')
		return !strncmp(name, word, len - 1);
	if (!strcmp(name, "mstatush"))
		return false;
	if (n == len + 1 && name[len] == 'h')
		n = len;
	return n == len && !strncmp(name, word, len);
}

static bool is_named(const char *name, const char *words)
{
	for (size_t len; *words; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		if (is_meant(name, words, len))
			return true;
	}
	return false;
}

TEST(a_number_is_of_the_class_of_its_name)
{
	for (unsigned num = 0; num < PMU_N_CSRS; num++) {
		const char *name = pmu_csr_number_name(num);
		enum pmu_csr_class want = PMU_CSR_OF_NONE;

		for (size_t i = 0; name && i < ARRAY_SIZE(class_rows); i++)
			if (is_named(name, class_rows[i].names))
				want = class_rows[i].class;
		ck_assert_msg(pmu_csr_class(num) == want, "%#x %s: %d", num,
			      name ? name : "-", (int)pmu_csr_class(num));
	}
	ck_assert_int_eq(pmu_csr_class(PMU_N_CSRS), PMU_CSR_OF_NONE);
}

/* What an engine may read by itself, and M-mode firmware emulate. */
TEST(a_user_counter_is_what_is_called_so)
{
	for (unsigned num = 0; num < PMU_N_CSRS; num++) {
		const char *name = pmu_csr_number_name(num);
		bool want = name && is_named(name, "cycle time instret "
						   "hpmcounter*");

		ck_assert_msg(pmu_csr_is_user_counter(num) == want, "%#x %s",
			      num, name ? name : "-");
	}
	ck_assert(!pmu_csr_is_user_counter(PMU_N_CSRS + PMU_CSR_CYCLE));
}

SUITE("csr-class");
