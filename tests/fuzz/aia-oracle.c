/* SPDX-License-Identifier: BSD-2-Clause */
/* Priorities and views of the Advanced Interrupt Architecture, a second time.
 */
#include "aia-oracle.h"

#include <stddef.h>

#include <pmu/csr.h>

#define BIT(n) (UINT64_C(1) << (n))

enum {
	SEI = 9,
	MEI = 11,
	LOCAL = 13, /* the first local interrupt */
};

static const struct {
	const char *name;
	uint16_t number, high;
} csrs[AIA_N_CSRS] = {
	[A_MIP] = { "mip", 0x344, 0x354 },
	[A_MIE] = { "mie", 0x304, 0x314 },
	[A_MIDELEG] = { "mideleg", 0x303, 0x313 },
	[A_MVIEN] = { "mvien", 0x308, 0x318 },
	[A_MVIP] = { "mvip", 0x309, 0x319 },
	[A_SIP] = { "sip", 0x144, 0x154 },
	[A_SIE] = { "sie", 0x104, 0x114 },
	[A_HIP] = { "hip", 0x644, 0 },
	[A_HIE] = { "hie", 0x604, 0 },
	[A_HIDELEG] = { "hideleg", 0x603, 0x613 },
	[A_HVIEN] = { "hvien", 0x608, 0x618 },
	[A_HVIP] = { "hvip", 0x645, 0x655 },
	[A_HVICTL] = { "hvictl", 0x609, 0 },
	[A_HVIPRIO1] = { "hviprio1", 0x646, 0x656 },
	[A_HVIPRIO2] = { "hviprio2", 0x647, 0x657 },
	[A_HSTATUS] = { "hstatus", 0x600, 0 },
	[A_VSIP] = { "vsip", 0x244, 0x254 },
	[A_VSIE] = { "vsie", 0x204, 0x214 },
};

const char *aia_csr_name(unsigned csr)
{
	return csrs[csr].name;
}

uint16_t aia_csr_number(unsigned csr)
{
	return csrs[csr].number;
}

uint16_t aia_csr_high(unsigned csr)
{
	return csrs[csr].high;
}

static uint64_t peek(const struct pmu_hart *h, uint16_t num)
{
	uint64_t value = 0;

	pmu_csr_peek(h, num, 0, &value);
	return value;
}

/* Registers 0x30 to 0x3f have four priorities each; on RV64 the even ones
 * eight. */
static void look_at_array(struct pmu_hart *h, uint16_t select, uint8_t *ret)
{
	unsigned bytes = pmu_hart_config(h)->xlen / 8, effects = 0;
	uint64_t old = peek(h, select), value;

	for (unsigned first = 0; first < AIA_IRQS; first += bytes) {
		pmu_csr_poke(h, select, 0, 0x30 + first / 4, &effects);
		value = peek(h, select + 1);
		for (unsigned i = 0; i < bytes; i++)
			ret[first + i] = (uint8_t)(value >> 8 * i);
	}
	pmu_csr_poke(h, select, 0, old, &effects);
}

void aia_look(struct pmu_hart *h, struct aia_state *ret)
{
	bool rv32 = pmu_hart_config(h)->xlen == 32;

	for (unsigned i = 0; i < AIA_N_CSRS; i++) {
		ret->csr[i] = peek(h, csrs[i].number);
		if (rv32 && csrs[i].high)
			ret->csr[i] |= peek(h, csrs[i].high) << 32;
	}
	look_at_array(h, 0x350, ret->m);
	look_at_array(h, 0x150, ret->s);
}

/* Table "The standard major interrupt codes", with the plan for the others. */
static const uint8_t default_order[] = {
	47, 23, 46, 45, 22, 44, 43, 21, 42, 41, 20, 40, 11, 3,	7,  9,	1,  5,
	12, 10, 2,  6,	13, 39, 19, 38, 37, 18, 36, 35, 17, 34, 33, 16, 32,
};

static unsigned place(unsigned irq)
{
	unsigned i = 0;

	while (i < sizeof(default_order) && default_order[i] != irq)
		i++;
	return i;
}

/* A candidate for a level, which has an external interrupt. */
struct one {
	unsigned irq, number;
	bool above; /* by default, of the external interrupt */
};

enum {
	ROW_FIRST = 0,
	ROW_BEYOND = 256,
	ROW_LAST = 257
};

/* Its row in the table "Effect of the iprio array". */
static unsigned row_of(const struct one *c, unsigned external)
{
	if (c->number > 255)
		return ROW_BEYOND;
	if (c->number || c->irq == external)
		return c->number;
	return c->above ? ROW_FIRST : ROW_LAST;
}

static uint64_t reported(const struct one *c, unsigned row)
{
	unsigned iprio = row;

	if (row == ROW_LAST || row > 255)
		iprio = 255;
	return (uint64_t)c->irq << 16 | iprio;
}

/* The register for @set: row by row, and in a row by the default order. */
static uint64_t first(uint64_t set, const uint8_t *numbers, unsigned external)
{
	for (unsigned row = ROW_FIRST; row <= ROW_LAST; row++)
		for (unsigned i = 0; i < sizeof(default_order); i++) {
			struct one c = { default_order[i], 0, false };

			if (!(set >> c.irq & 1))
				continue;
			c.number = c.irq == external ? 256 : numbers[c.irq];
			c.above = i < place(external);
			if (row_of(&c, external) == row)
				return reported(&c, row);
		}
	return 0;
}

uint64_t aia_mtopi(const struct aia_state *s)
{
	return first(s->csr[A_MIP] & s->csr[A_MIE] & ~s->csr[A_MIDELEG], s->m,
		     MEI);
}

uint64_t aia_stopi(const struct aia_state *s)
{
	uint64_t set = (s->csr[A_SIP] & s->csr[A_SIE]) |
		       (s->csr[A_HIP] & s->csr[A_HIE]);

	return first(set & ~s->csr[A_HIDELEG], s->s, SEI);
}

/* Byte @i of a register of priorities. */
static uint8_t byte(uint64_t value, unsigned i)
{
	return (uint8_t)(value >> 8 * i);
}

static void guest_array(const struct aia_state *s, uint8_t *ret)
{
	for (unsigned i = 0; i < AIA_IRQS; i++)
		ret[i] = 0;
	ret[1] = byte(s->csr[A_HVIPRIO1], 1);
	ret[5] = byte(s->csr[A_HVIPRIO1], 3);
	ret[13] = byte(s->csr[A_HVIPRIO1], 5);
	for (unsigned i = 0; i < 8; i++)
		ret[16 + i] = byte(s->csr[A_HVIPRIO2], i);
}

/* hvictl's fields */
static bool vti(const struct aia_state *s)
{
	return s->csr[A_HVICTL] & BIT(30);
}

static unsigned iid(const struct aia_state *s)
{
	return s->csr[A_HVICTL] >> 16 & 0xfff;
}

/* The list of candidates: the first three are one, the last two another. */
uint64_t aia_vstopi(const struct aia_state *s)
{
	uint64_t set = s->csr[A_VSIP] & s->csr[A_VSIE], other;
	bool has_external = set & BIT(SEI), has_other = false, first_is_other;
	struct one external = { SEI, 256, false }, o = { 0, 0, false };
	unsigned row_external, row_other = ROW_LAST;
	uint8_t numbers[AIA_IRQS];
	uint64_t ret;

	guest_array(s, numbers);
	if (!(s->csr[A_HSTATUS] >> 12 & 0x3f) && iid(s) == SEI &&
	    byte(s->csr[A_HVICTL], 0))
		external.number = byte(s->csr[A_HVICTL], 0);
	if (vti(s) && iid(s) != SEI) {
		has_other = true;
		o.irq = iid(s);
		o.number = byte(s->csr[A_HVICTL], 0);
		o.above = !(s->csr[A_HVICTL] & BIT(9));
	} else if (!vti(s)) {
		other = first(set & ~BIT(SEI), numbers, SEI);
		has_other = other;
		o.irq = (unsigned)(other >> 16);
		o.number = numbers[o.irq];
		o.above = place(o.irq) < place(SEI);
	}
	if (!has_external && !has_other)
		return 0;
	row_external = row_of(&external, SEI);
	row_other = row_of(&o, SEI);
	first_is_other =
		!has_external ||
		(has_other && (row_other < row_external ||
			       (row_other == row_external && o.above)));
	ret = first_is_other ? reported(&o, row_other)
			     : reported(&external, row_external);
	return s->csr[A_HVICTL] & BIT(8) ? ret : (ret & ~UINT64_C(0xff)) | 1;
}

static bool has_bit(uint64_t word, unsigned n)
{
	return word >> n & 1;
}

/* Tables of mideleg and mvien; 2, 6, 10 and 12 are in hip and hie. */
static const char *wrong_for_s(const struct aia_state *s, unsigned n)
{
	bool hip = n == 2 || n == 6 || n == 10 || n == 12;
	bool given = has_bit(s->csr[A_MVIEN], n);
	bool pending = false, enabled = has_bit(s->csr[A_SIE], n);

	if (!hip && has_bit(s->csr[A_MIDELEG], n)) {
		pending = has_bit(s->csr[A_MIP], n);
		if (enabled != has_bit(s->csr[A_MIE], n))
			return "sie of mideleg";
	} else if (given) {
		pending = has_bit(s->csr[A_MVIP], n);
	} else if (enabled) {
		return "sie of nobody";
	}
	return has_bit(s->csr[A_SIP], n) == pending ? NULL : "sip";
}

/* The table of hideleg and hvien, for 13 to 63. */
static const char *wrong_for_vs(const struct aia_state *s, unsigned n)
{
	bool pending = false, enabled = has_bit(s->csr[A_VSIE], n);

	if (has_bit(s->csr[A_HIDELEG], n)) {
		pending = has_bit(s->csr[A_SIP], n);
		if (enabled != has_bit(s->csr[A_SIE], n))
			return "vsie of hideleg";
		if (!has_bit(s->csr[A_MIDELEG] | s->csr[A_MVIEN], n))
			return "hideleg of nobody";
	} else if (has_bit(s->csr[A_HVIEN], n)) {
		pending = has_bit(s->csr[A_HVIP], n);
	} else if (enabled) {
		return "vsie of nobody";
	}
	return has_bit(s->csr[A_VSIP], n) == pending ? NULL : "vsip";
}

/* SSI, STI and SEI of a guest are VSSI, VSTI and VSEI. */
static const char *wrong_standard(const struct aia_state *s, unsigned n)
{
	bool delegated = has_bit(s->csr[A_HIDELEG], n + 1);

	if (has_bit(s->csr[A_VSIP], n) !=
	    (delegated && has_bit(s->csr[A_HIP], n + 1)))
		return "vsip of hip";
	if (has_bit(s->csr[A_VSIE], n) !=
	    (delegated && has_bit(s->csr[A_HIE], n + 1)))
		return "vsie of hie";
	return NULL;
}

const char *aia_wrong_view(const struct aia_state *s)
{
	const char *wrong = NULL;

	for (unsigned n = 0; n < AIA_IRQS && !wrong; n++) {
		wrong = wrong_for_s(s, n);
		if (!wrong && n >= LOCAL)
			wrong = wrong_for_vs(s, n);
	}
	for (unsigned n = 1; n <= SEI && !wrong; n += 4)
		wrong = wrong_standard(s, n);
	if (!wrong && !has_bit(s->csr[A_MVIEN], 1) &&
	    has_bit(s->csr[A_MVIP], 1) != has_bit(s->csr[A_MIP], 1))
		wrong = "mvip.1";
	return wrong;
}
