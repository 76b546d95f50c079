/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions of the host's that are executed as if they were the engine's:
 * wherever a limit falls, whatever it is one of, a run ends where it does in an
 * engine that makes an exit of each.
 */
#include <string.h>

#include "../../guests/common/csr-short.h"
#include "../unit/unit.h"
#include "asm.h"
#include "engine/engine-pieces.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"

enum {
	DATA = 8,
	DEVICE = 9,
	CUSTOM_0 = 0x0000000b,
	WINDOW = 40,
};

/* One alone, one behind others, one behind a store, and what is none. */
static const uint32_t loop[] = {
	CSRRW(10, SSCRATCH, 5), CSRRW(11, SSCRATCH, 10),
	ADD(12, 12, 10),	SW(12, 6, 0),
	CSRRS(13, SSCRATCH, 0), LW(14, 6, 0),
	ADD(5, 5, 14),		CUSTOM_0,
	CSRRW(0, SSCRATCH, 5),	JAL(0, -36),
};

/* rd gets what rs1 had, and one more; nothing depends on what is counted. */
static enum engine_next by_exit(struct rig *r, const struct engine_exit *exit)
{
	uint64_t source = rig_x(r, exit->insn >> 15 & 31);

	if (exit->insn >> 20 == SSTATUS)
		engine_set_fp(r->e, r->ctx[0], source);
	rig_retire(r, exit, source + 1);
	return ENGINE_RESUME;
}

static bool quietly(struct rig *r, const struct pmu_csr_req *req,
		    uint64_t *ret_old)
{
	if (req->num == SSTATUS)
		engine_set_fp(r->e, r->ctx[0], req->value);
	*ret_old = req->value + 1;
	return req->num == SSTATUS || req->num == SSCRATCH;
}

static bool never(struct rig *r, const struct pmu_csr_req *req,
		  uint64_t *ret_old)
{
	return false;
}

static void begin(struct rig *r)
{
	rig_code(r, 0, loop, ARRAY_SIZE(loop));
	rig_set_x(r, 5, 7);
	rig_set_x(r, 6, RIG_AT(DATA));
	r->script = by_exit;
	r->n_quiet = 0;
}

/* By how much: all pages of the loop's block have been there before or not. */
static const struct limit_row {
	enum pmu_event event;
	bool soft;
	unsigned warm; /* instructions run before */
} limit_rows[] = {
	{ PMU_EV_INSNS, false, 0 },	  { PMU_EV_INSNS, false, 2000 },
	{ PMU_EV_STORES, false, 2000 },	  { PMU_EV_LOADS, false, 2000 },
	{ PMU_EV_BRANCHES, false, 2000 }, { PMU_EV_INSNS, true, 2000 },
};

/* Runs on to @n more of the row's event; what is left of limits stays open. */
static int run_to(struct rig *r, const struct limit_row *row, uint64_t n)
{
	rig_open(r);
	if (row->soft)
		r->budget.soft = n;
	else
		r->budget.limit.n[row->event] = n;
	return rig_run(r, UINT64_MAX);
}

static void assert_same(struct rig *a, struct rig *b, uint64_t at)
{
	ck_assert_msg(!memcmp(&a->budget.done, &b->budget.done,
			      sizeof(a->budget.done)),
		      "%s, limit %llu: %llu and %llu instructions", rig_name(a),
		      (unsigned long long)at,
		      (unsigned long long)a->budget.done.n[PMU_EV_INSNS],
		      (unsigned long long)b->budget.done.n[PMU_EV_INSNS]);
	ck_assert_uint_eq(a->budget.last_pc, b->budget.last_pc);
	ck_assert_uint_eq(rig_pc(a), rig_pc(b));
	for (unsigned i = 0; i < 32; i++) {
		ck_assert_uint_eq(rig_x(a, i), rig_x(b, i));
		ck_assert_uint_eq(engine_get(a->e, a->ctx[0], ENGINE_F0 + i),
				  engine_get(b->e, b->ctx[0], ENGINE_F0 + i));
	}
	ck_assert_uint_eq(engine_get(a->e, a->ctx[0], ENGINE_FCSR),
			  engine_get(b->e, b->ctx[0], ENGINE_FCSR));
}

/* Where the host is asked of its own accord is not the guest's. */
static bool ends_anywhere(const struct limit_row *row)
{
	return row->soft;
}

static void compare_at(struct rig *quiet, struct rig *plain,
		       const struct limit_row *row)
{
	for (uint64_t n = 1; n <= WINDOW; n++) {
		int stop = run_to(quiet, row, n), want;

		if (ends_anywhere(row)) {
			struct limit_row same = { PMU_EV_INSNS, false, 0 };
			uint64_t done = quiet->budget.done.n[PMU_EV_INSNS];

			ck_assert_int_eq(stop, ENGINE_STOP_SOFT);
			ck_assert_uint_ge(done, n);
			want = run_to(plain, &same, done);
			ck_assert_int_eq(want, ENGINE_STOP_LIMIT);
		} else {
			want = run_to(plain, row, n);
			ck_assert_int_eq(stop, want);
			ck_assert_int_eq(stop, ENGINE_STOP_LIMIT);
		}
		assert_same(quiet, plain, n);
	}
}

/* How it is without: an exit each. */
static struct rig *reference(uint8_t xlen)
{
	struct engine_config cfg = {
		.xlen = xlen,
		.engines = 2,
		.mode = ENGINE_PORTABLE,
	};

	return rig_new_config(&cfg);
}

static const struct limit_row insns = { PMU_EV_INSNS, false, 0 };

static void warm_up(struct rig *r, unsigned n)
{
	engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
	if (n)
		ck_assert_int_eq(run_to(r, &insns, n), ENGINE_STOP_LIMIT);
}

TEST_TIMES(a_limit_is_met_where_it_is, RIG_KINDS *ARRAY_SIZE(limit_rows))
{
	const struct limit_row *row = &limit_rows[_i / RIG_KINDS];
	struct rig *quiet = rig_pick((unsigned)_i);
	struct rig *plain = reference(quiet->xlen);

	begin(quiet);
	begin(plain);
	quiet->quiet = quietly;
	warm_up(quiet, row->warm);
	warm_up(plain, row->warm);
	ck_assert_uint_eq(plain->n_quiet, 0);
	/* four of ten instructions are */
	if (row->warm && quiet->e->slots[0]->exits.inside &&
	    !quiet->e->cfg.step_only)
		ck_assert_uint_gt(quiet->n_quiet, row->warm * 39 / 100);
	compare_at(quiet, plain, row);
	rig_free(plain);
}

/* Loops in which one is reached in another way; @at: where they begin. */
static const struct loop_row {
	const char *why;
	unsigned at;
	uint32_t code[6];
	bool stepped; /* some are, others need not be */
} loop_rows[] = {
	{ "its bytes are on two pages",
	  RIG_PAGE - 10,
	  { ADD(12, 12, 10), ADDI(5, 5, 1), CSRRW(10, SSCRATCH, 5),
	    JAL(0, -12) } },
	{ "what it reads is what it writes",
	  0,
	  { CSRRW(5, SSCRATCH, 5), ADD(12, 12, 5), CSRRS(12, SSCRATCH, 12),
	    JAL(0, -12) } },
	{ "behind floating point",
	  0,
	  { FADD_D(1, 2, 3), CSRRW(5, SSCRATCH, 5), FMUL_D(2, 2, 3),
	    CSRRW(10, SSCRATCH, 5), JAL(0, -16) } },
	{ "behind floating point that is stepped over",
	  0,
	  { FADD_S(1, 2, 3), CSRRW(5, SSCRATCH, 5), FMAX_S(1, 1, 2),
	    CSRRW(10, SSCRATCH, 5), JAL(0, -16) },
	  .stepped = true },
	{ "it turns floating point off and on",
	  0,
	  { FADD_D(1, 2, 3), CSRRW(0, SSTATUS, 0), FADD_D(2, 2, 3),
	    CSRRW(0, SSTATUS, 6), FMUL_D(3, 2, 3), JAL(0, -20) } },
	{ "it turns floating point on that no block has had",
	  0,
	  { CSRRW(0, SSTATUS, 0), ADD(12, 12, 10), CSRRW(0, SSTATUS, 6),
	    ADDI(5, 5, 1), JAL(0, -16) } },
	{ "behind an access to a device",
	  0,
	  { LW(5, 7, 0), CSRRW(5, SSCRATCH, 5), SW(5, 7, 4),
	    CSRRW(10, SSCRATCH, 5), JAL(0, -16) } },
};

static void begin_loop(struct rig *r, const struct loop_row *row)
{
	begin(r);
	memcpy(r->ram + row->at, row->code, sizeof(row->code));
	engine_ram_written(r->e, RIG_RAM, 2 * RIG_PAGE);
	r->page[DEVICE].device = true;
	r->mmio_answer = 77;
	rig_set_x(r, 7, RIG_AT(DEVICE));
	rig_open(r);
	r->budget.limit.n[PMU_EV_INSNS] = 200;
	ck_assert_int_eq(rig_run(r, RIG_BASE + row->at), ENGINE_STOP_LIMIT);
}

TEST_TIMES(it_is_the_same_wherever_it_stands, RIG_KINDS *ARRAY_SIZE(loop_rows))
{
	const struct loop_row *row = &loop_rows[_i / RIG_KINDS];
	struct rig *quiet = rig_pick((unsigned)_i);
	struct rig *plain = reference(quiet->xlen);

	quiet->quiet = quietly;
	begin_loop(plain, row);
	begin_loop(quiet, row);
	if (quiet->e->slots[0]->exits.inside && !quiet->e->cfg.step_only &&
	    !row->stepped)
		ck_assert_msg(quiet->n_quiet > 0, "%s: none is", row->why);
	compare_at(quiet, plain, &insns);
	ck_assert_uint_eq(quiet->n_mmio, plain->n_mmio);
	rig_free(plain);
}

/* What it does not want so comes as it does elsewhere. */
TEST_TIMES(the_host_may_refuse, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);
	struct rig *plain = reference(r->xlen);

	begin(r);
	begin(plain);
	r->quiet = never;
	warm_up(r, 2000);
	warm_up(plain, 2000);
	assert_same(r, plain, 2000);
	ck_assert_uint_eq(r->n_exits, plain->n_exits);
	ck_assert_mem_eq(r->exit_done, plain->exit_done, sizeof(r->exit_done));
	rig_free(plain);
}

static enum engine_next up_to_a_fault(struct rig *r,
				      const struct engine_exit *exit)
{
	return exit->kind == ENGINE_EXIT_FAULT ? ENGINE_STOP : by_exit(r, exit);
}

/* A fetch that fails behind it finds it counted. */
TEST_TIMES(a_fault_behind_it_is_behind_it, RIG_KINDS)
{
	static const uint32_t insn[] = { CSRRW(10, SSCRATCH, 5) };
	struct rig *r = rig_pick((unsigned)_i);

	begin(r);
	memcpy(r->ram + RIG_PAGE - 4, insn, sizeof(insn));
	engine_ram_written(r->e, RIG_RAM, RIG_PAGE);
	r->quiet = quietly;
	r->script = up_to_a_fault;
	r->page[1].perms = 0;
	ck_assert_int_eq(rig_run(r, RIG_AT(1) - 4), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 1);
	ck_assert_uint_eq(rig_pc(r), RIG_AT(1));
	ck_assert_uint_eq(rig_x(r, 10), 8);
}

static bool always(struct rig *r, const struct pmu_csr_req *req,
		   uint64_t *ret_old)
{
	return true;
}

/* Only that of the block that was counted last may be: its end. */
TEST(what_is_no_end_of_its_block_is_not)
{
	struct rig *r = rig_pick(RIG_KINDS - RIG_MODES);
	struct pmu_csr_req req = { .num = SSCRATCH, .read = true };
	uint64_t old;

	begin(r);
	r->quiet = always;
	warm_up(r, 2000);
	r->n_quiet = 0;
	ck_assert(!exits_quiet(r->e->live_slot, RIG_BASE + 8, &req, &old));
	ck_assert_uint_eq(r->n_quiet, 0);
}

TEST(its_share_is_told)
{
	struct rig *r = rig_pick(RIG_KINDS - RIG_MODES);
	struct engine_piece piece;

	begin(r);
	r->quiet = quietly;
	warm_up(r, 2000);
	engine_get_piece(r->e, 2, &piece);
	ck_assert_str_eq(piece.name, "quiet");
	ck_assert_str_eq(piece.of, "exits");
	ck_assert(piece.all >= piece.taken);
	if (!piece.off)
		ck_assert_uint_ge(piece.taken, r->n_quiet);
	else
		ck_assert_uint_eq(piece.taken, 0);
}

SUITE("engine-quiet", .test_case = "quiet", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
