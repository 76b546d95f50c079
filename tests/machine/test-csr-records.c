/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of accesses to CSRs in whole runs of guests: all that a guest of ours
 * makes, a user's untrapped reads among them; the same bytes in every mode of
 * the engine; and a run that records them is the run that does not. Arguments:
 * guests.
 */
#include <inttypes.h>
#include <string.h>

#include <pmu/csr-access.h>
#include <pmu/csr-number.h>

#include "../unit/unit.h"
#include "core/machine-read.h"
#include "guest-image.h"
#include "machine-fixture.h"
#include "view/inspect.h"
#include "wire/record.h"

#define KIND_CSR PMU__V1__RECORD__KIND_CSR_ACCESS

enum {
	N_CLASSES = PMU_CSR_OF_BRANCHES + 1,
	ISAS = 2
};

static char **paths;
static int n_paths;
static const char *own[ISAS];
static int n_own;
static struct guest guest;
static struct fixture f, other;

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&f);
	fixture_fini(&other);
	guest_free(&guest);
}

static void run(struct fixture *ret, const char *settings, bool recorded,
		uint64_t soft)
{
	char all[160], text[GUEST_SETTINGS];
	struct fixture_config cfg;

	snprintf(all, sizeof(all), "max-insns=60000 max-cycles=200000 %s",
		 settings);
	guest_configure(&guest, all, text, &cfg);
	cfg.csr_accesses = recorded;
	fixture_init(ret, &cfg);
	guest_type(ret);
	fixture_start(ret);
	machine_console_eof(ret->m);
	fixture_run(ret, soft, UINT32_MAX);
}

/* What a guest did, by its records. */
struct seen {
	uint64_t told[PMU_N_MODES], refused[PMU_N_MODES];
	uint64_t of_class[PMU_N_MODES][N_CLASSES];
};

/* Nobody waits and nobody writes it: mcycle is the clock. */
static void check_cycle(const Pmu__V1__Record *r)
{
	const Pmu__V1__CsrAccess *a = r->csr_access;

	if ((a->csr == PMU_CSR_MCYCLE || a->csr == PMU_CSR_CYCLE) &&
	    !a->refusal)
		ck_assert_msg(a->old_value == r->cycle,
			      "cycle %" PRIu64 " reads %" PRIu64, r->cycle,
			      a->old_value);
}

static void look(struct seen *s)
{
	Pmu__V1__Trace *t = fixture_trace(&f);

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];
		unsigned mode;

		if (r->kind_case != KIND_CSR)
			continue;
		mode = (unsigned)r->privilege - PMU__V1__PRIVILEGE__PRIVILEGE_M;
		ck_assert_uint_lt(mode, PMU_N_MODES);
		check_cycle(r);
		if (r->csr_access->refusal)
			s->refused[mode]++;
		else
			s->of_class[mode][pmu_csr_class(r->csr_access->csr)]++;
		s->told[mode] += !r->csr_access->refusal;
	}
	fixture_free_trace(t);
}

static void expect_number(const char *what, enum pmu_mode mode, uint64_t got)
{
	uint64_t want = 0;
	char name[64];

	snprintf(name, sizeof(name), "%s.%s", what, pmu_mode_name(mode));
	ck_assert_msg(guest_expects(&guest, name, &want), "%s", name);
	ck_assert_msg(got == want, "%s: %" PRIu64 ", expected %" PRIu64, name,
		      got, want);
}

static const char *const ways[] = {
	"engine=auto", "engine=check", "engine=portable",
	"engines=2",   "step-only=on", "engine=portable engines=1",
};

/* In U and VU reads of counters, which Unicorn itself could answer. */
TEST_TIMES(each_access_is_told_once_in_every_mode,
	   (n_own * (int)ARRAY_SIZE(ways)))
{
	const size_t n = ARRAY_SIZE(ways);
	struct seen s;

	ck_assert_int_eq(n_own, ISAS);
	guest_read(&guest, own[(size_t)_i / n]);
	run(&f, ways[(size_t)_i % n], true, 1000000);
	ck_assert_int_eq(fixture_status(&f).exit_code, 0);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_FINISHER_PASS);
	look(&s);
	for (int m = 0; m < PMU_N_MODES; m++) {
		enum pmu_mode mode = (enum pmu_mode)m;

		expect_number("told", mode, s.told[m]);
		expect_number("refused", mode, s.refused[m]);
		ck_assert_uint_gt(s.of_class[m][PMU_CSR_OF_COUNTERS], 0);
		if (!pmu_mode_is_user(mode))
			ck_assert_uint_gt(s.of_class[m][PMU_CSR_OF_INTERRUPTS],
					  0);
		if (!pmu_mode_is_guest(mode))
			ck_assert_uint_gt(s.of_class[m][PMU_CSR_OF_BRANCHES],
					  0);
	}
}

static const struct variant_row {
	const char *settings;
	uint64_t soft;
} variant_rows[] = {
	{ "engine=check", 1000000 },
	{ "engine=portable", 1000000 },
	{ "engine=portable", 997 },
	{ "engines=2", 10007 },
	{ "engine=portable engines=1", 1000000 },
	{ "step-only=on", 1000000 },
	{ "", 997 },
};

static void same_however(const char *settings)
{
	run(&f, settings, true, 1000000);
	for (size_t i = 0; i < ARRAY_SIZE(variant_rows); i++) {
		const struct variant_row *row = &variant_rows[i];
		char text[96];

		snprintf(text, sizeof(text), "%s %s", settings, row->settings);
		run(&other, text, true, row->soft);
		ck_assert_msg(fixture_same(&f, &other),
			      "%s: '%s' in slices of %" PRIu64, guest.name,
			      text, row->soft);
		fixture_fini(&other);
	}
}

TEST_TIMES(records_are_the_same_however_it_is_executed, n_paths)
{
	guest_read(&guest, paths[_i]);
	same_however("");
}

TEST_TIMES(and_where_harts_wait_for_what_they_miss, n_own)
{
	guest_read(&guest, own[_i]);
	same_however("uarch=tiny timing=inorder");
}

/* Takes the accesses out of the trace of @x. */
static size_t without_accesses(struct fixture *x)
{
	size_t kept = 0, n = 0;
	struct record_view v;

	for (size_t at = 0; at < buf_len(&x->bytes); at += v.field_len) {
		Pmu__V1__Record *r;

		ck_assert_int_eq(record_first(x->bytes.data + at,
					      buf_len(&x->bytes) - at, &v),
				 1);
		r = pmu__v1__record__unpack(NULL, v.message_len, v.message);
		ck_assert_ptr_nonnull(r);
		if (r->kind_case == KIND_CSR) {
			n++;
		} else {
			memmove(x->bytes.data + kept, x->bytes.data + at,
				v.field_len);
			kept += v.field_len;
		}
		pmu__v1__record__free_unpacked(r, NULL);
	}
	x->bytes.tail = kept;
	return n;
}

static void check_totals(void)
{
	for (unsigned hart = 0; hart < machine_config(f.m)->harts; hart++)
		for (int e = 0; e < PMU_N_EVENTS; e++)
			for (int m = 0; m < PMU_N_MODES; m++)
				ck_assert_uint_eq(
					inspect_total(f.m, hart,
						      (enum pmu_event)e,
						      (enum pmu_mode)m),
					inspect_total(other.m, hart,
						      (enum pmu_event)e,
						      (enum pmu_mode)m));
}

TEST_TIMES(a_run_that_records_is_the_run_that_does_not,
	   (n_paths * (int)ARRAY_SIZE(ways)))
{
	const size_t n = ARRAY_SIZE(ways);
	const char *way = ways[(size_t)_i % n];

	guest_read(&guest, paths[(size_t)_i / n]);
	run(&f, way, true, 1000000);
	run(&other, way, false, 1000000);
	ck_assert_uint_gt(without_accesses(&f), 0);
	ck_assert_msg(fixture_same(&f, &other), "%s: '%s'", guest.name, way);
	ck_assert_uint_eq(fixture_status(&f).cycle,
			  fixture_status(&other).cycle);
	ck_assert_uint_eq(fixture_status(&f).insn, fixture_status(&other).insn);
	check_totals();
}

/* Its inputs, and nothing else, make the trace once more. */
TEST_TIMES(a_trace_with_them_is_repeated, n_paths)
{
	char text[GUEST_SETTINGS];
	struct fixture_config cfg;
	Pmu__V1__Trace *t;

	guest_read(&guest, paths[_i]);
	run(&f, "", true, 1000000);
	t = fixture_trace(&f);
	guest_configure(&guest, "max-insns=60000 max-cycles=200000", text,
			&cfg);
	cfg.csr_accesses = true;
	cfg.replay = t;
	fixture_init(&other, &cfg);
	fixture_start(&other);
	machine_console_eof(other.m);
	fixture_run(&other, 777, UINT32_MAX);
	ck_assert_msg(fixture_same(&f, &other), "%s", guest.name);
	fixture_free_trace(t);
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
	for (int i = 1; i < argc && n_own < ISAS; i++)
		if (strstr(argv[i], "/csr-records-"))
			own[n_own++] = argv[i];
}

SUITE("csr-records", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
