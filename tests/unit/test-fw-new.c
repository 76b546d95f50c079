/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a firmware may be made of, and what it says when it may not.
 */
#include "fw-fixture.h"

#include <limits.h>

#include "dt-fixture.h"

/* The linker sends calloc() of the library here. */
void *__wrap_calloc(size_t n, size_t size);
void *__real_calloc(size_t n, size_t size);

/* How many more there will be. */
static unsigned left = UINT_MAX;

void *__wrap_calloc(size_t n, size_t size)
{
	if (!left)
		return NULL;
	left--;
	return __real_calloc(n, size);
}

static const struct fw_config good_config = { .spec_version = 0x03000000,
					      .fw_counters = 24 };

struct setup {
	struct fw_config cfg;
	struct fw_machine machine;
	struct fw_host_ops ops;
	struct pmu_timebase tb;
	struct pmu_hart *harts[2];
};

static struct pmu_hart *make_hart(struct setup *s, uint32_t id,
				  uint64_t without)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	cfg.hartid = id;
	cfg.ext &= ~without;
	if (without)
		cfg.sv_modes = 0;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &s->tb), 0);
	return h;
}

static void setup_init(struct setup *s, uint32_t second_id, uint64_t without)
{
	memset(s, 0, sizeof(*s));
	s->cfg = good_config;
	s->ops = *bench_ops();
	s->tb = (struct pmu_timebase){ .clock_hz = 1, .time_hz = 1 };
	s->harts[0] = make_hart(s, 0, 0);
	s->harts[1] = make_hart(s, second_id, without);
	s->machine = (struct fw_machine){ .harts = s->harts,
					  .n_harts = 2,
					  .timebase = &s->tb,
					  .ops = &s->ops };
}

static void setup_fini(struct setup *s)
{
	pmu_hart_free(s->harts[0]);
	pmu_hart_free(s->harts[1]);
}

static void counters_33(struct setup *s)
{
	s->cfg.fw_counters = 33;
}

static void no_version(struct setup *s)
{
	s->cfg.spec_version = 0;
}

static void bit_31(struct setup *s)
{
	s->cfg.spec_version = 1u << 31;
}

static void no_harts(struct setup *s)
{
	s->machine.n_harts = 0;
}

static void harts_65(struct setup *s)
{
	s->machine.n_harts = 65;
}

static void no_timebase(struct setup *s)
{
	s->machine.timebase = NULL;
}

static void no_ops(struct setup *s)
{
	s->machine.ops = NULL;
}

static void no_reset(struct setup *s)
{
	s->ops.reset = NULL;
}

static void nothing(struct setup *s)
{
}

static const struct new_row {
	void (*spoil)(struct setup *s);
	uint32_t second_id, without;
	const char *error;
} new_rows[] = {
	{ nothing, 1, 0, NULL },
	{ counters_33, 1, 0, "more than 32 firmware counters" },
	{ no_version, 1, 0, "not an SBI version" },
	{ bit_31, 1, 0, "not an SBI version" },
	{ no_harts, 1, 0, "not 1 to 64 harts" },
	{ harts_65, 1, 0, "not 1 to 64 harts" },
	{ no_timebase, 1, 0, "no time base" },
	{ no_ops, 1, 0, "a function of the machine is missing" },
	{ no_reset, 1, 0, "a function of the machine is missing" },
	{ nothing, 0, 0, "hart 1 has the hartid of an earlier hart" },
	{ nothing, 1, PMU_EXT_S, "hart 1 has no S-mode to hand over to" },
};

TEST_ROWS(a_bad_configuration_is_refused, new_rows)
{
	const struct new_row *row = &new_rows[_i];
	struct fw *fw = NULL;
	char *error = NULL;
	struct setup s;

	setup_init(&s, row->second_id, row->without);
	row->spoil(&s);
	ck_assert_int_eq(fw_new(&fw, &s.cfg, &s.machine, &error),
			 row->error ? -FW_EINVAL : 0);
	ck_assert(!fw == !!row->error);
	if (row->error)
		ck_assert_str_eq(error, row->error);
	free(error);
	fw_free(fw);
	/* Nobody need take the text. */
	if (row->error)
		ck_assert_int_eq(fw_new(&fw, &s.cfg, &s.machine, NULL),
				 -FW_EINVAL);
	setup_fini(&s);
}

/* Each function of the machine, without the others' help. */
enum {
	N_OPS = sizeof(struct fw_host_ops) / sizeof(void (*)(void))
};

TEST_TIMES(each_function_of_the_machine_is_needed, N_OPS)
{
	const size_t size = sizeof(struct fw_host_ops) / N_OPS;
	struct fw *fw = NULL;
	struct setup s;

	setup_init(&s, 1, 0);
	memset((char *)&s.ops + (size_t)_i * size, 0, size);
	ck_assert_int_eq(fw_new(&fw, &s.cfg, &s.machine, NULL), -FW_EINVAL);
	setup_fini(&s);
}

/* A tree is one more thing to remember. */
TEST_TIMES(memory_may_end_anywhere, 2)
{
	const struct dt_prop props[] = { PROP(RANGES, 1, 9, 8) };
	void *dtb = dt_make(props, 1);
	unsigned needed = 0;
	struct fw *fw = NULL;
	struct setup s;

	setup_init(&s, 1, 0);
	s.cfg.dtb = _i ? dtb : NULL;
	for (; !fw && needed < 10; needed++) {
		char *error = NULL;
		int err;

		left = needed;
		err = fw_new(&fw, &s.cfg, &s.machine, &error);
		left = UINT_MAX;
		ck_assert_int_eq(err, fw ? 0 : -FW_ENOMEM);
		ck_assert_str_eq(error ? error : "", fw ? "" : "out of memory");
		free(error);
	}
	ck_assert_uint_eq(needed, _i ? 6 : 5);
	fw_free(fw);
	fw_free(NULL);
	setup_fini(&s);
	free(dtb);
}

TEST(a_malformed_tree_is_refused)
{
	const struct dt_prop props[] = { PROP(RANGES, 5, 3, 8) };
	struct fw *fw = NULL;
	char *error = NULL;
	struct setup s;
	void *dtb = dt_make(props, 1);

	setup_init(&s, 1, 0);
	s.cfg.dtb = dtb;
	ck_assert_int_eq(fw_new(&fw, &s.cfg, &s.machine, &error), -FW_EDT);
	ck_assert_str_eq(error, "/pmu: " RANGES
				" row 1: the first event is above the last "
				"(C101)");
	free(error);
	s.cfg.dtb_size = 20;
	ck_assert_int_eq(fw_new(&fw, &s.cfg, &s.machine, &error), -FW_EDT);
	ck_assert_str_eq(error, "not a valid flattened device tree");
	free(error);
	ck_assert_ptr_null(fw);
	setup_fini(&s);
	free(dtb);
}

/* Harts that nobody booted are STOPPED; those of the default have 56 ids. */
TEST(harts_wait_for_their_boot)
{
	static const uint64_t status[8] = { 1, [6] = 2, [7] = HSM_EID };
	struct sbi_ret ret;
	struct fw *fw;
	struct setup s;

	setup_init(&s, 1, 0);
	ck_assert_int_eq(fw_new(&fw, &s.cfg, &s.machine, NULL), 0);
	ck_assert_str_eq(fw_dt_warnings(fw), "");
	fw_hart_boot(fw, 0);
	fw_sbi_call(fw, 0, 0, status, &ret);
	ck_assert_uint_eq(ret.value, 1);
	fw_hart_boot(fw, 1);
	fw_hart_boot(fw, 2);
	fw_sbi_call(fw, 0, 0, status, &ret);
	ck_assert_uint_eq(ret.value, 0);
	shows(RULE("C191"));
	ck_assert_uint_eq(fw_num_counters(fw, 1), 56);
	fw_free(fw);
	setup_fini(&s);
}

/* Of a hart that there is not, nothing is known and nothing done. */
TEST(no_hart_is_beyond_the_last)
{
	const struct pmu_trap trap = { .pc = 0x1234 };
	const struct fw_trap t = { .trap = &trap };
	struct opts o = { .n_harts = 2 };
	struct fw_counter counter;
	struct fw_regs regs = { .n = 3 };
	struct fw_counter_row row;
	struct bench b;

	bench_init(&b, &o);
	ck_assert(!fw_sse_due(b.fw, 2));
	fw_sse_deliver(b.fw, 2, &t, &regs);
	ck_assert_uint_eq(regs.pc, 0x1234);
	ck_assert_uint_eq(regs.n, 0);
	ck_assert_int_eq(fw_trap(b.fw, 2, &t, &regs), FW_REDIRECT);
	ck_assert(!fw_hart_woken(b.fw, 2));
	ck_assert_uint_eq(fw_timer_next(b.fw, 2), UINT64_MAX);
	ck_assert_uint_eq(fw_num_counters(b.fw, 2), 0);
	ck_assert_uint_eq(fw_event_total(b.fw, 2, 0), 0);
	ck_assert(!fw_counter_state(b.fw, 2, 0, &counter));
	ck_assert(!fw_counter_row(b.fw, 2, 0, &row));
	fw_hart_boot(b.fw, 2);
	fw_hart_resumed(b.fw, 2);
	fw_interrupt_taken(b.fw, 2, &trap);
	fw_platform_event(b.fw, 2, 0, 1);
	bench_fini(&b);
}

/* What a firmware remembers is of its harts: each of them has to be the same.
 */
TEST_TIMES(a_state_is_of_the_same_harts, 2)
{
	struct setup giver, taker;
	struct fw *from, *to;
	void *state;

	setup_init(&giver, 1, 0);
	setup_init(&taker, 1 + (uint32_t)_i, 0);
	ck_assert_int_eq(fw_new(&from, &giver.cfg, &giver.machine, NULL), 0);
	ck_assert_int_eq(fw_new(&to, &taker.cfg, &taker.machine, NULL), 0);
	state = malloc(fw_state_size(from));
	fw_give(from, state);
	ck_assert_int_eq(fw_take(to, state), _i ? -FW_EINVAL : 0);
	free(state);
	fw_free(from);
	fw_free(to);
	setup_fini(&giver);
	setup_fini(&taker);
}

TEST(quirks_end_with_the_last)
{
	ck_assert_ptr_null(fw_quirk_desc(FW_N_QUIRKS));
}

TEST(profiles_have_names)
{
	enum fw_profile p = FW_PROFILE_SPEC;

	ck_assert(fw_profile_find("opensbi", &p));
	ck_assert_int_eq(p, FW_PROFILE_OPENSBI);
	ck_assert(!fw_profile_find("", &p));
	ck_assert_int_eq(p, FW_PROFILE_OPENSBI);
	ck_assert(fw_profile_find("spec", &p));
	ck_assert_int_eq(p, FW_PROFILE_SPEC);
}

SUITE("fw-new");
