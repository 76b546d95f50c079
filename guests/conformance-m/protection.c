/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical memory protection: what real loads, stores, fetches and page-table
 * walks meet. Entries 0 to 2 are tried over two pages of our own, entry 3 lets
 * everything else pass.
 */
#include "protection.h"

#define NAPOT  0x18
#define TOR    0x08
#define LOCKED 0x80
#define NONE   NAPOT
#define RO     (NAPOT | 1)
#define RW     (NAPOT | 3)
#define XO     (NAPOT | 4)
#define RX     (NAPOT | 5)
#define RWX    (NAPOT | 7)

/* At a0; what is loaded is in a2. */
#define LOAD	 0x00052603 /* lw */
#define LOAD_2	 0x00251603 /* lh, 2 bytes behind */
#define STORE	 0x00052023 /* sw zero */
#define AMO	 0x0005262f /* amoadd.w zero */
#define LR	 0x1005262f
#define SC	 0x1805262f
#define HLV	 0x68054673
#define HLVX	 0x68354673
#define HSV	 0x6a054073
#define KEEP_RA	 0x00008313 /* mv t1, ra */
#define CALL	 0x000500e7 /* jalr a0 */
#define BACK_RA	 0x00030093 /* mv ra, t1 */
#define A1_MPRV	 0x000205b7 /* lui a1, 0x20 */
#define MPRV_ON	 CSRRS(0, MSTATUS, A1)
#define MPRV_OFF CSRRC(0, MSTATUS, A1)

enum {
	FETCH_ACCESS = 1,
	LOAD_ACCESS = 5,
	STORE_ACCESS = 7,
	STORE_PAGE = 15,
	HERE = 64,    /* where there is something to call */
	EDGE = 4094,  /* across the two pages */
	LEAF = 0xcf,  /* D A X W R V */
	YOUNG = 0x0f, /* the same without D and A */
};

/* The second is a root table, too. */
static struct {
	uint32_t word[1024];
	unsigned long pte[4096 / sizeof(unsigned long)];
} area __attribute__((aligned(8192)));

#define AT(offset) ((unsigned long)&area + (offset))

/* The entries: one for each page, one for both. */
static struct answer guard(const uint64_t *a)
{
	const uint64_t first[] = { PMPADDR0, AT(0x7ff) >> 2 };
	const uint64_t second[] = { PMPADDR0 + 1, AT(0x17ff) >> 2 };
	const uint64_t both[] = { PMPADDR0 + 2, AT(0xfff) >> 2 };
	const uint64_t rest[] = { PMPADDR0 + 3, ALL };
	const uint64_t cfg[] = { PMPCFG0,
				 a[0] | a[1] << 8 | a[2] << 16 | RWX << 24 };

	wr(first);
	wr(second);
	wr(both);
	wr(rest);
	return wr(cfg);
}

/* Up to pages of the area: @a entry 1 from page a[0] to a[1]. */
static struct answer guard_tor(const uint64_t *a)
{
	const uint64_t from[] = { PMPADDR0, AT(a[0] << 12) >> 2 };
	const uint64_t to[] = { PMPADDR0 + 1, AT(a[1] << 12) >> 2 };
	const uint64_t cfg[] = { PMPCFG0, a[2] << 8 | RWX << 24 };

	wr(from);
	wr(to);
	return wr(cfg);
}

/* Instruction a[1] in mode a[0], a0 being the area's byte a[2]. */
static struct answer touch(const uint64_t *a)
{
	uint64_t code[10] = { AT(a[2]), a[1] };

	if (a[1] == CALL) {
		code[1] = KEEP_RA;
		code[2] = CALL;
		code[3] = BACK_RA;
	}
	if (a[1] == SC) {
		code[1] = LR;
		code[2] = SC;
	}
	area.word[HERE / 4] = 0x8067; /* ret */
	switch (a[0]) {
	case 'S':
		return in_s(code);
	case 'U':
		return in_u(code);
	case 'v':
		return in_vs(code);
	default:
		return in_m(code);
	}
}

/* The same as M-mode with MPRV, MPP being a[0]. */
static struct answer touch_mprv(const uint64_t *a)
{
	const uint64_t code[10] = { AT(a[2]), A1_MPRV, MPRV_ON, a[1],
				    MPRV_OFF };

	csr_clear(mstatus, 0x1800);
	csr_set(mstatus, a[0] == 'S' ? 0x800ul : a[0] == 'M' ? 0x1800ul : 0);
	return in_m(code);
}

/* Where in the area the last exception's address was. */
static struct answer fault_offset(const uint64_t *a)
{
	(void)a;
	return (struct answer){ 0, fault_tval() - AT(0) };
}

/* What U finds in the register of a load that faults, and behind it. */
static struct answer kept(const uint64_t *a)
{
	const uint64_t code[10] = { AT(0),
				    LI(A2, 5),
				    LOAD,
				    0x000015b7 /* lui a1, 1 */,
				    0x00a585b3 /* add a1, a1, a0 */,
				    0x00c5a023 /* sw a2, 0(a1) */ };

	(void)a;
	in_u(code);
	return (struct answer){ 0, area.pte[0] };
}

/* U's loads from M-mode, between them entry 0 loses R and gets it back. */
static struct answer touch_between(const uint64_t *a)
{
	const uint64_t code[10] = { AT(0),
				    A1_MPRV,
				    MPRV_ON,
				    LOAD,
				    CSRRCI(0, PMPCFG0, 1),
				    LOAD,
				    CSRRSI(0, PMPCFG0, 1),
				    LOAD,
				    MPRV_OFF };

	(void)a;
	csr_clear(mstatus, 0x1800);
	return in_m(code);
}

/*
 * satp: the second page leads S to all of RAM by one superpage, its flags
 * being a[0]; 0 turns it off.
 */
static struct answer translate(const uint64_t *a)
{
	unsigned long pa = AT(0) >> BY_XLEN(30, 22);
	unsigned index = (unsigned)pa & BY_XLEN(511, 1023);

	area.pte[index] = (pa << BY_XLEN(28, 20)) | (unsigned long)a[0];
	csr_write(satp,
		  a[0] ? (BY_XLEN(8ul, 1ul) << BY_XLEN(60, 31)) | AT(4096) >> 12
		       : 0);
	__asm__ volatile("sfence.vma" ::: "memory");
	return (struct answer){ 0, 0 };
}

/* The flags of its only entry. */
static struct answer flags(const uint64_t *a)
{
	unsigned index =
		(unsigned)(AT(0) >> BY_XLEN(30, 22)) & BY_XLEN(511, 1023);

	(void)a;
	return (struct answer){ 0, area.pte[index] & 0xff };
}

static const struct step registers[] = {
	CLAIM("the grain is 4 KiB", RULE("pmp_granularity"),
	      BOTH(VAL(0xfffffc00)), in_m, 0xffffffff, CSRRWI(0, PMPCFG0, 0),
	      CSRRW(0, PMPADDR0, A0), CSRR(A0, PMPADDR0)),
	DO(guard, 0, 0, 0),
	CLAIM("NA4 becomes OFF, W without R nothing",
	      RULE("pmp_na4_select_restriction pmp_rwx_warl"),
	      BOTH(VAL(0x1f000005)), warl, PMPCFG0, 0x1f001215),
	CLAIM("pmpcfg0 in S", RULE("pmp_csr_mode"), BOTH(ERR(ILLEGAL)), in_s, 0,
	      CSRR(A0, PMPCFG0)),
	CLAIM("pmpaddr0 in U", RULE("pmp_csr_mode"), BOTH(ERR(ILLEGAL)), in_u,
	      0, CSRRW(0, PMPADDR0, A0)),
	CLAIM("pmpcfg1 is one of RV32's",
	      RULE("pmp_cfg_rv64_illegal pmp_cfg_rv32_layout"),
	      BOTH(BY_XLEN(ERR(ILLEGAL), OK)), rd, PMPCFG0 + 1),
};

static const struct step permissions[] = {
	DO(guard, NONE, 0, 0),
	CLAIM("nothing: a load of S", RULE("pmp_load_fault"),
	      BOTH(ERR(LOAD_ACCESS)), touch, 'S', LOAD, 0),
	CLAIM("nothing: a store of U", RULE("pmp_store_fault"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'U', STORE, 4092),
	CLAIM("nothing: a fetch of S", RULE("pmp_exec_fault"),
	      BOTH(ERR(FETCH_ACCESS)), touch, 'S', CALL, HERE),
	CLAIM("nothing: LR", RULE("pmp_load_fault"), BOTH(ERR(LOAD_ACCESS)),
	      touch, 'U', LR, 0),
	CLAIM("nothing: an AMO", RULE("pmp_store_fault"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'S', AMO, 0),
	CLAIM("nothing: M has all", RULE("pmp_rwx_check"), BOTH(OK), touch, 'M',
	      STORE, 0),
	CLAIM("nothing: M may call", RULE("pmp_rwx_check"), BOTH(OK), touch,
	      'M', CALL, HERE),
	CLAIM("the next page is open", RULE("pmp_entry_priority"), BOTH(OK),
	      touch, 'S', STORE, 4096),
	DO(guard, RO, 0, 0),
	CLAIM("R: a load of U", RULE("pmp_cfg_permissions"), BOTH(OK), touch,
	      'U', LOAD, 0),
	CLAIM("R: a store of S", RULE("pmp_store_fault"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'S', STORE, 0),
	CLAIM("R: an AMO", RULE("pmp_store_fault"), BOTH(ERR(STORE_ACCESS)),
	      touch, 'U', AMO, 0),
	CLAIM("R: LR", RULE("pmp_cfg_permissions"), BOTH(OK), touch, 'U', LR,
	      0),
	CLAIM("R: SC behind LR", RULE("pmp_store_fault"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'U', SC, 0),
	CLAIM("R: a fetch of U", RULE("pmp_exec_fault"),
	      BOTH(ERR(FETCH_ACCESS)), touch, 'U', CALL, HERE),
	DO(guard, RW, 0, 0),
	CLAIM("RW: an AMO", RULE("pmp_cfg_permissions"), BOTH(OK), touch, 'S',
	      AMO, 0),
	CLAIM("RW: a fetch of S", RULE("pmp_exec_fault"),
	      BOTH(ERR(FETCH_ACCESS)), touch, 'S', CALL, HERE),
	DO(guard, XO, 0, 0),
	CLAIM("X: a fetch of U", RULE("pmp_cfg_permissions"), BOTH(OK), touch,
	      'U', CALL, HERE),
	CLAIM("X: a load of U", RULE("pmp_load_fault"), BOTH(ERR(LOAD_ACCESS)),
	      touch, 'U', LOAD, 0),
	DO(guard, RX, 0, NONE),
	CLAIM("the lower entry decides", RULE("pmp_entry_priority"), BOTH(OK),
	      touch, 'S', LOAD, 0),
	CLAIM("behind it the next one", RULE("pmp_entry_priority"),
	      BOTH(ERR(LOAD_ACCESS)), touch, 'S', LOAD, 4096),
	DO(guard_tor, 0, 1, TOR | 1),
	CLAIM("TOR: below its address", RULE("pmp_a_field_tor"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'U', STORE, 4092),
	CLAIM("TOR: not at it", RULE("pmp_a_field_tor"), BOTH(OK), touch, 'U',
	      STORE, 4096),
};

static const struct step edges[] = {
	DO(guard, RWX, NONE, 0),
	CLAIM("a load across the edge fails", RULE("pmp_full_match_required"),
	      BOTH(ERR(LOAD_ACCESS)), touch, 'S', LOAD, EDGE),
	CLAIM("and is told at the byte that does",
	      RULE("pmp_misaligned_access_behavior"), BOTH(VAL(0x1000)),
	      fault_offset, 0),
	CLAIM("a store across it", RULE("pmp_full_match_required"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'S', STORE, EDGE),
	CLAIM("each part asked for on its own: two that allow",
	      RULE("pmp_misaligned_access_behavior"), BOTH(OK), touch, 'M',
	      LOAD, EDGE),
	CLAIM("a load up to the edge", RULE("pmp_full_match_required"),
	      BOTH(OK), touch, 'S', LOAD_2, EDGE - 2),
	DO(guard, RO, RO, 0),
	CLAIM("a load across two entries that let it",
	      RULE("pmp_misaligned_access_behavior"), BOTH(OK), touch, 'U',
	      LOAD, EDGE),
	DO(guard, NONE, 0, 0),
	CLAIM("a load that fails writes no register",
	      RULE("pmp_violation_precise_trap"), BOTH(VAL(5)), kept, 0),
	CLAIM("it is the second instruction, counted from 0",
	      RULE("pmp_violation_precise_trap"), BOTH(VAL(1)), fault_at, 0),
	CLAIM("and what it asked for", RULE("pmp_access_fault_exception"),
	      BOTH(VAL(0)), fault_offset, 0),
};

static const struct step modes[] = {
	DO(guard, RO, 0, 0),
	CLAIM("MPRV and S: a store", RULE("pmp_check_priv_modes"),
	      BOTH(ERR(STORE_ACCESS)), touch_mprv, 'S', STORE, 0),
	CLAIM("MPRV and U: a store", RULE("pmp_check_priv_modes"),
	      BOTH(ERR(STORE_ACCESS)), touch_mprv, 'U', STORE, 0),
	CLAIM("MPRV and U: a load", RULE("pmp_check_priv_modes"), BOTH(OK),
	      touch_mprv, 'U', LOAD, 0),
	CLAIM("MPRV and M: a store", RULE("pmp_check_priv_modes"), BOTH(OK),
	      touch_mprv, 'M', STORE, 0),
};

/* Through the root table in the second page. */
static const struct step tables[] = {
	DO(guard, RWX, RO, 0),
	DO(translate, LEAF),
	CLAIM("a table that S may read", RULE("pmp_check_pagetable_access"),
	      BOTH(OK), touch_mprv, 'S', STORE, 0),
	DO(guard, RWX, XO, 0),
	CLAIM("a table that it may not: a load", RULE("pmp_with_paging"),
	      BOTH(ERR(LOAD_ACCESS)), touch_mprv, 'S', LOAD, 0),
	CLAIM("a table that it may not: a store",
	      RULE("pmp_check_pagetable_access"), BOTH(ERR(STORE_ACCESS)),
	      touch_mprv, 'S', STORE, 0),
	DO(guard, RO, RO, 0),
	CLAIM("behind a table, the page's own entry", RULE("pmp_with_paging"),
	      BOTH(ERR(STORE_ACCESS)), touch_mprv, 'S', STORE, 0),
	DO(guard, RWX, RO, 0),
	DO(in_m, ADUE, CSRRS(0, MENV, A0)),
	DO(translate, YOUNG),
	CLAIM("A and D where S may not write",
	      RULE("pmp_check_pagetable_access"), BOTH(ERR(STORE_ACCESS)),
	      touch_mprv, 'S', STORE, 0),
	CLAIM("stay as they are", RULE("pmp_check_pagetable_access"),
	      BOTH(VAL(YOUNG)), flags, 0),
	DO(guard, RWX, RW, 0),
	CLAIM("A and D where it may", RULE("pmp_check_pagetable_access"),
	      BOTH(OK), touch_mprv, 'S', STORE, 0),
	CLAIM("are set", RULE("pmp_check_pagetable_access"), BOTH(VAL(LEAF)),
	      flags, 0),
	DO(in_m, ADUE, CSRRC(0, MENV, A0)),
	DO(translate, 0),
};

/* Between two loads as U, from M-mode: the second meets the new registers. */
static const struct step writes[] = {
	DO(guard, RO, 0, 0),
	CLAIM("a write acts at the next instruction",
	      RULE("pmp_sfence_required"), BOTH(ERR(LOAD_ACCESS)),
	      touch_between, 0),
	CLAIM("and no later one", RULE("pmp_sfence_required"), BOTH(VAL(4)),
	      fault_at, 0),
};

static const struct step guests[] = {
	DO(guard, RO, 0, 0),
	CLAIM("VS: a load", RULE("H_pmp"), BOTH(OK), touch, 'v', LOAD, 0),
	CLAIM("VS: a store", RULE("H_pmp"), BOTH(ERR(STORE_ACCESS)), touch, 'v',
	      STORE, 0),
	CLAIM("HLV", RULE("H_pmp"), BOTH(OK), touch, 'M', HLV, 0),
	CLAIM("HSV", RULE("H_pmp"), BOTH(ERR(STORE_ACCESS)), touch, 'M', HSV,
	      0),
	DO(guard, XO, 0, 0),
	CLAIM("HLV of what may only be executed", RULE("H_pmp"),
	      BOTH(ERR(LOAD_ACCESS)), touch, 'M', HLV, 0),
	CLAIM("HLVX of what may only be executed", RULE("H_pmp"),
	      BOTH(ERR(LOAD_ACCESS)), touch, 'M', HLVX, 0),
};

/* For good: the second page, which nothing else needs. */
static const struct step locks[] = {
	DO(guard, RWX, LOCKED | RO, 0),
	CLAIM("locked: a load of M", RULE("pmp_l_bit_m_mode_enforcement"),
	      BOTH(OK), touch, 'M', LOAD, 4096),
	CLAIM("locked: a store of M",
	      RULE("pmp_l_bit_m_mode_enforcement pmp_mmode_locking"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'M', STORE, 4096),
	CLAIM("locked: a fetch of M", RULE("pmp_l_bit_m_mode_enforcement"),
	      BOTH(ERR(FETCH_ACCESS)), touch, 'M', CALL, 4096),
	CLAIM("locked: MPRV and M", RULE("pmp_l_bit_m_mode_enforcement"),
	      BOTH(ERR(STORE_ACCESS)), touch_mprv, 'M', STORE, 4096),
	DO(guard, RWX, RWX, 0),
	CLAIM("a locked entry stays", RULE("pmp_l_bit_write_protection"),
	      BOTH(VAL(0x1f00991f)), rd, PMPCFG0),
	CLAIM("and holds for S", RULE("pmp_l_bit_write_protection"),
	      BOTH(ERR(STORE_ACCESS)), touch, 'S', STORE, 4096),
};

void chapter_protection(void)
{
	TAP_STEPS("protection", registers);
	TAP_STEPS("protection", permissions);
	TAP_STEPS("protection", edges);
	TAP_STEPS("protection", modes);
	TAP_STEPS("protection", tables);
	TAP_STEPS("protection", writes);
	if (known.hypervisor)
		TAP_STEPS("protection", guests);
	TAP_STEPS("protection", locks);
}
