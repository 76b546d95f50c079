/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The generator of program.h. Every maker emits at most MAX_BYTES and touches
 * only registers 5-7 and 10-17, so that the fixed ones keep their use.
 */
#include "program.h"

#include <string.h>

#include "asm.h"

enum {
	MAX_BYTES = 4 * PROGRAM_WORDS
};

struct out {
	struct rng *rng;
	uint8_t xlen;
	uint8_t *at;
	size_t left; /* bytes up to the end of the code */
	const struct program_more *more;
};

uint32_t rng_next(struct rng *rng)
{
	rng->state = rng->state * UINT64_C(6364136223846793005) +
		     UINT64_C(1442695040888963407);
	return (uint32_t)(rng->state >> 32);
}

uint32_t rng_below(struct rng *rng, uint32_t n)
{
	return (uint32_t)((uint64_t)rng_next(rng) * n >> 32);
}

static void put2(struct out *o, uint32_t half)
{
	uint16_t h = (uint16_t)half;

	memcpy(o->at, &h, sizeof(h));
	o->at += 2;
	o->left -= 2;
}

static void put4(struct out *o, uint32_t word)
{
	put2(o, word);
	put2(o, word >> 16);
}

static unsigned reg(struct out *o)
{
	static const uint8_t regs[] = {
		5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17
	};

	return regs[rng_below(o->rng, sizeof(regs))];
}

static int offset(struct out *o)
{
	return (int)rng_below(o->rng, 4096) - 2048;
}

static void alu(struct out *o)
{
	switch (rng_below(o->rng, 4)) {
	case 0:
		put4(o, ADDI(reg(o), reg(o), offset(o)));
		break;
	case 1:
		put4(o, ADD(reg(o), reg(o), reg(o)));
		break;
	case 2:
		put4(o, MUL(reg(o), reg(o), reg(o)));
		break;
	default:
		put4(o, ASM_R(0x33, 13, reg(o), reg(o), reg(o)));
		break;
	}
}

static void compressed(struct out *o)
{
	switch (rng_below(o->rng, 4)) {
	case 0:
		put2(o, C_LW(2 + rng_below(o->rng, 6), 0));
		break;
	case 1:
		put2(o, C_SW(2 + rng_below(o->rng, 6), 0));
		break;
	default:
		put2(o, C_INC(reg(o)));
		break;
	}
}

static void load(struct out *o)
{
	unsigned f3 = rng_below(o->rng, o->xlen == 64 ? 7 : 6);

	if (o->xlen == 32 && f3 == 3)
		f3 = 2;
	put4(o, ASM_I(0x03, f3, reg(o), REG_DATA, offset(o)));
}

static void store(struct out *o)
{
	int off = offset(o);
	unsigned f3 = rng_below(o->rng, o->xlen == 64 ? 4 : 3);

	put4(o, ASM_S(0x23, f3, REG_DATA, reg(o), off));
}

/* What makes .D of an LR.W, SC.W or AMO of a word, at times. */
static uint32_t wide(struct out *o)
{
	return o->xlen == 64 ? rng_below(o->rng, 2) << 12 : 0;
}

/* What may come between an LR into @rd and its SC. */
static void between(struct out *o, unsigned rd)
{
	switch (rng_below(o->rng, 5)) {
	case 0:
		put4(o, ADDI(rd, rd, 1));
		break;
	case 1:
		put4(o, ECALL);
		break;
	case 2: /* another block */
		put4(o, BEQ(rd, rd, 4));
		break;
	case 3:
		put4(o, CSRRS(reg(o), PMU_CSR_MSTATUS, 0));
		break;
	default:
		break;
	}
}

static void atomic(struct out *o)
{
	unsigned base = reg(o), rd = reg(o), off = rng_below(o->rng, 32) * 8;

	/* now and then the other half, or misaligned */
	if (rng_below(o->rng, 4) == 0)
		off += 2u << rng_below(o->rng, 2);
	put4(o, ADDI(base, REG_DATA, (int)off));
	switch (rng_below(o->rng, 4)) {
	case 0:
		put4(o, AMOADD_W(rd, base, reg(o)) | wide(o));
		break;
	case 1:
		put4(o, LR_W(rd, base) | wide(o));
		break;
	case 2:
		put4(o, SC_W(rd, base, reg(o)) | wide(o));
		break;
	default:
		put4(o, LR_W(rd, base) | wide(o));
		between(o, rd);
		put4(o, SC_W(reg(o), base, rd) | wide(o));
		break;
	}
}

static void branch(struct out *o)
{
	unsigned f3 = (unsigned[]){ 0, 1, 4, 5, 6, 7 }[rng_below(o->rng, 6)];
	int off = ((int)rng_below(o->rng, 64) - 24) * 2;

	put4(o, ASM_B(f3, reg(o), reg(o), off ? off : 8));
}

static void jump(struct out *o)
{
	int off = ((int)rng_below(o->rng, 4096) - 2048) * 2;

	put4(o, JAL(rng_below(o->rng, 2), off ? off : 8));
}

static void floating(struct out *o)
{
	unsigned a = rng_below(o->rng, 8), b = rng_below(o->rng, 8);
	int off = offset(o);

	switch (rng_below(o->rng, 6)) {
	case 0:
		put4(o, FMV_W_X(a, reg(o)));
		break;
	case 1:
		put4(o, FADD_S(a, b, rng_below(o->rng, 8)));
		break;
	case 2:
		put4(o, FDIV_S(a, b, rng_below(o->rng, 8)));
		break;
	case 3:
		put4(o, FLW(a, REG_DATA, off));
		break;
	case 4:
		put4(o, FSD(a, REG_DATA, off));
		break;
	default:
		put4(o, CSRRW(reg(o), PMU_CSR_FFLAGS,
			      rng_below(o->rng, 2) ? 0 : reg(o)));
		break;
	}
}

static void device(struct out *o)
{
	int off = (int)rng_below(o->rng, 16) * 4;

	if (rng_below(o->rng, 8) == 0)
		off++;
	switch (rng_below(o->rng, 4)) {
	case 0:
		put4(o, ASM_I(0x03, rng_below(o->rng, 3), reg(o), REG_DEVICE,
			      off));
		break;
	case 1:
		put4(o, FLW(rng_below(o->rng, 8), REG_DEVICE, off));
		break;
	default:
		put4(o, ASM_S(0x23, rng_below(o->rng, 3), REG_DEVICE, reg(o),
			      off));
		break;
	}
}

static void trap(struct out *o)
{
	int off = offset(o);

	switch (rng_below(o->rng, 8)) {
	case 0:
		put4(o, ECALL);
		break;
	case 1:
		put4(o, CSRRS(reg(o), PMU_CSR_MSTATUS, 0));
		break;
	case 2:
		put4(o, CSRRS(reg(o), PMU_CSR_CYCLE, 0));
		break;
	case 3:
		put4(o, CSRRW(reg(o), PMU_CSR_INSTRET, reg(o)));
		break;
	case 4:
		put2(o, C_ILLEGAL);
		break;
	case 5:
		put4(o, LW(reg(o), REG_NOWHERE, off));
		break;
	case 6:
		put4(o, JALR(1, REG_NOWHERE, off & ~1));
		break;
	default:
		put4(o, SW(reg(o), REG_NOWHERE, off));
		break;
	}
}

/* Writes addi x10, x10, n into the patch page and calls it. */
static void patch(struct out *o)
{
	uint32_t word = ADDI(10, 10, (int)rng_below(o->rng, 1000));
	int off = (int)rng_below(o->rng, 16) * 8;

	put4(o, LUI(5, (word + 0x800) >> 12));
	put4(o, ADDI(5, 5, (int)(word & 0xfff)));
	put4(o, SW(5, REG_ALIAS, off));
	if (rng_below(o->rng, 4) == 0)
		put4(o, SW(5, REG_PATCH, off + 8));
	put4(o, FENCE_I);
	put4(o, JALR(1, REG_PATCH, off));
}

static void more(struct out *o)
{
	uint32_t words[PROGRAM_WORDS];
	size_t n = o->more->make(o->more, words);

	for (size_t i = 0; i < n; i++)
		put4(o, words[i]);
}

static void one(struct out *o)
{
	static void (*const makers[])(struct out *) = {
		alu,	alu,	compressed, compressed, compressed,
		load,	load,	store,	    store,	atomic,
		branch, branch, branch,	    floating,	jump,
	};
	static void (*const rare[])(struct out *) = { trap, device, patch };

	if (o->more && rng_below(o->rng, 4) == 0)
		more(o);
	else if (rng_below(o->rng, 12) == 0)
		rare[rng_below(o->rng, 3)](o);
	else
		makers[rng_below(o->rng, sizeof(makers) / sizeof(makers[0]))](
			o);
}

/*
 * A block that writes over itself behind where it faults. What is there may
 * be anything by the next time, and nobody gets there.
 */
static void own_block(struct out *o, unsigned n)
{
	unsigned width = n % (o->xlen == 64 ? 4 : 3);
	int at = PROGRAM_OWN + (int)(n * PROGRAM_OWN_SIZE);

	for (int i = 0; i < 4; i++)
		put4(o, ASM_S(0x23, width, REG_ALIAS, 5,
			      at + 20 + i * (2 + 2 * (int)(n / 4 % 2))));
	put4(o, AMOADD_W(0, 6, 0));
	for (unsigned i = 5; i < PROGRAM_OWN_SIZE / 4 - 1; i++)
		put4(o, i % 3 ? ADDI(10, 10, 1) : LW(10, REG_DATA, 0));
	put4(o, JALR(0, 1, 0));
}

void program_make(const struct program *p)
{
	struct out o = {
		.rng = p->rng,
		.xlen = p->xlen,
		.at = p->code,
		.left = p->size,
		.more = p->more,
	};

	while (o.left >= MAX_BYTES)
		one(&o);
	while (o.left >= 4)
		put4(&o, JAL(0, -(int)rng_below(p->rng, 1024) * 2 - 4));
	/* pairs of addi and a return */
	o.at = p->patch;
	o.left = 4096;
	while (o.left >= 8) {
		put4(&o, ADDI(10, 10, 1));
		put4(&o, JALR(0, 1, 0));
	}
	o.at = p->patch + PROGRAM_OWN;
	o.left = PROGRAM_OWN_BLOCKS * PROGRAM_OWN_SIZE;
	for (unsigned i = 0; i < PROGRAM_OWN_BLOCKS; i++)
		own_block(&o, i);
}
