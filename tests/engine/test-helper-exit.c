/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exits inside generated code: that they are, that each thing which is not as
 * expected leaves them to exceptions without a difference, and what takes the
 * old way. What the host sees of an exit is looked at by all other tests of the
 * engine, as these run with them and without.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "engine/engine-pieces.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"

enum {
	DATA = 8,
	INSNS = 6001, /* inside a block, whose exit is stepped to */
	CUSTOM_0 = 0x0000000b,
};

static const uint32_t loop[] = {
	CSRRW(10, 0x340, 5),
	ADD(12, 12, 10),
	SW(12, 6, 0),
	CUSTOM_0,
	LW(11, 6, 0),
	ECALL,
	EBREAK, /* skipped */
	ADD(12, 12, 11),
	SRET,
	EBREAK, /* skipped */
	CSRRS(13, 0xc00, 0),
	MRET,
	EBREAK, /* skipped */
	JAL(0, -52),
};

/* rd gets a number of its own; what jumps skips what follows. */
static enum engine_next go_on(struct rig *r, const struct engine_exit *exit)
{
	uint64_t n = r->budget.done.n[PMU_EV_INSNS];

	rig_retire(r, exit, n * 3 + rig_x(r, 5));
	if (exit->insn == ECALL || exit->insn == SRET || exit->insn == MRET)
		engine_set(r->e, r->ctx[r->cur], ENGINE_PC, exit->pc + 8);
	return ENGINE_RESUME;
}

static int run_loop(struct rig *r, enum engine_regime regime)
{
	rig_reset(r);
	r->regime = regime;
	rig_code(r, 0, loop, ARRAY_SIZE(loop));
	rig_set_x(r, 5, 7);
	rig_set_x(r, 6, RIG_AT(DATA));
	r->script = go_on;
	r->budget.limit.n[PMU_EV_INSNS] = INSNS;
	return rig_run(r, RIG_BASE);
}

static void assert_same(struct rig *a, struct rig *b)
{
	ck_assert_mem_eq(&a->budget.done, &b->budget.done,
			 sizeof(a->budget.done));
	ck_assert_uint_eq(a->budget.last_pc, b->budget.last_pc);
	ck_assert_uint_eq(a->n_exits, b->n_exits);
	ck_assert_mem_eq(a->exit_done, b->exit_done, sizeof(a->exit_done));
	ck_assert_uint_eq(rig_pc(a), rig_pc(b));
	for (unsigned i = 0; i < 32; i++)
		ck_assert_uint_eq(rig_x(a, i), rig_x(b, i));
}

/* Wherever a version of Unicorn has them. */
TEST_TIMES(registers_are_where_they_were_found, 2)
{
	const uint8_t xlen = _i ? 32 : 64;
	struct engine e = { .cfg = { .xlen = xlen } };
	struct slot *s = calloc(1, sizeof(*s));
	char room[1024] = { 0 };

	ck_assert_ptr_nonnull(s);
	s->e = &e;
	s->exits.env.at = room + 256;
	s->exits.env.x = 64;
	for (unsigned n = 0; n < 32; n++)
		fast_env_set_x(s, n, 0x81000000u + n);
	for (unsigned n = 0; n < 32; n++) {
		ck_assert_uint_eq(fast_env_x(s, n), 0x81000000u + n);
		ck_assert_int_eq(room[320 + n * xlen / 8], (int)n);
	}
	free(s);
}

static const struct kind_row {
	uint8_t xlen;
	enum engine_regime regime;
} kind_rows[] = {
	{ 64, ENGINE_KERNEL },
	{ 64, ENGINE_USER },
	{ 32, ENGINE_KERNEL },
	{ 32, ENGINE_USER },
};

/* All but the few with which something ends: at least 99 %. */
TEST_ROWS(exits_that_go_on_are_inside, kind_rows)
{
	const struct kind_row *row = &kind_rows[_i];
	struct engine_config fast =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, row->xlen);
	struct engine_config portable =
		rig_config(ENGINE_PORTABLE, FAST_AS_IT_IS, row->xlen);
	struct rig *r = rig_new_config(&fast);
	struct rig *want = rig_new_config(&portable);
	const struct slot *s = r->e->slots[row->regime];
	const struct slot *w = want->e->slots[row->regime];

	ck_assert_int_eq(run_loop(r, row->regime), ENGINE_STOP_LIMIT);
	ck_assert_int_eq(run_loop(want, row->regime), ENGINE_STOP_LIMIT);
	assert_same(r, want);
	ck_assert_uint_eq(s->exits.n_inside + s->exits.n_raised, r->n_exits);
	ck_assert_uint_eq(w->exits.n_raised, want->n_exits);
	if (rig_is_made_for())
		ck_assert_uint_ge(s->exits.n_inside * 100, r->n_exits * 99);
	rig_free(r);
	rig_free(want);
}

static const struct piece_row {
	const char *why;
	enum engine_mode mode;
	uint8_t xlen;
} piece_rows[] = {
	{ "as it is, RV64", ENGINE_AUTO, 64 },
	{ "as it is, RV32", ENGINE_AUTO, 32 },
	{ "portable", ENGINE_PORTABLE, 64 },
};

static void check_piece(const struct engine_piece *piece, const char *name,
			const char *of, uint64_t all)
{
	ck_assert_str_eq(piece->name, name);
	ck_assert_str_eq(piece->of, of);
	ck_assert_uint_eq(piece->all, all);
	if (piece->off)
		ck_assert_uint_eq(piece->taken, 0);
	else /* what is new goes the other way first */
		ck_assert(piece->taken < all && piece->taken > all / 2);
}

/* Of all slots together; what an exit retires is counted by the host. */
TEST_ROWS(each_piece_tells_its_share, piece_rows)
{
	const struct piece_row *row = &piece_rows[_i];
	struct engine_config cfg =
		rig_config(row->mode, FAST_AS_IT_IS, row->xlen);
	struct rig *r = rig_new_config(&cfg);
	struct engine_piece blocks, exits;
	uint64_t n = 0;

	engine_get_piece(r->e, 0, &blocks);
	ck_assert_uint_eq(blocks.all, 0); /* the self test is none of it */
	for (int regime = ENGINE_KERNEL; regime <= ENGINE_USER; regime++) {
		ck_assert_int_eq(run_loop(r, (enum engine_regime)regime),
				 ENGINE_STOP_LIMIT);
		n += r->n_exits;
	}
	engine_get_piece(r->e, 0, &blocks);
	engine_get_piece(r->e, 1, &exits);
	check_piece(&blocks, "blocks", "instructions", 2 * INSNS - n);
	check_piece(&exits, "exits", "exits", n);
	if (row->mode == ENGINE_PORTABLE) {
		ck_assert_str_eq(blocks.off, "portable is what is wanted");
		ck_assert_str_eq(exits.off, "portable is what is wanted");
	} else if (rig_is_made_for()) {
		ck_assert_ptr_null(blocks.off);
		ck_assert_ptr_null(exits.off);
	}
	rig_free(r);
}

static const struct csr_row {
	const char *why;
	uint32_t csr;
	unsigned exits; /* but that of the ebreak, which stops */
} csr_rows[] = {
	{ "0 is not Unicorn's: there is none", 0, 1 },
	{ "fflags is", PMU_CSR_FFLAGS, 0 },
	{ "frm is", PMU_CSR_FRM, 0 },
	{ "fcsr is", PMU_CSR_FCSR, 0 },
	{ "what comes behind it is not", PMU_CSR_FCSR + 1, 1 },
	{ "the last is not", PMU_N_CSRS - 1, 1 },
};

static enum engine_next skip_csr(struct rig *r, const struct engine_exit *exit)
{
	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	return go_on(r, exit);
}

/* Whichever has no exit of its own leaves inside generated code. */
TEST_TIMES(all_csrs_but_those_of_unicorn_are_the_hosts,
	   2 * ARRAY_SIZE(csr_rows))
{
	const struct csr_row *row = &csr_rows[_i / 2];
	const uint32_t code[] = { CSRRS(13, row->csr, 0), EBREAK };
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, _i % 2 ? 32 : 64);
	struct rig *r = rig_new_config(&cfg);
	struct engine_piece exits;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->script = skip_csr;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_msg(r->n_exits == row->exits + 1, "%s: %u", row->why,
		      r->n_exits);
	engine_get_piece(r->e, 1, &exits);
	ck_assert_uint_eq(exits.all, row->exits);
	if (exits.off == NULL)
		ck_assert_msg(exits.taken == exits.all, "%s: %llu inside",
			      row->why, (unsigned long long)exits.taken);
	rig_free(r);
}

/* Blocks that end early: the hook's share is what they did, no more. */
static enum engine_next start_over(struct rig *r,
				   const struct engine_exit *exit)
{
	engine_set(r->e, r->ctx[r->cur], ENGINE_PC, RIG_BASE);
	return r->n_exits == 100 ? ENGINE_STOP : ENGINE_RESUME;
}

static const struct early_row {
	const char *why;
	uint32_t second; /* of three, of which the last faults */
	bool by_hook;
} early_rows[] = {
	{ "LR is always the hook's", LR_W(3, 6), true },
	{ "what only counts is the hook's once", LW(3, 6, 0), false },
};

TEST_TIMES(what_a_block_did_not_do_has_no_share, 2 * ARRAY_SIZE(early_rows))
{
	const struct early_row *row = &early_rows[_i / 2];
	const uint32_t code[] = { NOP, row->second, LW(3, 5, 0), NOP,
				  JAL(0, 4) };
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, FAST_AS_IT_IS, _i % 2 ? 32 : 64);
	struct rig *r = rig_new_config(&cfg);
	struct engine_piece blocks;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, 6, RIG_AT(DATA));
	rig_set_x(r, 5, RIG_AT(DATA + 1));
	r->page[DATA + 1].perms = 0;
	r->script = start_over;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	engine_get_piece(r->e, 0, &blocks);
	ck_assert_uint_eq(blocks.all, 2 * 100);
	if (blocks.off == NULL)
		ck_assert_msg(blocks.taken == (row->by_hook ? 0 : 2 * 99),
			      "%s: %llu", row->why,
			      (unsigned long long)blocks.taken);
	rig_free(r);
}

static const struct spoil_row {
	const char *what;
	enum fast_spoil spoil;
} spoil_rows[] = {
	{ "a register is not where the others are", FAST_SPOIL_X },
	{ "pc is nowhere", FAST_SPOIL_PC },
	{ "other words than those of a context", FAST_SPOIL_WORDS },
	{ "another source of an access", FAST_SPOIL_SOURCE },
	{ "blocks end elsewhere", FAST_SPOIL_OUT },
};

TEST_ROWS(what_is_not_as_expected_is_left_to_exceptions, spoil_rows)
{
	struct engine_config cfg =
		rig_config(ENGINE_AUTO, spoil_rows[_i].spoil, 64);
	struct engine_config plain = rig_config(ENGINE_AUTO, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg), *want = rig_new_config(&plain);

	ck_assert_msg(r->e->raise_why != NULL, "%s", spoil_rows[_i].what);
	ck_assert_int_eq(run_loop(r, ENGINE_USER), ENGINE_STOP_LIMIT);
	ck_assert_int_eq(run_loop(want, ENGINE_USER), ENGINE_STOP_LIMIT);
	assert_same(r, want);
	for (unsigned i = ENGINE_KERNEL; i <= ENGINE_USER; i++) {
		const struct fast_exits *exits = &r->e->slots[i]->exits;

		ck_assert_uint_eq(exits->n_inside, 0);
		ck_assert(exits->inside == NULL && exits->env.at == NULL);
	}
	rig_free(r);
	rig_free(want);
}

TEST_ROWS(fast_is_not_had_without, spoil_rows)
{
	static const struct engine_host_ops none;
	struct engine_config cfg =
		rig_config(ENGINE_FAST, spoil_rows[_i].spoil, 64);
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), -ENGINE_ESELFTEST);
	ck_assert_msg(strstr(engine_error(e), "exits inside") != NULL ||
			      !rig_is_made_for(),
		      "%s: %s", spoil_rows[_i].what, engine_error(e));
	engine_free(e);
}

TEST(it_is_on_where_it_is_made_for)
{
	struct engine_config cfg = rig_config(ENGINE_AUTO, FAST_AS_IT_IS, 64);
	struct rig *r = rig_new_config(&cfg);

	if (rig_is_made_for())
		ck_assert_msg(r->e->raise_why == NULL, "off: %s",
			      r->e->raise_why);
	ck_assert_uint_eq(r->e->slots[0]->exits.inside != NULL,
			  r->e->raise_why == NULL);
	rig_free(r);
}

/* What the host does inside an exit; all of it is seen at once. */
static enum engine_next everything(struct rig *r,
				   const struct engine_exit *exit)
{
	struct engine_ctx *ctx = r->ctx[r->cur];
	struct hart_state state;

	rig_retire(r, exit, r->n_exits);
	switch (r->n_exits % 6) {
	case 0:
		engine_flush_tlb(r->e);
		break;
	case 1:
		engine_set_fp(r->e, ctx, r->n_exits % 4 == 1);
		break;
	case 2:
		engine_ctx_save(r->e, ctx, &state);
		state.x[14] += 5;
		engine_ctx_load(r->e, ctx, &state);
		break;
	case 3:
		engine_drop_reservation(r->e, ctx);
		break;
	case 4:
		engine_ram_written(r->e, RIG_RAM, 4);
		engine_fence_i(r->e);
		break;
	default:
		rig_set_x(r, 15, rig_x(r, 14) + r->n_exits);
		break;
	}
	return r->n_exits % 11 == 0 ? ENGINE_STOP : ENGINE_RESUME;
}

static const uint32_t plain_loop[] = {
	CSRRW(10, 0x340, 5),
	ADD(12, 12, 10),
	CUSTOM_0,
	MRET,
	ADD(12, 12, 10),
	SRET,
	JAL(0, -24),
};

TEST_ROWS(the_host_may_do_what_it_may_in_an_exit, kind_rows)
{
	const struct kind_row *row = &kind_rows[_i];
	struct engine_config cfgs[2] = {
		rig_config(ENGINE_CHECK, FAST_AS_IT_IS, row->xlen),
		rig_config(ENGINE_PORTABLE, FAST_AS_IT_IS, row->xlen),
	};
	struct rig *r[2];

	for (unsigned i = 0; i < 2; i++) {
		int stop;

		if (!rig_is_made_for())
			cfgs[i].mode = ENGINE_PORTABLE;
		r[i] = rig_new_config(&cfgs[i]);
		r[i]->regime = row->regime;
		rig_code(r[i], 0, plain_loop, ARRAY_SIZE(plain_loop));
		r[i]->script = everything;
		r[i]->budget.limit.n[PMU_EV_INSNS] = INSNS;
		stop = rig_run(r[i], RIG_BASE);
		while (stop == ENGINE_STOP_HOST)
			stop = rig_run(r[i], UINT64_MAX);
		ck_assert_int_eq(stop, ENGINE_STOP_LIMIT);
	}
	assert_same(r[0], r[1]);
	rig_free(r[0]);
	rig_free(r[1]);
}

SUITE("engine-helper-exit", .test_case = "helper-exit", .timeout = 120);
