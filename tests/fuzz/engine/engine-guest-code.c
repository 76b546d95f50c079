/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What code of a whole machine does beside programs of the engine's: counters,
 * modes, page tables and their fences, interrupts, calls. Registers 5-7 and
 * 10-17 are for use, as in tests/engine/program.c.
 */
#include "engine-guest-inside.h"

#define SFENCE_VMA(rs1, rs2)   ASM_R(0x73, 0x09 << 3, 0, rs1, rs2)
#define SINVAL_VMA(rs1, rs2)   ASM_R(0x73, 0x0b << 3, 0, rs1, rs2)
#define CSR_OP(f3, rd, csr, n) ASM_I(0x73, f3, rd, n, csr)
#define WFI		       PMU_WORD_WFI
#define MRET		       PMU_WORD_MRET
#define SRET		       PMU_WORD_SRET

struct words {
	struct making *m;
	uint32_t *at;
};

static void put(struct words *w, uint32_t insn)
{
	*w->at++ = insn;
}

static unsigned reg(struct words *w)
{
	static const uint8_t regs[] = { 6, 7, 10, 11, 12, 13, 14, 15 };

	return regs[dice(w->m, sizeof(regs))];
}

/* Register @rd gets @value. */
static void put_value(struct words *w, unsigned rd, uint64_t value)
{
	put(w, load_x(w->m, rd, REG_VALUES, value_at(w->m, value)));
}

#define PICK(w, list) ((list)[dice((w)->m, sizeof(list) / sizeof((list)[0]))])

/* CSRs */

static void read_counter(struct words *w)
{
	static const uint16_t csrs[] = {
		PMU_CSR_CYCLE,
		PMU_CSR_INSTRET,
		PMU_CSR_TIME,
		PMU_CSR_HPMCOUNTER3,
		PMU_CSR_HPMCOUNTER3,
		PMU_CSR_HPMCOUNTER3 + 1,
		PMU_CSR_MCYCLE,
		PMU_CSR_MINSTRET,
		PMU_CSR_MHPMCOUNTER3,
		PMU_CSR_CYCLEH,
		PMU_CSR_HPMCOUNTER3H,
		PMU_CSR_SCOUNTOVF,
		PMU_CSR_HPMCOUNTER3 + 9,
	};

	for (unsigned n = dice(w->m, 3); n--;)
		put(w, CSRRS(reg(w), PICK(w, csrs), 0));
	put(w, CSRRS(reg(w), PICK(w, csrs), 0));
}

static void read_state(struct words *w)
{
	static const uint16_t csrs[] = {
		PMU_CSR_SSTATUS, PMU_CSR_SIP,	 PMU_CSR_SCAUSE,
		PMU_CSR_STVAL,	 PMU_CSR_SEPC,	 PMU_CSR_MSTATUS,
		PMU_CSR_MIP,	 PMU_CSR_MCAUSE, PMU_CSR_MHARTID,
		PMU_CSR_FCSR,	 PMU_CSR_SATP,	 PMU_CSR_MCOUNTINHIBIT,
	};

	put(w, CSRRS(reg(w), PICK(w, csrs), 0));
}

/* What is written, and which bits; a bit of status is set or cleared. */
static const struct bits_row {
	uint16_t csr;
	uint8_t first, last;
} bits_rows[] = {
	{ PMU_CSR_SSTATUS, 18, 19 }, /* SUM, MXR */
	{ PMU_CSR_SSTATUS, 18, 18 },  { PMU_CSR_SSTATUS, 13, 13 }, /* FS */
	{ PMU_CSR_SSTATUS, 1, 1 },				   /* SIE */
	{ PMU_CSR_SSTATUS, 8, 8 },				   /* SPP */
	{ PMU_CSR_MSTATUS, 17, 19 },  { PMU_CSR_MSTATUS, 13, 14 },
	{ PMU_CSR_MSTATUS, 3, 3 }, /* MIE */
	{ PMU_CSR_MSTATUS, 11, 12 },  { PMU_CSR_MCOUNTINHIBIT, 0, 5 },
	{ PMU_CSR_MIP, 1, 1 },	      { PMU_CSR_MIP, 13, 13 },
	{ PMU_CSR_SIP, 1, 1 },	      { PMU_CSR_SIP, 13, 13 },
	{ PMU_CSR_SIE, 1, 13 },	      { PMU_CSR_MIE, 1, 13 },
	{ PMU_CSR_MCOUNTEREN, 2, 6 }, { PMU_CSR_SCOUNTEREN, 0, 6 },
	{ PMU_CSR_FFLAGS, 0, 4 },     { PMU_CSR_FRM, 0, 1 },
};

static void change_bit(struct words *w)
{
	const struct bits_row *row = &PICK(w, bits_rows);
	unsigned n = row->first + dice(w->m, 1u + row->last - row->first);
	unsigned rd = one_in(w->m, 2) ? reg(w) : 0;
	unsigned clears = dice(w->m, 2);

	if (n < 5 && one_in(w->m, 2)) {
		put(w, CSR_OP(6 + clears, rd, row->csr, 1u << n));
		return;
	}
	put_value(w, 5, UINT64_C(1) << n);
	put(w, CSR_OP(2 + clears, rd, row->csr, 5));
}

/* A counter, so that it overflows soon. */
static void set_counter(struct words *w)
{
	static const uint16_t csrs[] = { PMU_CSR_MHPMCOUNTER3,
					 PMU_CSR_MHPMCOUNTER3 + 1,
					 PMU_CSR_MHPMCOUNTER3 + 2,
					 PMU_CSR_MINSTRET, PMU_CSR_MCYCLE };
	uint16_t csr = PICK(w, csrs);

	put(w, ADDI(5, 0, -1 - (int)dice(w->m, one_in(w->m, 2) ? 8 : 300)));
	if (w->m->g->xlen == 32) {
		put(w, ADDI(6, 0, -1));
		put(w, CSRRW(0, csr + 0x80, 6));
	}
	put(w, CSRRW(one_in(w->m, 2) ? 7 : 0, csr, 5));
}

static void set_event(struct words *w)
{
	unsigned n = dice(w->m, 3);
	uint64_t event = some_event(w->m);

	put_value(w, 5, event);
	put(w, CSRRW(0, PMU_CSR_MHPMEVENT3 + n, 5));
	if (w->m->g->xlen == 64)
		return;
	put_value(w, 5, event >> 32);
	put(w, CSRRW(0, PMU_CSR_MHPMEVENT3H + n, 5));
}

static void set_satp(struct words *w)
{
	put_value(w, 5, some_satp(w->m));
	put(w, CSRRW(0, PMU_CSR_SATP, 5));
}

static void set_timer(struct words *w)
{
	put(w, CSRRS(5, PMU_CSR_TIME, 0));
	put(w, ADDI(5, 5, (int)dice(w->m, 30)));
	put(w, CSRRW(0, PMU_CSR_STIMECMP, 5));
}

/* Translations */

/* Register 6 has an address of the page. */
static void put_fence(struct words *w)
{
	switch (dice(w->m, 12)) {
	case 0:
		put(w, SFENCE_VMA(0, 0));
		break;
	case 1:
		put(w, SFENCE_VMA(0, 5));
		break;
	case 2:
		put(w, SFENCE_VMA(6, 5));
		break;
	case 3:
		put(w, SINVAL_VMA(6, 0));
		break;
	case 4:
		put_value(w, 7, some_page(w->m));
		put(w, SFENCE_VMA(7, 0));
		break;
	case 5:
	case 6:
		break;
	default:
		put(w, SFENCE_VMA(6, 0));
		break;
	}
}

/* A load, store, atomic or call at register 6. */
static void put_touch(struct words *w)
{
	int off = (int)dice(w->m, 512) * 4;

	if (one_in(w->m, 8))
		off = PAGE / 2 - 1;
	switch (dice(w->m, 5)) {
	case 0:
		put(w, SW(reg(w), 6, off));
		break;
	case 1:
		put(w, AMOADD_W(reg(w), 6, reg(w)));
		break;
	case 2:
		put(w, JALR(1, 6, off));
		break;
	default:
		put(w, LW(reg(w), 6, off));
		break;
	}
}

/* A page that was used a moment ago is another one. */
static void change_page(struct words *w)
{
	uint64_t at = some_page(w->m);
	unsigned page = (unsigned)(at - S_WINDOW) / PAGE % AT_END;
	bool user = at >= U_WINDOW;

	put_value(w, 6, at + dice(w->m, 16) * 4);
	put_touch(w);
	put_value(w, 5, one_in(w->m, 6) ? 0 : some_entry(w->m, page, user));
	put(w, store_x(w->m, 5, REG_TABLE, (int)(page * word_size(w->m))));
	put_fence(w);
	put_touch(w);
}

/* Code that nobody has accessed as yet. */
static void rob_code(struct words *w)
{
	unsigned page = dice(w->m, N_CODE), user = dice(w->m, 2);
	uint64_t window = user ? U_WINDOW : S_WINDOW;

	put_value(w, 6, window + (AT_CODE + page) * PAGE);
	put_value(w, 5, some_entry(w->m, page, user) & ~UINT64_C(0xc0));
	put(w, store_x(w->m, 5, REG_TABLE, (int)(page * word_size(w->m))));
	put(w, SFENCE_VMA(6, 0));
}

/* Its A and D, among others. */
static void read_entry(struct words *w)
{
	unsigned page =
		one_in(w->m, 2) ? dice(w->m, N_CODE) : AT_DATA + dice(w->m, 4);

	put(w, load_x(w->m, 5, REG_TABLE, (int)(page * word_size(w->m))));
	put(w, SW(5, REG_DATA, (int)dice(w->m, 256) * 4));
}

static void change_super(struct words *w)
{
	uint64_t at = ANY_SUPER;
	unsigned shift = w->m->g->xlen == 32 ? 22 : 21;

	if (w->m->g->xlen == 32)
		at += w->m->g->base & 0x3fffff;
	put_value(w, 6, at + (DATA_PAGE + dice(w->m, N_DATA)) * PAGE);
	put_value(w, 5, some_super(w->m));
	put(w, store_x(w->m, 5, REG_ROOT,
		       (int)((ANY_SUPER - S_WINDOW) >> shift) *
			       (int)word_size(w->m)));
	put_fence(w);
	put_touch(w);
}

static void touch(struct words *w)
{
	put_value(w, 6, some_page(w->m));
	if (one_in(w->m, 3))
		put_fence(w);
	put_touch(w);
}

/* An address that is another page's, or may not be used, by the time of SC. */
static void reserve(struct words *w)
{
	const uint32_t wide = w->m->g->xlen == 64 ? 1u << 12 : 0;
	uint32_t size = one_in(w->m, 2) ? wide : 0;

	put_value(w, 6, some_page(w->m) + dice(w->m, 8) * 8);
	put(w, LR_W(10, 6) | size);
	switch (dice(w->m, 5)) {
	case 0:
		set_satp(w);
		break;
	case 1:
		put_fence(w);
		break;
	case 2:
		change_bit(w);
		break;
	case 3:
		put_value(w, 5, UINT64_C(1) << 17); /* MPRV */
		put(w, CSR_OP(2, 0, PMU_CSR_MSTATUS, 5));
		break;
	default:
		size ^= wide;
		break;
	}
	put(w, SC_W(7, 6, 10) | size);
}

/* Where it goes */

static void call(struct words *w)
{
	put_value(w, 6, some_code(w->m));
	put(w, JALR(dice(w->m, 2), 6, 0));
}

/* So often that code which counts by itself is what counts. */
static void loop(struct words *w)
{
	uint32_t *from;

	put(w, ADDI(7, 0, 2 + (int)dice(w->m, one_in(w->m, 4) ? 1500 : 60)));
	from = w->at;
	for (unsigned n = dice(w->m, 4); n--;)
		switch (dice(w->m, 4)) {
		case 0:
			put(w, LW(10, REG_DATA, 8));
			break;
		case 1:
			put(w, SW(10, REG_DATA, 12));
			break;
		case 2:
			put(w, BEQ(10, 11, 4));
			break;
		default:
			put(w, ADD(10, 10, 11));
			break;
		}
	put(w, ADDI(7, 7, -1));
	put(w, BNE(7, 0, (int)(from - w->at) * 4));
}

static void leave(struct words *w)
{
	static const uint32_t insns[] = { ECALL, EBREAK,  WFI,	WFI,
					  WFI,	 FENCE_I, MRET, SRET };

	put(w, PICK(w, insns));
}

/* CLINT: an IPI to any hart. */
static void signal(struct words *w)
{
	put_value(w, 6, 0x02000000 + 4 * dice(w->m, w->m->g->harts));
	put(w, ADDI(5, 0, 1));
	put(w, SW(5, 6, 0));
}

/* Calls of the firmware: register 17 its extension, 16 its function. */
enum {
	UP_TO = 1 << 8, /* and so much */
	COUNTER = 1 << 9,
	NEAR, /* overflow */
	EVENT,
};
#define PMU 0x504d55

static const struct call_row {
	uint32_t eid;
	uint8_t fid;
	int16_t arg[4]; /* 10 to 13 */
} call_rows[] = {
	{ PMU, 2, { COUNTER, 1, 0, EVENT } }, /* counter_config_matching */
	{ PMU, 2, { COUNTER, 1, 0, EVENT } },
	{ PMU, 2, { 0, -1, UP_TO + 7, EVENT } },
	{ PMU, 3, { COUNTER, 1, 1, NEAR } }, /* counter_start */
	{ PMU, 3, { COUNTER, 1, 1, NEAR } },
	{ PMU, 3, { COUNTER, UP_TO + 7, UP_TO + 1, NEAR } },
	{ PMU, 4, { COUNTER, 1, UP_TO + 3, 0 } }, /* counter_stop */
	{ PMU, 1, { UP_TO + 40, 0, 0, 0 } },
	{ 0x735049, 0, { UP_TO + 15, 0, 0, 0 } },    /* IPI */
	{ 0x52464e43, 0, { UP_TO + 15, 0, 0, 0 } },  /* RFENCE: fence.i */
	{ 0x4442434e, 2, { UP_TO + 127, 0, 0, 0 } }, /* DBCN */
	{ 0x48534d, 2, { UP_TO + 4, 0, 0, 0 } },     /* HSM: status */
	{ 0x48534d, 3, { 0, 0, 0, 0 } },	     /* suspend */
};

static int call_arg(struct words *w, int16_t arg)
{
	switch (arg) {
	case COUNTER:
		return 3 + (int)dice(w->m, 3);
	case NEAR:
		return -1 - (int)dice(w->m, one_in(w->m, 2) ? 20 : 500);
	case EVENT:
		return 1 + (int)dice(w->m, 5);
	default:
		return arg > UP_TO ? (int)dice(w->m, 1u + arg - UP_TO) : arg;
	}
}

static void ask_firmware(struct words *w)
{
	const struct call_row *row = &PICK(w, call_rows);

	put_value(w, 17, row->eid);
	put(w, ADDI(16, 0, row->fid));
	for (unsigned i = 0; i < 4; i++)
		put(w, ADDI(10 + i, 0, call_arg(w, row->arg[i])));
	if (row->arg[3] == NEAR && w->m->g->xlen == 32)
		put(w, ADDI(14, 0, -1));
	put(w, ECALL);
}

/* RFENCE by start and size: of the pages that change, or of others. */
static void fence_remotely(struct words *w)
{
	put_value(w, 17, 0x52464e43);
	put(w, ADDI(16, 0, 1 + (int)dice(w->m, 2)));
	put(w, ADDI(10, 0, (int)dice(w->m, 16)));
	put(w, ADDI(11, 0, 0));
	put_value(w, 12, some_page(w->m));
	put_value(w, 13,
		  one_in(w->m, 6) ? UINT64_MAX
				  : dice(w->m, 4) * UINT64_C(2048));
	put(w, ECALL);
}

/* What it makes of its own end: more and fewer instructions, and others. */
static void write_own(struct words *w)
{
	static const uint32_t ends[] = {
		PAIR(C_NOP, C_NOP), ADDI(0, 0, 0),	 LW(10, REG_DATA, 0),
		JALR(0, 1, 0),	    SW(0, REG_DATA, 0),	 0,
		PAIR(C_NOP, 0x13),  FLW(1, REG_DATA, 0), ECALL,
	};
	uint64_t word = PICK(w, ends);
	int at = PROGRAM_OWN +
		 (int)dice(w->m, PROGRAM_OWN_BLOCKS) * PROGRAM_OWN_SIZE;

	put_value(w, 5, word | word << 32);
	put(w, ADDI(6, REG_ALIAS, 2));
	put(w, FENCE_I);
	put(w, JALR(1, REG_PATCH, at));
}

size_t privileged_make(const struct program_more *more, uint32_t *ret)
{
	static void (*const makers[])(struct words *) = {
		read_counter,	read_counter, read_state,   change_bit,
		change_bit,	set_counter,  set_counter,  set_event,
		set_satp,	set_timer,    change_page,  change_page,
		rob_code,	read_entry,   change_page,  change_super,
		touch,		touch,	      reserve,	    call,
		loop,		loop,	      loop,	    leave,
		signal,		ask_firmware, ask_firmware, ask_firmware,
		fence_remotely, write_own,    write_own,
	};
	struct words w = { more->arg, ret };

	PICK(&w, makers)(&w);
	return (size_t)(w.at - ret);
}
