/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every encoding of 16 bits: what no instruction is, and floating point while
 * it is off, is the host's to refuse; all else runs. Unicorn lets many of them
 * pass as if they were a NOP.
 */
#include "asm.h"
#include "rig.h"
#include "rows.h"

enum {
	QUADRANT = 1 << 14, /* encodings in each of the three */
	N_HALVES = 3 * QUADRANT,
	PAIR_SIZE = 4, /* each stands before a c.ebreak */
	CODE_PAGES = N_HALVES * PAIR_SIZE / RIG_PAGE,
	DATA = CODE_PAGES + 1,
	LIMIT = 8, /* of instructions, for jumps in a circle */
};

/* An instruction, or what is none among those above it. */
struct encoding {
	uint16_t mask, match;
	uint8_t xlen; /* 0: both */
	bool fp, none;
};

/*
 * RISC-V Unprivileged, "C" extension, instruction set listings. Custom and
 * reserved encodings are no instructions here; hints are.
 */
static const struct encoding encodings[] = {
	{ 0xe003, 0x0000 },			      /* c.addi4spn */
	{ 0xffe3, 0x0000, .none = true },	      /* its immediate of 0 */
	{ 0xe003, 0x2000, .fp = true },		      /* c.fld */
	{ 0xe003, 0x4000 },			      /* c.lw */
	{ 0xe003, 0x6000, .fp = true, .xlen = 32 },   /* c.flw */
	{ 0xe003, 0x6000, .xlen = 64 },		      /* c.ld */
	{ 0xe003, 0xa000, .fp = true },		      /* c.fsd */
	{ 0xe003, 0xc000 },			      /* c.sw */
	{ 0xe003, 0xe000, .fp = true, .xlen = 32 },   /* c.fsw */
	{ 0xe003, 0xe000, .xlen = 64 },		      /* c.sd */
	{ 0xe003, 0x0001 },			      /* c.addi, c.nop */
	{ 0xe003, 0x2001 },			      /* c.jal; c.addiw */
	{ 0xef83, 0x2001, .none = true, .xlen = 64 }, /* c.addiw to x0 */
	{ 0xe003, 0x4001 },			      /* c.li */
	{ 0xe003, 0x6001 },			      /* c.lui, c.addi16sp */
	{ 0xf07f, 0x6001, .none = true },	      /* their immediate of 0 */
	{ 0xec03, 0x8001 },			      /* c.srli */
	{ 0xec03, 0x8401 },			      /* c.srai */
	{ 0xf803, 0x9001, .none = true, .xlen = 32 }, /* by 32 and more */
	{ 0xec03, 0x8801 },			      /* c.andi */
	{ 0xfc03, 0x8c01 },			      /* c.sub, xor, or, and */
	{ 0xfc43, 0x9c01, .xlen = 64 },		      /* c.subw, c.addw */
	{ 0xe003, 0xa001 },			      /* c.j */
	{ 0xe003, 0xc001 },			      /* c.beqz */
	{ 0xe003, 0xe001 },			      /* c.bnez */
	{ 0xe003, 0x0002 },			      /* c.slli */
	{ 0xf003, 0x1002, .none = true, .xlen = 32 }, /* by 32 and more */
	{ 0xe003, 0x2002, .fp = true },		      /* c.fldsp */
	{ 0xe003, 0x4002 },			      /* c.lwsp */
	{ 0xef83, 0x4002, .none = true },	      /* to x0 */
	{ 0xe003, 0x6002, .fp = true, .xlen = 32 },   /* c.flwsp */
	{ 0xe003, 0x6002, .xlen = 64 },		      /* c.ldsp */
	{ 0xef83, 0x6002, .none = true, .xlen = 64 }, /* to x0 */
	{ 0xe003, 0x8002 },			      /* c.jr, mv, jalr, add */
	{ 0xffff, 0x8002, .none = true },	      /* c.jr by x0 */
	{ 0xffff, 0x9002, .none = true },	      /* c.ebreak, the host's */
	{ 0xe003, 0xa002, .fp = true },		      /* c.fsdsp */
	{ 0xe003, 0xc002 },			      /* c.swsp */
	{ 0xe003, 0xe002, .fp = true, .xlen = 32 },   /* c.fswsp */
	{ 0xe003, 0xe002, .xlen = 64 },		      /* c.sdsp */
};

/* The last row that matches says it; no row, no instruction. */
static bool is_hosts(uint16_t half, uint8_t xlen, bool fp_on)
{
	const struct encoding *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(encodings); i++) {
		const struct encoding *row = &encodings[i];

		if ((half & row->mask) == row->match &&
		    (!row->xlen || row->xlen == xlen))
			found = row;
	}
	return found == NULL || found->none || (found->fp && !fp_on);
}

static uint16_t half_of(unsigned n)
{
	return (uint16_t)((n % QUADRANT) << 2 | n / QUADRANT);
}

static void load_all(struct rig *r)
{
	static uint32_t words[RIG_PAGE / PAIR_SIZE];
	unsigned n = 0;

	for (unsigned page = 0; page < CODE_PAGES; page++) {
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			words[i] = PAIR(half_of(n++), C_EBREAK);
		rig_code(r, page, words, ARRAY_SIZE(words));
		r->page[page].perms = PMU_PERM_R | PMU_PERM_X;
	}
	r->page[DATA].perms = PMU_PERM_R | PMU_PERM_W;
}

/* Registers that any of them may use as an address point to data. */
static void run(struct rig *r, unsigned n, bool fp_on)
{
	struct hart_state state = { .fp_on = fp_on };

	for (unsigned i = 1; i < 32; i++)
		state.x[i] = RIG_AT(DATA);
	engine_ctx_load(r->e, r->ctx[0], &state);
	r->n_exits = 0;
	rig_open(r);
	r->budget.limit.n[PMU_EV_INSNS] = LIMIT;
	rig_run(r, RIG_BASE + (uint64_t)n * PAIR_SIZE);
}

/* Whether it was left to the host, before it did anything. */
static bool was_hosts(const struct rig *r, unsigned n)
{
	const struct engine_exit *exit = &r->exit[0];

	return r->n_exits > 0 && exit->kind == ENGINE_EXIT_INSN &&
	       exit->pc == RIG_BASE + (uint64_t)n * PAIR_SIZE &&
	       exit->insn == half_of(n) && exit->len == 2;
}

/* None that checks all rewritten code at each end: there are too many ends. */
static const struct rig_mode modes[] = {
	{ "in generated code", 2, false, ENGINE_AUTO },
	{ "by the hook", 2, false, ENGINE_PORTABLE },
	{ "steps only", 1, true, ENGINE_PORTABLE },
};

TEST_TIMES(what_is_no_instruction_is_the_hosts, 4 * ARRAY_SIZE(modes))
{
	const struct rig_mode *mode = &modes[_i / 4];
	struct rig *r = rig_new(mode, _i & 2 ? 32 : 64);
	bool fp_on = _i & 1;

	r->name = mode->name;
	load_all(r);
	for (unsigned n = 0; n < N_HALVES; n++) {
		bool want = is_hosts(half_of(n), r->xlen, fp_on);

		run(r, n, fp_on);
		ck_assert_msg(was_hosts(r, n) == want,
			      "%s: %04x with FP %s is %s the host's",
			      rig_name(r), half_of(n), fp_on ? "on" : "off",
			      want ? "not" : "now");
		ck_assert_msg(!want || r->budget.done.n[PMU_EV_INSNS] == 0,
			      "%s: %04x counts", rig_name(r), half_of(n));
	}
	rig_free(r);
}

/* In the midst of a block, and turned off and on between two visits. */
TEST_TIMES(floating_point_is_asked_for_each_time, RIG_KINDS)
{
	static const uint32_t code[] = {
		PAIR(C_NOP, 0x2404), /* c.fld f9, 8(x8) */
		PAIR(C_NOP, C_EBREAK),
	};
	static const bool on[] = { true, false, true, true, false, false };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (size_t i = 0; i < 4 * ARRAY_SIZE(on); i++) {
		bool fp_on = on[i % ARRAY_SIZE(on)];

		run(r, 0, fp_on);
		ck_assert_uint_eq(r->exit[0].pc, RIG_BASE + (fp_on ? 6 : 2));
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS],
				  fp_on ? 3 : 1);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS], fp_on);
	}
}

SUITE("engine-compressed", .test_case = "compressed", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
