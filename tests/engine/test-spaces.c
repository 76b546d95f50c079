/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Spaces that have a TLB each in one slot (slot_spaces): that it is on, that
 * changing between them empties nothing, that nothing of what Unicorn does by
 * itself with a privilege happens, and that a place which is not as expected
 * leaves two slots. What a guest sees is what all other tests of one engine
 * compare with two.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"

enum {
	DATA = 8,
	R_DATA = 5,
	MANY = 7, /* spaces, more than there are TLBs */
	BATCH = 512,
	SYSTEM = 0x73,
};

static struct engine_config of_engines(uint8_t engines, enum engine_mode mode,
				       uint8_t xlen)
{
	struct engine_config cfg = rig_config(mode, FAST_AS_IT_IS, xlen);

	cfg.engines = engines;
	return cfg;
}

static const struct kind_row {
	uint8_t xlen, engines;
} kind_rows[] = { { 64, 0 }, { 64, 1 }, { 32, 0 }, { 32, 1 } };

TEST_ROWS(it_is_on_where_it_is_made_for, kind_rows)
{
	struct engine_config cfg = of_engines(kind_rows[_i].engines,
					      ENGINE_AUTO, kind_rows[_i].xlen);
	struct rig *r = rig_new_config(&cfg);

	ck_assert_msg(r->e->spaces.off == NULL || !rig_is_made_for(), "off: %s",
		      r->e->spaces.off);
	ck_assert(r->e->slots[ENGINE_USER] == NULL || r->e->spaces.off);
	rig_free(r);
}

static const struct off_row {
	enum engine_mode mode;
	uint8_t engines;
	enum fast_spoil spoil;
	bool step_only;
	const char *why;
} off_rows[] = {
	{ ENGINE_PORTABLE, 0, FAST_AS_IT_IS, false,
	  "portable is what is wanted" },
	{ ENGINE_PORTABLE, 1, FAST_AS_IT_IS, false,
	  "portable is what is wanted" },
	{ ENGINE_AUTO, 0, FAST_AS_IT_IS, true, "each instruction is stepped" },
	{ ENGINE_AUTO, 2, FAST_AS_IT_IS, false,
	  "users have an engine of their own" },
	{ ENGINE_AUTO, 0, FAST_SPOIL_SPACE, false, "spaces share a TLB" },
	{ ENGINE_AUTO, 1, FAST_SPOIL_SPACE, false, "spaces share a TLB" },
	{ ENGINE_AUTO, 0, FAST_SPOIL_X, false,
	  "registers are not where they were looked for" },
};

/* What users' loads see is not what the kernel's do. */
static void put_loads(struct rig *r)
{
	const uint32_t code[] = { LW(11, R_DATA, 0), ADD(12, 12, 11), EBREAK };

	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t value = 1u << (4 * i);

		memcpy(r->ram + (DATA + i) * RIG_PAGE, &value, sizeof(value));
	}
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, 12, 0);
}

/* Each round in another of @n spaces, none of which has the others' page. */
static void run_rounds(struct rig *r, unsigned n)
{
	for (unsigned i = 0; i < 60; i++) {
		unsigned space = (5 * i + i / n) % n;

		r->regime = space % 2 ? ENGINE_USER : ENGINE_KERNEL;
		r->page[DATA].to = DATA + space;
		engine_set_space(r->e, (uint8_t)space, (uint8_t)space);
		engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
		ck_assert_int_eq(
			engine_run(r->e, r->ctx[0], r->regime, &r->budget),
			ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 11), 1u << (4 * space));
	}
}

TEST_ROWS(without_there_is_a_reason_and_no_difference, off_rows)
{
	const struct off_row *row = &off_rows[_i];
	struct engine_config cfg = of_engines(row->engines, row->mode, 64);
	struct rig *r;

	cfg.spoil = (uint8_t)row->spoil;
	cfg.step_only = row->step_only;
	r = rig_new_config(&cfg);
	ck_assert_ptr_nonnull(r->e->spaces.off);
	ck_assert_msg(strcmp(r->e->spaces.off, row->why) == 0 ||
			      !rig_is_made_for(),
		      "%s: %s", row->why, r->e->spaces.off);
	ck_assert_int_eq(r->e->slots[ENGINE_USER] != NULL, row->engines != 1);
	put_loads(r);
	run_rounds(r, MANY);
	ck_assert_uint_eq(r->e->spaces.taken, 0);
	rig_free(r);
}

TEST(fast_is_not_had_without)
{
	static const struct engine_host_ops none;
	struct engine_config cfg = of_engines(0, ENGINE_FAST, 64);
	struct engine *e;

	cfg.spoil = FAST_SPOIL_SPACE;
	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), -ENGINE_ESELFTEST);
	ck_assert_msg(strstr(engine_error(e), "no spaces") != NULL ||
			      !rig_is_made_for(),
		      "%s", engine_error(e));
	engine_free(e);
}

static const struct change_row {
	unsigned spaces;
	bool all; /* changes are without emptying a TLB */
} change_rows[] = {
	{ 2, true }, { 3, true }, { 4, true }, { 5, false }, { MANY, false }
};

/* Up to four of them nothing is emptied, nor decoded or walked again. */
TEST_WHERE(each_has_a_tlb_of_its_own, 0, 2 * (int)ARRAY_SIZE(change_rows),
	   rig_is_made_for())
{
	const struct change_row *row = &change_rows[_i / 2];
	struct engine_config cfg =
		of_engines(1, ENGINE_CHECK, _i % 2 ? 64 : 32);
	struct rig *r = rig_new_config(&cfg);
	const struct slot *s = r->e->slots[ENGINE_KERNEL];
	uint64_t epoch;

	put_loads(r);
	run_rounds(r, row->spaces);
	epoch = s->epoch >> 32;
	r->e->spaces.all = r->e->spaces.taken = 0;
	rig_set_x(r, 12, 0);
	run_rounds(r, row->spaces);
	ck_assert_uint_gt(r->e->spaces.all, 10);
	ck_assert_int_eq(r->e->spaces.taken == r->e->spaces.all, row->all);
	ck_assert_int_eq(s->epoch >> 32 == epoch, row->all);
	rig_free(r);
}

/* Of the same size at the same address: it counts what its own space has. */
TEST_TIMES(a_block_counts_as_it_is_in_its_space, 2)
{
	struct engine_config cfg = of_engines(1, ENGINE_AUTO, _i ? 64 : 32);
	const uint32_t kernel[] = { LR_W(11, R_DATA),
				    EBREAK }; /* by the hook */
	const uint32_t user[] = { ADDI(11, 0, 1), EBREAK };
	struct rig *r = rig_new_config(&cfg);

	rig_code(r, 0, kernel, ARRAY_SIZE(kernel));
	rig_code(r, MANY, user, ARRAY_SIZE(user));
	r->page[0].user = MANY;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	for (unsigned i = 0; i < 8; i++) {
		r->regime = i % 2 ? ENGINE_USER : ENGINE_KERNEL;
		rig_open(r);
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 1);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS], 1 - i % 2);
	}
	rig_free(r);
}

/* Words that are all the host's, whatever it runs with. */
static enum engine_next next_word(struct rig *r, const struct engine_exit *exit)
{
	uint64_t n = (exit->pc - RIG_BASE) / 4;

	ck_assert_int_eq(exit->kind, ENGINE_EXIT_INSN);
	ck_assert_msg(exit->insn == rig_word(r, 0, (unsigned)n * 4),
		      "%#x at %llu", exit->insn, (unsigned long long)n);
	if (exit->insn == EBREAK && n == BATCH)
		return ENGINE_STOP;
	engine_set(r->e, r->ctx[r->cur], ENGINE_PC, exit->pc + 4);
	return ENGINE_RESUME;
}

static void run_words(struct rig *r, const uint32_t *words)
{
	rig_code(r, 0, words, BATCH + 1);
	r->script = next_word;
	for (unsigned space = 0; space < SLOT_SPACES; space++) {
		r->n_exits = 0;
		engine_set_space(r->e, (uint8_t)space, (uint8_t)space);
		engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
		ck_assert_int_eq(
			engine_run(r->e, r->ctx[0], ENGINE_KERNEL, &r->budget),
			ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->n_exits, BATCH + 1);
	}
}

static bool is_unicorns(uint32_t funct3, uint32_t funct12)
{
	return funct3 % 4 && funct12 >= 1 && funct12 <= 3; /* fcsr */
}

/* All of SYSTEM: each funct12, which are CSRs, by each funct3. */
TEST_TIMES(whatever_it_runs_with_all_of_system_is_the_hosts, 2 * 8)
{
	struct engine_config cfg = of_engines(1, ENGINE_AUTO, _i % 2 ? 64 : 32);
	struct rig *r = rig_new_config(&cfg);
	uint32_t words[BATCH + 1], funct3 = (uint32_t)_i / 2;

	for (uint32_t regs = 0; regs < 4; regs++)
		for (uint32_t at = 0; at < 4096; at += BATCH) {
			for (uint32_t i = 0; i < BATCH; i++)
				words[i] =
					SYSTEM | funct3 << 12 |
					(regs & 1) * 6 << 7 |
					(regs >> 1) * 9 << 15 |
					(is_unicorns(funct3, at + i) ? 0x340
								     : at + i)
						<< 20;
			words[BATCH] = EBREAK;
			run_words(r, words);
		}
	rig_free(r);
}

SUITE("engine-spaces", .test_case = "spaces", .timeout = 60);
