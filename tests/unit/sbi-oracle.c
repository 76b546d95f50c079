/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How sets, flags and values follow from the table.
 */
#include "sbi-oracle.h"

enum {
	FILTERS = VUINH | VSINH | UINH | SINH | MINH,
	CYCLES = 1,
	INSTRUCTIONS = 2
};

void oracle_init(struct oracle *o, const struct opts *opts)
{
	uint32_t hpm = opts->hpm_mask ? opts->hpm_mask : 0xfffffff8;
	unsigned n_hw = 32 - (unsigned)__builtin_clz(hpm);

	memset(o, 0, sizeof(*o));
	o->profile = opts->profile;
	o->opensbi = o->profile == FW_PROFILE_OPENSBI;
	o->xlen = opts->xlen ? opts->xlen : 64;
	o->ovf = !(opts->without & PMU_EXT_SSCOFPMF);
	o->filters = !(opts->without & PMU_EXT_SMCNTRPMF);
	for (unsigned i = 0; i < 4; i++) {
		struct o_hart *h = &o->hart[i];

		h->n = n_hw + (opts->fw_counters ? opts->fw_counters : 16);
		for (unsigned n = 0; n < h->n; n++) {
			struct o_counter *c = &h->c[n];

			c->kind = n >= n_hw	     ? K_FW
				  : n == 0 || n == 2 ? K_FIXED
				  : hpm >> n & 1     ? K_HPM
						     : K_NONE;
			if (c->kind == K_FIXED)
				c->state = S_LOOSE_RUN;
			if (c->kind != K_HPM || !o->ovf)
				continue;
			c->reg = PMU_EVENT_MINH;
			c->of = o->opensbi;
		}
	}
}

static bool runs(const struct o_counter *c)
{
	return c->state == S_RUNNING || c->state == S_WILD ||
	       c->state == S_LOOSE_RUN;
}

static uint64_t xmask(const struct oracle *o)
{
	return o->xlen == 32 ? UINT32_MAX : UINT64_MAX;
}

static struct sbi_ret answer(int64_t error, uint64_t value)
{
	return (struct sbi_ret){ .error = error, .value = error ? 0 : value };
}

/* C16, C17: all of the set is below the number; its members, by logical id. */
static bool take_set(const struct oracle *o, const struct o_hart *h,
		     const uint64_t a[6], uint64_t *ret)
{
	uint64_t base = a[0], mask = a[1];

	*ret = 0;
	if (!mask)
		return false;
	for (unsigned i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		if (base >= h->n || base + i >= h->n)
			return false;
		if (h->c[base + i].kind != K_NONE)
			*ret |= UINT64_C(1) << (base + i);
		else if (!o->opensbi)
			return false;
	}
	return true;
}

/* What the event of a call means: C19-C22, C40, C195. */
struct wish {
	const struct o_event *e;
	uint64_t idx, data, filters, base;
};

static struct wish wish_of(const struct oracle *o, const uint64_t a[6])
{
	static const unsigned bits[16] = { [2] = 48, [3] = 56 };
	struct wish w = { .idx = a[3] & 0xfffff,
			  .filters = a[2] & FILTERS,
			  .base = a[0] };
	unsigned n = bits[w.idx >> 16];

	for (unsigned i = 0; i < n_o_events; i++)
		if (o_events[i].idx == a[3] && o_events[i].data == a[4])
			w.e = &o_events[i];
	ck_assert_ptr_nonnull(w.e);
	if (n && o->xlen == 32 && !o->ovf)
		n = 32;
	w.data = n ? a[4] & (UINT64_MAX >> (64 - n)) : 0;
	return w;
}

/* Can counter @n count it, were it free: C24, C27, C43? */
static bool can(const struct oracle *o, const struct o_hart *h, unsigned n,
		const struct wish *w)
{
	const struct o_counter *c = &h->c[n];
	uint64_t real = UINH | SINH | MINH;

	if (c->kind == K_FW || w->e->fw)
		return c->kind == K_FW && w->e->fw;
	if (c->kind == K_HPM)
		return w->e->select;
	if (c->kind != K_FIXED || w->idx != (n ? INSTRUCTIONS : CYCLES))
		return false;
	if (o->filters || !o->ovf)
		return true;
	return !o->opensbi && !(w->filters & real);
}

/* What the firmware sets is no overflow of the hardware's: C71. */
static void set_of(struct o_counter *c, bool of)
{
	c->of = of;
	c->hw_of = false;
}

/* And what it takes away asks for nothing any more: C66. */
static void lose_of(const struct oracle *o, struct o_hart *h,
		    struct o_counter *c)
{
	if (c->of && !o->opensbi)
		h->lcofi &= ~(UINT32_C(1) << (c - h->c));
	set_of(c, false);
}

/* Its event becomes @w's: C37. */
static void program(const struct oracle *o, struct o_hart *h,
		    struct o_counter *c, const struct wish *w)
{
	bool filtering = c->kind == K_FIXED ? o->filters : o->ovf;

	c->idx = w->idx;
	c->data = w->data;
	c->filters = w->filters;
	if (c->kind == K_FW)
		return;
	c->reg = c->kind == K_HPM ? w->e->select : 0;
	if (filtering)
		c->reg |= PMU_EVENT_MINH |
			  (w->filters & SINH ? PMU_EVENT_SINH : 0) |
			  (w->filters & UINH ? PMU_EVENT_UINH : 0);
	if (c->kind == K_HPM && o->ovf) {
		lose_of(o, h, c);
		c->of = o->opensbi;
	}
}

/* A start that the table allows: C55, then the value. */
static void start(const struct oracle *o, struct o_hart *h, struct o_counter *c,
		  const uint64_t *value)
{
	if (c->kind == K_HPM && o->ovf) {
		bool asked = h->lcofi >> (c - h->c) & 1;
		bool keep = asked && c->hw_of;

		if (!keep)
			lose_of(o, h, c);
		c->of = keep || (o->opensbi && h->lcofi);
	}
	if (value)
		c->value = *value;
}

/* One operation: moves the counter and returns the error. */
static int apply(struct oracle *o, struct o_hart *h, unsigned n, enum o_op op)
{
	struct o_counter *c = &h->c[n];
	struct o_cell cell = oracle_cell(o->profile, c->kind, c->state, op);

	if (!cell.possible)
		ck_abort_msg("counter %u in state %d", n, c->state);
	c->state = cell.next;
	return cell.error;
}

static enum o_op skip_op(const struct oracle *o, const struct o_hart *h,
			 unsigned n, const struct wish *w)
{
	const struct o_counter *c = &h->c[n];
	bool loose = c->state == S_LOOSE_STOP || c->state == S_LOOSE_RUN;

	if (w->e->fw != (c->kind == K_FW))
		return O_SKIP_WRONG;
	if (!can(o, h, n, w))
		return O_SKIP_NEVER;
	if (loose || (c->idx == w->idx && c->data == w->data &&
		      c->filters == w->filters))
		return O_SKIP_SAME;
	return c->idx == w->idx && c->data == w->data ? O_SKIP_FILTER
						      : O_SKIP_OTHER;
}

/* The counter that a match gets, -1 if none: C23-C27. */
static int match(const struct oracle *o, const struct o_hart *h, uint64_t set,
		 const struct wish *w)
{
	const unsigned fixed_one = w->idx == CYCLES ? 0 : 2;
	bool only_fixed = o->opensbi && !o->ovf &&
			  (w->idx == CYCLES || w->idx == INSTRUCTIONS);

	for (unsigned fixed = only_fixed; fixed < 2; fixed++)
		for (unsigned n = 0; n < h->n; n++)
			if (set >> n & 1 &&
			    (h->c[n].kind == K_FIXED) == fixed &&
			    can(o, h, n, w) &&
			    !oracle_cell(o->profile, h->c[n].kind,
					 h->c[n].state, O_MATCH)
				     .error)
				return (int)n;
	/* C206: the reference does not ask whether it is in the set. */
	if (o->opensbi && h->c[w->base].kind != K_FW && can(o, h, fixed_one, w))
		return (int)fixed_one;
	return -1;
}

static struct sbi_ret config(struct oracle *o, struct o_hart *h,
			     const uint64_t a[6])
{
	struct wish w = wish_of(o, a);
	bool was;
	enum o_op op = O_MATCH;
	uint64_t set;
	int n, error;

	if (!take_set(o, h, a, &set) || (!o->opensbi && a[2] > 0xff))
		return answer(-3, 0);
	error = w.e->error[o->opensbi];
	/* C206: it looks for no more than that there is such a number. */
	if (error == -2 && o->opensbi && a[2] & SKIP)
		error = 0;
	if (error)
		return answer(error, 0);
	n = a[2] & SKIP ? (int)(a[0] + (unsigned)__builtin_ctzll(a[1]))
			: match(o, h, set, &w);
	if (n < 0)
		return answer(-2, 0);
	if (a[2] & SKIP)
		op = skip_op(o, h, (unsigned)n, &w);
	was = runs(&h->c[n]) && h->c[n].state == S_RUNNING;
	error = apply(o, h, (unsigned)n, op);
	if (error)
		return answer(error, 0);
	if (op == O_MATCH || (!o->opensbi && !was))
		program(o, h, &h->c[n], &w);
	if (a[2] & CLEAR)
		h->c[n].value = 0;
	if (a[2] & AUTO && !apply(o, h, (unsigned)n, O_START))
		start(o, h, &h->c[n], NULL);
	return answer(0, (uint64_t)n);
}

static void combine(const struct oracle *o, int *all, int one)
{
	if (one || o->opensbi)
		*all = one;
}

static uint64_t load64(const struct oracle *o, uint64_t at)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++)
		v |= (uint64_t)o->ram[at + i] << 8 * i;
	return v;
}

static void store64(struct oracle *o, uint64_t at, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		o->ram[at + i] = (uint8_t)(v >> 8 * i);
}

/* The members of a set that have an event; 0 is the error -3 (C54). */
static uint64_t mapped(const struct oracle *o, const struct o_hart *h,
		       uint64_t set)
{
	uint64_t ret = 0;

	for (unsigned n = 0; n < h->n; n++)
		if (set >> n & 1 && oracle_cell(o->profile, h->c[n].kind,
						h->c[n].state, O_START)
						    .error != -3)
			ret |= UINT64_C(1) << n;
	return ret;
}

static int check_start(const struct oracle *o, const struct o_hart *h,
		       const uint64_t a[6], uint64_t *ret)
{
	unsigned flags = a[2] & 3;

	if (!take_set(o, h, a, ret) || (!o->opensbi && a[2] > 3))
		return -3;
	if (!o->opensbi && flags & INIT &&
	    (flags & INIT_SNAP || a[1] & (a[1] - 1)))
		return -3;
	if (flags == 3 || (flags & INIT_SNAP && !h->page_on))
		return -9;
	*ret = mapped(o, h, *ret);
	return *ret ? 0 : -3;
}

static struct sbi_ret do_start(struct oracle *o, struct o_hart *h,
			       const uint64_t a[6])
{
	uint64_t set, value = a[3];
	int error = check_start(o, h, a, &set), all = 0, one;

	if (error)
		return answer(error, 0);
	for (unsigned n = 0; n < h->n; n++) {
		if (!(set >> n & 1))
			continue;
		if (a[2] & INIT_SNAP)
			value = load64(o, h->page + 8 + 8 * (n - a[0]));
		one = apply(o, h, n, O_START);
		if (!one)
			start(o, h, &h->c[n], a[2] & 3 ? &value : NULL);
		else if (o->opensbi && o->ovf && h->c[n].kind == K_HPM)
			h->c[n].of = true; /* C206 */
		combine(o, &all, one);
	}
	return answer(all, 0);
}

static struct sbi_ret do_stop(struct oracle *o, struct o_hart *h,
			      const uint64_t a[6])
{
	bool snap = a[2] & SNAP, reset = a[2] & RESET;
	uint64_t set, bits = 0;
	int all = 0;

	if (!take_set(o, h, a, &set) || (!o->opensbi && a[2] > 3))
		return answer(-3, 0);
	if (snap && !h->page_on)
		return answer(-9, 0);
	set = mapped(o, h, set);
	if (!set)
		return answer(-3, 0);
	for (unsigned n = 0; n < h->n; n++) {
		struct o_counter *c = &h->c[n];

		if (!(set >> n & 1))
			continue;
		combine(o, &all, apply(o, h, n, reset ? O_RESET : O_STOP));
		if (snap)
			store64(o, h->page + 8 + 8 * (n - a[0]), c->value);
		bits |= (uint64_t)c->hw_of << (n - a[0]);
		if (!reset)
			continue;
		c->idx = c->data = c->filters = 0;
		if (c->kind == K_HPM || !o->opensbi)
			c->reg = c->kind == K_HPM && o->ovf && !o->opensbi
					 ? PMU_EVENT_MINH
					 : 0;
		if (c->kind == K_HPM && o->ovf)
			lose_of(o, h, c);
	}
	if (snap)
		store64(o, h->page, bits);
	return answer(all, 0);
}

static struct sbi_ret fw_read(const struct oracle *o, const struct o_hart *h,
			      uint64_t n, bool high)
{
	bool wide = o->xlen == 64;
	int error;

	if (n >= h->n || h->c[n].kind != K_FW)
		return answer(-3, 0);
	error = oracle_cell(o->profile, K_FW, h->c[n].state, O_READ).error;
	if (high && wide)
		return answer(o->opensbi ? 0 : error, 0);
	return answer(error,
		      (high ? h->c[n].value >> 32 : h->c[n].value) & xmask(o));
}

static struct sbi_ret info(const struct oracle *o, const struct o_hart *h,
			   uint64_t n)
{
	n = o->opensbi ? (uint32_t)n : n;
	if (n >= h->n || h->c[n].kind == K_NONE)
		return answer(-3, 0);
	if (h->c[n].kind == K_FW)
		return answer(0, UINT64_C(1) << (o->xlen - 1) | 0x3f000);
	return answer(0, 0x3fc00 + n);
}

/* The tests use 64 bits of address on RV64, and 32 on RV32. */
static bool in_ram(uint64_t lo, uint64_t hi, uint64_t len)
{
	return !hi && lo >= RAM_BASE && lo - RAM_BASE < RAM_SIZE &&
	       len <= RAM_SIZE - (lo - RAM_BASE);
}

static struct sbi_ret set_page(const struct oracle *o, struct o_hart *h,
			       const uint64_t a[6])
{
	bool off = a[0] == xmask(o) && a[1] == xmask(o);

	if (a[2] || (!off && a[0] % 4096))
		return answer(-3, 0);
	if (!off && !in_ram(a[0], a[1], 4096))
		return answer(-5, 0);
	h->page_on = !off;
	h->page = a[0] - RAM_BASE;
	return answer(0, 0);
}

/* The list holds entries of o_events only, or none at all. */
static int entry_info(const struct oracle *o, uint64_t at)
{
	uint64_t idx = load64(o, at) & UINT32_MAX, data = load64(o, at + 8);

	for (unsigned i = 0; i < n_o_events; i++)
		if (o_events[i].idx == idx && o_events[i].data == data)
			return o_events[i].info[o->opensbi];
	return 0;
}

static struct sbi_ret event_infos(struct oracle *o, const uint64_t a[6])
{
	uint64_t at = a[0] - RAM_BASE;

	if (a[3] || a[0] % 16 || !a[2])
		return answer(-3, 0);
	if (a[2] > RAM_SIZE / 16 || !in_ram(a[0], a[1], a[2] * 16))
		return answer(-5, 0);
	for (uint64_t i = 0; i < a[2]; i++)
		if (entry_info(o, at + 16 * i) < 0)
			return answer(-3, 0);
	for (uint64_t i = 0; i < a[2]; i++) {
		memset(&o->ram[at + 16 * i + 4], 0, 4);
		o->ram[at + 16 * i + 4] = (uint8_t)entry_info(o, at + 16 * i);
	}
	return answer(0, 0);
}

struct sbi_ret oracle_call(struct oracle *o, unsigned hart, unsigned fid,
			   const uint64_t args[6])
{
	struct o_hart *h = &o->hart[hart];
	uint64_t a[6];

	for (unsigned i = 0; i < 6; i++)
		a[i] = args[i] & xmask(o);
	if (o->xlen == 32 && fid == CFG)
		a[4] |= a[5] << 32;
	if (o->xlen == 32 && fid == START)
		a[3] |= a[4] << 32;
	oracle_fw_event(o, hart, 0xf0100);
	switch (fid) {
	case NUM:
		return answer(0, h->n);
	case INFO:
		return info(o, h, a[0]);
	case CFG:
		return config(o, h, a);
	case START:
		return do_start(o, h, a);
	case STOP:
		return do_stop(o, h, a);
	case READ:
	case READ_HI:
		return fw_read(o, h, a[0], fid == READ_HI);
	case SHMEM:
		return set_page(o, h, a);
	default:
		return event_infos(o, a);
	}
}
