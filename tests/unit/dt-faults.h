/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of a tree as text, a line each, to compare with. */
#ifndef TESTS_DT_FAULTS_H
#define TESTS_DT_FAULTS_H

#include <fw/pmu-node.h>

#include "dt-fixture.h"

struct faults {
	char text[1 << 16];
	size_t len;
	unsigned n[3]; /* by level */
};

/* "error /pmu: riscv,event-to-mhpmcounters row 2: ... C101" */
static inline void faults_add(void *arg, const struct fw_dt_fault *f)
{
	static const char *const levels[] = { "note", "warning", "error" };
	struct faults *got = arg;
	char row[24] = "";

	ck_assert(f->path && f->text && f->rule && f->reference);
	got->n[f->level]++;
	if (f->row)
		snprintf(row, sizeof(row), " row %u", f->row);
	got->len += (size_t)snprintf(
		got->text + got->len, sizeof(got->text) - got->len,
		"%s %s: %s%s%s%s %s\n", levels[f->level], f->path,
		f->property ? f->property : "", row, f->property ? ": " : "",
		f->text, f->rule);
	ck_assert_uint_lt(got->len, sizeof(got->text));
}

/* Reads @dtb; what it is then, and @faults. */
static inline int faults_read(struct fw_dt **ret, const void *dtb,
			      enum fw_profile profile, struct faults *faults)
{
	struct fw_dt_source src = { .dtb = dtb,
				    .quirks = fw_profile_quirks(profile),
				    .fault = faults_add,
				    .arg = faults };

	*faults = (struct faults){ .len = 0 };
	*ret = NULL;
	return fw_dt_new(ret, &src);
}

#endif
