/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory: devices, pages that an instruction crosses, accessed bits, and
 * fetches that are translated otherwise than data.
 */
#include <string.h>

#include "asm.h"
#include "rig.h"
#include "rows.h"

enum {
	DEVICE = 20, /* a device's page */
	DATA = 8,
	NEXT = 1, /* the page after the code */
	N_WORDS = 3,
	R_DEVICE = 5,
	R_END = 13, /* of the device's page */
};

#define ANSWER	UINT64_C(0x8182838485868788)
#define VALUE	UINT64_C(0x91929394a5a6a7a8)
#define IO(off) (RIG_DEVICE + (off))

static const struct load_row {
	const char *why;
	uint32_t insn;
	uint64_t paddr;
	uint8_t size, xlen;
	unsigned reg; /* as for engine_get() */
	uint64_t want;
} load_rows[] = {
	{ "lb", LB(10, R_DEVICE, 3), IO(3), 1, 64, 10, 0xffffffffffffff88 },
	{ "lbu", LBU(10, R_DEVICE, 3), IO(3), 1, 0, 10, 0x88 },
	{ "lh", LH(10, R_DEVICE, -2 + 4), IO(2), 2, 64, 10,
	  0xffffffffffff8788 },
	{ "lhu", LHU(10, R_DEVICE, 2), IO(2), 2, 0, 10, 0x8788 },
	{ "lw", LW(10, R_DEVICE, 4), IO(4), 4, 64, 10, 0xffffffff85868788 },
	{ "lw, RV32", LW(10, R_DEVICE, 4), IO(4), 4, 32, 10, 0x85868788 },
	{ "lwu", LWU(10, R_DEVICE, 4), IO(4), 4, 64, 10, 0x85868788 },
	{ "ld", LD(10, R_DEVICE, 8), IO(8), 8, 64, 10, ANSWER },
	{ "lw to x0", LW(0, R_DEVICE, 4), IO(4), 4, 0, 0, 0 },
	{ "flw", FLW(1, R_DEVICE, 4), IO(4), 4, 0, ENGINE_F0 + 1,
	  0xffffffff85868788 },
	{ "fld", FLD(1, R_DEVICE, 8), IO(8), 8, 0, ENGINE_F0 + 1, ANSWER },
	/* x8 + 7 = x15, the base as well */
	{ "c.lw", PAIR(C_LW(2, 7), C_NOP), IO(0), 4, 32, 10, 0x85868788 },
	{ "c.ld", PAIR(0x6000 | 2 << 2 | 7 << 7, C_NOP), IO(0), 8, 64, 10,
	  ANSWER },
	{ "c.fld", PAIR(0x2000 | 2 << 2 | 7 << 7, C_NOP), IO(0), 8, 0,
	  ENGINE_F0 + 10, ANSWER },
	/* sp is the device */
	{ "c.lwsp", PAIR(0x4002 | 10 << 7, C_NOP), IO(0), 4, 32, 10,
	  0x85868788 },
	{ "c.ldsp", PAIR(0x6002 | 10 << 7, C_NOP), IO(0), 8, 64, 10, ANSWER },
	{ "c.fldsp", PAIR(0x2002 | 1 << 7, C_NOP), IO(0), 8, 0, ENGINE_F0 + 1,
	  ANSWER },
};

static const struct store_row {
	const char *why;
	uint32_t insn;
	uint64_t paddr;
	uint8_t size, xlen;
	uint64_t want;
} store_rows[] = {
	{ "sb", SB(10, R_DEVICE, 3), IO(3), 1, 0, VALUE & 0xff },
	{ "sh", SH(10, R_DEVICE, 2), IO(2), 2, 0, VALUE & 0xffff },
	{ "sw", SW(10, R_DEVICE, 4), IO(4), 4, 0, VALUE & 0xffffffff },
	{ "sd", SD(10, R_DEVICE, 8), IO(8), 8, 64, VALUE },
	{ "sw of x0", SW(0, R_DEVICE, 4), IO(4), 4, 0, 0 },
	{ "fsw", FSW(10, R_DEVICE, 4), IO(4), 4, 0, VALUE & 0xffffffff },
	{ "fsd", FSD(10, R_DEVICE, 8), IO(8), 8, 0, VALUE },
	{ "c.sw", PAIR(C_SW(2, 7), C_NOP), IO(0), 4, 0, VALUE & 0xffffffff },
	{ "c.fsd", PAIR(0xa000 | 2 << 2 | 7 << 7, C_NOP), IO(0), 8, 0, VALUE },
	{ "c.swsp", PAIR(0xc002 | 10 << 2, C_NOP), IO(0), 4, 0,
	  VALUE & 0xffffffff },
	{ "c.fsdsp", PAIR(0xa002 | 10 << 2, C_NOP), IO(0), 8, 0, VALUE },
};

/* An instruction before it, the access, and the end. */
static void prepare(struct rig *r, uint32_t insn)
{
	const uint32_t code[] = { ADDI(12, 12, 1), insn, EBREAK };

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->page[DEVICE].device = true;
	r->mmio_answer = ANSWER;
	rig_set_x(r, R_DEVICE, RIG_AT(DEVICE));
	rig_set_x(r, R_END, RIG_AT(DEVICE + 1));
	rig_set_x(r, 2, RIG_AT(DEVICE));
	rig_set_x(r, 15, RIG_AT(DEVICE));
	rig_set_x(r, 10, VALUE);
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 10, VALUE);
}

static void check_access(struct rig *r, uint64_t paddr, uint8_t size,
			 const char *why)
{
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_msg(r->n_mmio == 1, "%s: %u accesses", why, r->n_mmio);
	ck_assert_msg(r->mmio[0].paddr == paddr, "%s: %llx", why,
		      (unsigned long long)r->mmio[0].paddr);
	ck_assert_msg(r->mmio[0].size == size, "%s: size", why);
	ck_assert_msg(r->mmio_done[0] == 1, "%s: count before it", why);
	ck_assert_uint_eq(r->exit[0].insn, EBREAK);
}

TEST_RIGS(a_load_from_a_device_ends_like_any_load, load_rows)
{
	const struct load_row *row = &load_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t got;

	prepare(r, row->insn);
	check_access(r, row->paddr, row->size, row->why);
	got = engine_get(r->e, r->ctx[0], row->reg);
	ck_assert_msg(got == row->want, "%s: %llx", row->why,
		      (unsigned long long)got);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS], 1);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_STORES], 0);
}

TEST_RIGS(a_store_to_a_device_ends_like_any_store, store_rows)
{
	const struct store_row *row = &store_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);

	prepare(r, row->insn);
	check_access(r, row->paddr, row->size, row->why);
	ck_assert(r->mmio[0].write);
	ck_assert_msg(r->mmio[0].value == row->want, "%s: %llx", row->why,
		      (unsigned long long)r->mmio[0].value);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_STORES], 1);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS], 0);
}

static const struct refuse_row {
	const char *why;
	uint32_t insn;
	uint8_t cause;
	int off; /* of the trap value in the device's page */
	bool by_host;
} refuse_rows[] = {
	{ "the host refuses a load", LW(3, R_DEVICE, 4), PMU_CAUSE_LOAD_ACCESS,
	  4, true },
	{ "the host refuses a store", SW(3, R_DEVICE, 4),
	  PMU_CAUSE_STORE_ACCESS, 4, true },
	{ "a misaligned load", LW(3, R_DEVICE, 2), PMU_CAUSE_LOAD_ACCESS, 2,
	  false },
	{ "a misaligned store", SH(3, R_DEVICE, 1), PMU_CAUSE_STORE_ACCESS, 1,
	  false },
	{ "an AMO", AMOADD_W(3, R_DEVICE, 3), PMU_CAUSE_STORE_ACCESS, 0,
	  false },
	{ "LR", LR_W(3, R_DEVICE), PMU_CAUSE_LOAD_ACCESS, 0, false },
	{ "a load that crosses into the device", LW(3, R_DEVICE, -2),
	  PMU_CAUSE_LOAD_ACCESS, 0, false },
	{ "a store that crosses into the device", SW(3, R_DEVICE, -2),
	  PMU_CAUSE_STORE_ACCESS, 0, false },
	{ "a load that crosses out of the device", LW(3, R_END, -2),
	  PMU_CAUSE_LOAD_ACCESS, 4094, false },
	{ "a fetch", JALR(0, R_DEVICE, 8), PMU_CAUSE_FETCH_ACCESS, 8, false },
};

TEST_TIMES(a_device_takes_no_other_access, ARRAY_SIZE(refuse_rows) * RIG_KINDS)
{
	const struct refuse_row *row = &refuse_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);
	bool fetch = row->cause == PMU_CAUSE_FETCH_ACCESS;

	prepare(r, row->insn);
	r->mmio_refuses = row->by_host;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_mmio, 0);
	ck_assert_int_eq(r->exit[0].kind, ENGINE_EXIT_FAULT);
	ck_assert_msg(r->exit[0].cause == row->cause, "%s: cause %u", row->why,
		      r->exit[0].cause);
	ck_assert_msg(r->exit[0].tval == RIG_AT(DEVICE) + (unsigned)row->off,
		      "%s: %llx", row->why,
		      (unsigned long long)r->exit[0].tval);
	ck_assert_uint_eq(r->exit[0].pc,
			  fetch ? RIG_AT(DEVICE) + 8 : RIG_BASE + 4);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], fetch ? 2 : 1);
}

/* The first and the last page, whose addresses wrap; 16 is that of the last. */
static const struct edge_row {
	const char *why;
	uint32_t insn;
	bool last; /* the page that is a device */
	uint64_t off;
} edge_rows[] = {
	{ "a load below 0", LW(3, 0, -16), true, RIG_PAGE - 16 },
	{ "a store below 0", SW(3, 0, -16), true, RIG_PAGE - 16 },
	{ "a load beyond the end", LW(3, R_END, 24), false, 8 },
	{ "a store beyond the end", SW(3, R_END, 24), false, 8 },
};

TEST_TIMES(an_address_wraps, ARRAY_SIZE(edge_rows) * RIG_KINDS)
{
	const struct edge_row *row = &edge_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);
	const uint32_t code[] = { ADDI(R_END, 0, -16), row->insn, EBREAK };
	uint64_t last = (r->xlen == 32 ? UINT32_MAX : UINT64_MAX) - 4095;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->edges = true;
	r->page[row->last ? RIG_LAST : RIG_FIRST].device = true;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[0].insn, EBREAK);
	ck_assert_msg(r->n_mmio == 1, "%s, %s", row->why, rig_name(r));
	ck_assert_uint_eq(r->mmio[0].vaddr, row->off + (row->last ? last : 0));
	ck_assert_uint_eq(r->mmio[0].paddr, IO(row->off));
}

static const struct no_ram_row {
	uint32_t insn;
	uint8_t cause;
} no_ram_rows[] = {
	{ LW(3, R_DEVICE, 4), PMU_CAUSE_LOAD_ACCESS },
	{ SW(3, R_DEVICE, 4), PMU_CAUSE_STORE_ACCESS },
	{ AMOADD_W(3, R_END, 3), PMU_CAUSE_STORE_ACCESS },
	{ JALR(0, R_DEVICE, 4), PMU_CAUSE_FETCH_ACCESS },
};

/* Right behind it, and far away. */
TEST_TIMES(no_ram_is_an_access_fault, 2 * ARRAY_SIZE(no_ram_rows) * RIG_KINDS)
{
	const struct no_ram_row *row = &no_ram_rows[_i / RIG_KINDS / 2];
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, &row->insn, 1);
	r->page[DEVICE].to = _i / RIG_KINDS % 2 ? 0x1000 : RIG_PAGES;
	rig_set_x(r, R_DEVICE, RIG_AT(DEVICE));
	rig_set_x(r, R_END, RIG_AT(DEVICE) + 4);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[0].cause, row->cause);
	ck_assert_uint_eq(r->exit[0].tval, RIG_AT(DEVICE) + 4);
}

TEST_TIMES(a_limit_ends_at_a_device_access, RIG_KINDS)
{
	static const uint32_t code[] = { NOP, SW(3, R_DEVICE, 4), NOP, EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->page[DEVICE].device = true;
	rig_set_x(r, R_DEVICE, RIG_AT(DEVICE));
	r->budget.limit.n[PMU_EV_STORES] = 1;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), RIG_BASE + 8);
	ck_assert_uint_eq(r->budget.last_pc, RIG_BASE + 4);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 2);
}

/* ADDI 12 at the page's end: its second half is on the next page. */
static void put_crossing(struct rig *r)
{
	static const uint32_t insn = ADDI(12, 12, 5);
	static const uint32_t end = EBREAK;
	uint8_t *at = r->ram + RIG_PAGE - 2;

	memset(r->ram, 0, 2 * RIG_PAGE);
	for (unsigned i = 2; i < 10; i += 2)
		memcpy(at - i, &(uint16_t){ C_INC(11) }, 2);
	memcpy(at, &insn, 4);
	memcpy(at + 4, &end, 4);
	engine_ram_written(r->e, RIG_RAM, 2 * RIG_PAGE);
}

TEST_TIMES(an_instruction_crosses_pages, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	put_crossing(r);
	/* the second page is somewhere else in RAM */
	memcpy(r->ram + 30 * RIG_PAGE, r->ram + RIG_PAGE, RIG_PAGE);
	memset(r->ram + RIG_PAGE, 0xff, RIG_PAGE);
	r->page[NEXT].to = 30;
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT) - 10), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[0].insn, EBREAK);
	ck_assert_uint_eq(rig_x(r, 11), 4);
	ck_assert_uint_eq(rig_x(r, 12), 5);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 5);
}

TEST_TIMES(a_crossing_instruction_faults_at_its_own_pc, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	put_crossing(r);
	r->page[NEXT].perms = 0;
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT) - 10), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[0].cause, PMU_CAUSE_FETCH_PAGE);
	ck_assert_uint_eq(r->exit[0].pc, RIG_AT(NEXT) - 2);
	ck_assert_uint_eq(r->exit[0].tval, RIG_AT(NEXT));
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 4);
	ck_assert_uint_eq(rig_x(r, 11), 4);
	/* mended, it goes on */
	r->page[NEXT].perms = PMU_PERM_X;
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[1].insn, EBREAK);
	ck_assert_uint_eq(rig_x(r, 12), 5);
}

TEST_TIMES(the_next_page_is_accessed_only_when_it_executes, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	put_crossing(r);
	r->budget.limit.n[PMU_EV_INSNS] = 2;
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT) - 10), ENGINE_STOP_LIMIT);
	ck_assert(r->page[0].accessed);
	ck_assert(!r->page[NEXT].accessed);
	r->budget.limit.n[PMU_EV_INSNS] = 5;
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_LIMIT);
	ck_assert(r->page[NEXT].accessed);
	ck_assert_uint_eq(rig_x(r, 12), 5);
}

/*
 * A block that would run into a page that is not accessed yet leaves early,
 * for that page: by a trap in mid-block, from two such blocks.
 */
static void put_leaving(struct rig *r, unsigned page)
{
	const uint32_t end[] = { ADDI(10, 10, 1), EBREAK };
	const uint32_t leave[] = { AMOADD_W(0, 5, 5), ADDI(11, 11, 1) };
	uint8_t *next = r->ram + (page + 1) * RIG_PAGE;

	memcpy(next - 6, leave, sizeof(leave));
	memcpy(next + 8, end, sizeof(end));
}

static enum engine_next onwards(struct rig *r, const struct engine_exit *exit)
{
	static const uint64_t to[] = { RIG_AT(3) - 6, RIG_AT(1) + 8 };

	if (exit->kind == ENGINE_EXIT_INSN)
		return ENGINE_STOP;
	engine_set(r->e, r->ctx[0], ENGINE_PC, to[(r->n_exits - 1) % 2]);
	return ENGINE_RESUME;
}

static enum engine_next straight_on(struct rig *r,
				    const struct engine_exit *exit)
{
	if (exit->kind == ENGINE_EXIT_INSN)
		return ENGINE_STOP;
	engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_AT(1) + 8);
	return ENGINE_RESUME;
}

TEST_TIMES(a_page_met_ahead_may_run_next, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	put_leaving(r, 0);
	engine_ram_written(r->e, RIG_RAM, 2 * RIG_PAGE);
	rig_set_x(r, 5, RIG_AT(DATA) + 1);
	r->script = straight_on;
	ck_assert_int_eq(rig_run(r, RIG_AT(1) - 6), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_exits, 2);
	ck_assert_uint_eq(r->exit[1].pc, RIG_AT(1) + 12);
	ck_assert_uint_eq(rig_x(r, 10), 1);
}

TEST_TIMES(a_page_met_ahead_is_fetched_again_when_it_runs, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	put_leaving(r, 0);
	put_leaving(r, 2);
	engine_ram_written(r->e, RIG_RAM, 4 * RIG_PAGE);
	rig_set_x(r, 5, RIG_AT(DATA) + 1);
	r->script = onwards;
	ck_assert_int_eq(rig_run(r, RIG_AT(1) - 6), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_exits, 3);
	ck_assert_uint_eq(r->exit[2].pc, RIG_AT(1) + 12);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	ck_assert(r->page[1].accessed);
	ck_assert(!r->page[3].accessed);
}

/* Data of the page that executes is elsewhere, as with MPRV. */
TEST_TIMES(fetches_and_data_of_one_page_may_differ, RIG_KINDS)
{
	static const uint32_t code[] = {
		LW(3, 5, 0), ADD(4, 4, 3),   LW(3, 5, 4),    ADD(4, 4, 3),
		SW(4, 5, 8), ADDI(6, 6, -1), BNE(6, 0, -24), EBREAK,
	};
	static const uint8_t rw = PMU_PERM_R | PMU_PERM_W;
	struct rig *r = rig_pick((unsigned)_i);

	r->split = true;
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, 5, RIG_BASE + 64);
	rig_set_x(r, 6, 100);
	memcpy(r->ram + 64, &(uint32_t){ 3 }, 4);
	memcpy(r->ram + 68, &(uint32_t){ 4 }, 4);
	r->page[0].perms = PMU_PERM_X | rw;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 4), 700);
	ck_assert_uint_eq(rig_word(r, 0, 72), 700);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 700);
}

/* A translation that changes is used after a flush, in both regimes. */
TEST_TIMES(a_flush_drops_translations, RIG_KINDS)
{
	static const uint32_t code[] = { LW(10, 5, 0), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, 5, RIG_AT(DATA));
	for (unsigned i = 1; i < 20; i++) {
		r->regime = i % 4 < 2 ? ENGINE_KERNEL : ENGINE_USER;
		memcpy(r->ram + (DATA + i) * RIG_PAGE, &i, 4);
		r->page[DATA].to = DATA + i;
		engine_flush_tlb(r->e);
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), i);
	}
}

/* Without a flush in between: each regime has its own translations. */
TEST_TIMES(regimes_translate_apart, RIG_KINDS)
{
	static const uint32_t code[] = { LW(10, 5, 0), EBREAK };
	static const uint32_t user_code[] = { LW(11, 5, 0), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);
	const uint32_t values[] = { 3, 4 };

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, 30, user_code, ARRAY_SIZE(user_code));
	r->page[0].user = 30;
	r->page[DATA].user = 1;
	memcpy(r->ram + DATA * RIG_PAGE, &values[0], 4);
	memcpy(r->ram + (DATA + 1) * RIG_PAGE, &values[1], 4);
	for (unsigned i = 0; i < 20; i++) {
		rig_set_x(r, 5, RIG_AT(DATA));
		rig_set_x(r, 10, 0);
		rig_set_x(r, 11, 0);
		r->regime = i % 2 ? ENGINE_USER : ENGINE_KERNEL;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), i % 2 ? 0 : 3);
		ck_assert_uint_eq(rig_x(r, 11), i % 2 ? 4 : 0);
	}
}

TEST_TIMES(ram_must_be_where_it_can, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);
	static _Alignas(4096) uint8_t page[RIG_PAGE];

	ck_assert_int_eq(engine_map_ram(r->e, RIG_RAM, RIG_PAGE, page),
			 -ENGINE_EINVAL);
	ck_assert_int_eq(engine_map_ram(r->e, 0x1001, RIG_PAGE, page),
			 -ENGINE_EINVAL);
	ck_assert_int_eq(engine_map_ram(r->e, 0x1000, 0, page), -ENGINE_EINVAL);
	ck_assert_int_eq(
		engine_map_ram(r->e, UINT64_MAX - 4095, RIG_PAGE, page),
		-ENGINE_EINVAL);
	ck_assert_str_ne(engine_error(r->e), "");
}

static const struct ram_row {
	const char *why;
	uint64_t first, pages; /* of RAM, from the first of the rig's */
	int want;
} ram_rows[] = {
	{ "right below", -1ull, 1, 0 },
	{ "right above", RIG_PAGES, 1, 0 },
	{ "far above", 2 * RIG_PAGES, 2, 0 },
	{ "the first page of the rig's", 0, 1, -ENGINE_EINVAL },
	{ "the last one", RIG_PAGES - 1, 2, -ENGINE_EINVAL },
	{ "into it from below", -1ull, 2, -ENGINE_EINVAL },
	{ "all around it", -1ull, RIG_PAGES + 2, -ENGINE_EINVAL },
};

TEST_ROWS(ram_may_be_in_parts, ram_rows)
{
	const struct ram_row *row = &ram_rows[_i];
	struct rig *r = rig_new(&rig_modes[0], 64);
	void *ram = aligned_alloc(RIG_PAGE, row->pages * RIG_PAGE);
	int got = engine_map_ram(r->e, RIG_RAM + row->first * RIG_PAGE,
				 row->pages * RIG_PAGE, ram);

	ck_assert_msg(got == row->want, "%s: %d", row->why, got);
	rig_free(r);
	free(ram);
}

SUITE("engine-memory", .test_case = "memory", .timeout = 30,
      .setup_all = rigs_open, .teardown_all = rigs_close);
