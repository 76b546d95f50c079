/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the oracle's CSRs show, what a write makes of them, and what the
 * writing instruction itself counts. Who may is oracle-access.c's.
 */
#include "oracle-inside.h"

#define OF_BIT BIT(63)

/* mcyclecfg is 0x321 but of counter 0. */
static unsigned counter_of_event(uint16_t num)
{
	return COUNTER_ID(num) == 1 ? 0 : COUNTER_ID(num);
}

/* What a CSR is made of: a 64-bit register and the part it shows. */
struct place {
	enum {
		AT_NOTHING,
		AT_VALUE,
		AT_EVENT,
		AT_PLAIN
	} what;
	unsigned n;
	bool high, hides_minh;
	uint16_t num;
};

static struct place place_of(const struct oracle *o, enum kind kind,
			     uint16_t num)
{
	struct place p = { .n = COUNTER_ID(num), .num = num };
	unsigned reg = oracle_ireg(num);

	switch (kind) {
	case USER_HIGH:
	case VALUE_HIGH:
		p.high = true;
		p.what = AT_VALUE;
		break;
	case USER_LOW:
	case VALUE_LOW:
		p.what = AT_VALUE;
		break;
	case EVENT_HIGH:
		p.high = true;
		p.what = AT_EVENT;
		p.n = counter_of_event(num);
		break;
	case EVENT_LOW:
		p.what = AT_EVENT;
		p.n = counter_of_event(num);
		break;
	case INDIRECT:
		p.n = (unsigned)o->siselect - 0x40;
		p.high = reg == 4 || reg == 5;
		p.what = reg == 2 || reg == 5 ? AT_EVENT : AT_VALUE;
		p.hides_minh = p.what == AT_EVENT &&
			       (p.n < 3 || oracle_has(o, PMU_EXT_SSCOFPMF));
		break;
	case PLAIN:
		p.what = AT_PLAIN;
		break;
	case VS_INDIRECT:
	case NONE:
		break;
	}
	return p;
}

static bool guest_view(const struct oracle *o)
{
	return o->mode == PMU_MODE_VS;
}

/* 0: all of it; what V = 1 sees under the same number is not modelled. */
static uint64_t plain_read(const struct oracle *o, uint16_t num)
{
	uint64_t lcofi = BIT(LCOFI);

	switch (num) {
	case SCOUNTEREN:
		return o->scounteren;
	case MCOUNTEREN:
		return o->mcounteren;
	case HCOUNTEREN:
		return o->hcounteren;
	case MCOUNTINHIBIT:
		return o->inhibit;
	case SCOUNTINHIBIT:
		return o->inhibit & o->mcounteren & ~UINT32_C(2);
	case SISELECT:
		return guest_view(o) ? o->vsiselect : o->siselect;
	case VSISELECT:
		return o->vsiselect;
	case MIDELEG:
		return o->delegated ? lcofi : 0;
	case MIE:
		return o->lcofie ? lcofi : 0;
	case MIP:
		return o->lcofip ? lcofi : 0;
	case SIE:
		return o->delegated && o->lcofie ? lcofi : 0;
	case SIP:
		return o->delegated && o->lcofip ? lcofi : 0;
	case MENVCFG:
	case MENVCFGH:
		return o->cde ? BIT(CDE) : 0;
	case MSTATEEN0:
	case MSTATEEN0H:
		return o->mstateen;
	case HSTATEEN0:
	case HSTATEEN0H:
		return o->mstateen & o->hstateen;
	case SCOUNTOVF:
		if (o->mode == PMU_MODE_M)
			return oracle_of(o);
		return oracle_of(o) & o->mcounteren &
		       (guest_view(o) ? o->hcounteren : UINT32_MAX);
	default:
		return 0;
	}
}

/* The bits of a plain CSR that are this model's. */
static uint64_t plain_known(uint16_t num)
{
	switch (num) {
	case MIDELEG:
	case MIE:
	case MIP:
	case SIE:
	case SIP:
		return BIT(LCOFI);
	case MENVCFG:
	case MENVCFGH:
		return BIT(CDE);
	case MSTATEEN0:
	case MSTATEEN0H:
	case HSTATEEN0:
	case HSTATEEN0H:
		return BIT(SE) | BIT(CSRIND);
	default:
		return UINT64_MAX;
	}
}

static bool plain_high(uint16_t num)
{
	return num == MENVCFGH || num == MSTATEEN0H || num == HSTATEEN0H;
}

static uint64_t full_read(const struct oracle *o, const struct place *p)
{
	uint64_t value;

	switch (p->what) {
	case AT_VALUE:
		return o->value[p->n];
	case AT_EVENT:
		value = o->event[p->n];
		return p->hides_minh ? value & ~BIT(MINH) : value;
	case AT_PLAIN:
		return plain_read(o, p->num);
	case AT_NOTHING:
		break;
	}
	return 0;
}

static uint64_t shown(const struct oracle *o, const struct place *p,
		      uint64_t full)
{
	if (!rv32(o))
		return full;
	if (p->high || (p->what == AT_PLAIN && plain_high(p->num)))
		return full >> 32;
	return full & UINT32_MAX;
}

static uint64_t event_bits(const struct oracle *o, unsigned n)
{
	uint64_t filters = BIT(MINH);

	if (oracle_has(o, PMU_EXT_S))
		filters |= BIT(61);
	if (oracle_has(o, PMU_EXT_U))
		filters |= BIT(60);
	if (oracle_has(o, PMU_EXT_H))
		filters |= BIT(59) | BIT(58);
	if (!oracle_mask(o, n))
		return 0;
	if (n < 3)
		return oracle_has(o, PMU_EXT_SMCNTRPMF) ? filters : 0;
	if (oracle_has(o, PMU_EXT_SSCOFPMF))
		return OF_BIT | filters | (BIT(56) - 1);
	return rv32(o) ? UINT32_MAX : UINT64_MAX;
}

/* Without @writable the bits of hpmcounters need not be: here they are not. */
static uint32_t enable_bits(const struct oracle *o, uint32_t writable)
{
	uint32_t bits = oracle_has(o, PMU_EXT_ZICNTR) ? 7 : 0;

	if (oracle_has(o, PMU_EXT_ZIHPM | writable))
		bits |= ~7u;
	return bits;
}

static uint32_t inhibit_bits(const struct oracle *o)
{
	uint32_t bits = 0;

	for (unsigned n = 0; n < PMU_N_COUNTERS; n++)
		if (oracle_mask(o, n))
			bits |= UINT32_C(1) << n;
	return bits;
}

/* SE, and CSRIND where there is something to select. */
static uint64_t stateen_bits(const struct oracle *o)
{
	return BIT(SE) | (oracle_has(o, PMU_EXT_SMCSRIND) ? BIT(CSRIND) : 0);
}

/* mideleg, mie, mip and what S-mode sees of them: the LCOFI alone. */
static void irq_write(struct oracle *o, uint16_t num, uint64_t value)
{
	bool lcofi = oracle_has(o, PMU_EXT_SSCOFPMF) && value >> LCOFI & 1;

	if (num == MIDELEG)
		o->delegated = lcofi;
	if (num == MIE || (num == SIE && o->delegated))
		o->lcofie = lcofi;
	if (num == MIP || (num == SIP && o->delegated))
		o->lcofip = lcofi;
}

static void enable_write(struct oracle *o, uint16_t num, uint32_t value)
{
	if (num == SCOUNTEREN)
		o->scounteren = value & enable_bits(o, PMU_EXT_SSCOUNTERENW);
	if (num == HCOUNTEREN)
		o->hcounteren = value & enable_bits(o, PMU_EXT_SHCOUNTERENW);
	if (num == MCOUNTEREN)
		o->mcounteren = value & enable_bits(o, 0);
}

/* scountinhibit leaves what is not delegated alone (C131). */
static void inhibit_write(struct oracle *o, uint16_t num, uint32_t value)
{
	uint32_t mine = UINT32_MAX;

	if (num == SCOUNTINHIBIT)
		mine = o->mcounteren & ~UINT32_C(2);
	o->inhibit = ((o->inhibit & ~mine) | (value & mine)) & inhibit_bits(o);
}

/* Where mstateen0 has 0, hstateen0 keeps its bit (C171). */
static void stateen_write(struct oracle *o, uint16_t num, uint64_t value)
{
	if (num == MSTATEEN0 || num == MSTATEEN0H)
		o->mstateen = value & stateen_bits(o);
	else
		o->hstateen =
			(o->hstateen & ~o->mstateen) | (value & o->mstateen);
}

static void plain_write(struct oracle *o, uint16_t num, uint64_t value)
{
	switch (num) {
	case SCOUNTEREN:
	case MCOUNTEREN:
	case HCOUNTEREN:
		enable_write(o, num, (uint32_t)value);
		break;
	case MCOUNTINHIBIT:
	case SCOUNTINHIBIT:
		inhibit_write(o, num, (uint32_t)value);
		break;
	case SISELECT:
	case VSISELECT:
		if (num == VSISELECT || guest_view(o))
			o->vsiselect = value;
		else
			o->siselect = value;
		break;
	case MENVCFG:
	case MENVCFGH:
		o->cde = oracle_has(o, PMU_EXT_SMCDELEG) && value >> CDE & 1;
		break;
	case MSTATEEN0:
	case MSTATEEN0H:
	case HSTATEEN0:
	case HSTATEEN0H:
		stateen_write(o, num, value);
		break;
	default:
		irq_write(o, num, value);
		break;
	}
}

static void full_write(struct oracle *o, const struct place *p, uint64_t value)
{
	uint64_t bits;

	switch (p->what) {
	case AT_VALUE:
		o->value[p->n] = value & oracle_mask(o, p->n);
		break;
	case AT_EVENT:
		bits = event_bits(o, p->n);
		if (p->hides_minh)
			bits &= ~BIT(MINH);
		o->event[p->n] = (o->event[p->n] & ~bits) | (value & bits);
		break;
	case AT_PLAIN:
		plain_write(o, p->num, value);
		break;
	case AT_NOTHING:
		break;
	}
}

static uint64_t combine(const struct oracle_access *a, uint64_t old)
{
	switch (a->op) {
	case PMU_CSR_SET:
		return old | a->value;
	case PMU_CSR_CLEAR:
		return old & ~a->value;
	case PMU_CSR_WRITE:
		break;
	}
	return a->value;
}

/* A half replaces its half; the other one is as it was (C138). */
static uint64_t merged(const struct oracle *o, const struct place *p,
		       uint64_t full, uint64_t part)
{
	if (!rv32(o))
		return part;
	if (p->high || (p->what == AT_PLAIN && plain_high(p->num)))
		return part << 32 | (full & UINT32_MAX);
	return (full & ~(uint64_t)UINT32_MAX) | (part & UINT32_MAX);
}

/*
 * The instruction retires under what was configured before it (C160). The
 * counter that it writes does not take part (C117); one whose event it writes
 * counts, but its overflow is what is written (C161). A request of another
 * outlives the write.
 */
static void retire(struct oracle *o, const struct place *p, uint64_t value)
{
	uint64_t keep = o->value[p->n];
	bool was_pending = o->lcofip;
	uint32_t own = UINT32_C(1) << p->n, before = o->overflows;
	bool others;

	o->overflows = 0;
	o->lcofip = false;
	oracle_retire(o);
	others = o->overflows & ~own;
	if (p->what == AT_VALUE && oracle_mask(o, p->n)) {
		if (o->overflows & own)
			o->event[p->n] &= ~OF_BIT;
		o->value[p->n] = keep;
		o->overflows &= ~own;
	} else if (p->what == AT_EVENT && o->overflows & own) {
		o->event[p->n] &= ~OF_BIT;
		o->overflows &= ~own;
	} else {
		others = o->overflows != 0;
	}
	o->overflows |= before;
	o->lcofip = was_pending;
	full_write(o, p, value);
	o->lcofip |= others;
}

void oracle_csr(struct oracle *o, struct oracle_access *a)
{
	enum kind kind = oracle_kind(o, a->num);
	struct place p = place_of(o, kind, a->num);
	uint64_t full, value;

	a->result = oracle_check(o, kind, a);
	a->unknown = is_virtual(o) && kind == PLAIN &&
		     (a->num == SIP || a->num == SIE);
	if (a->unknown || a->result != PMU_CSR_OK)
		return;
	full = full_read(o, &p);
	a->old = shown(o, &p, full);
	if (!a->write || a->num >> 10 == 3) {
		oracle_retire(o);
		return;
	}
	value = merged(o, &p, full, combine(a, a->old));
	retire(o, &p, value);
}

uint64_t oracle_known(uint16_t num)
{
	return plain_known(num);
}
