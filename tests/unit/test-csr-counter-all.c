/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters in every combination, each against the rule in its shortest form:
 * the bits of events by modes and extensions, the halves and widths of RV32,
 * every way to write a counter, every filter in every mode, where LCOFI has
 * bits.
 */
#include "csr-execute.h"
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define H(n)  (UINT64_C(1) << (n))
#define ONES  UINT64_MAX
#define INSNS UINT64_C(2)
#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)

enum {
	/* of a combination: bits 0-4 */
	HAS_U = 1,
	HAS_S = 2,
	HAS_H = 4,
	HAS_OVF = 8,
	HAS_CFG = 16
};

static void poke(struct pmu_hart *h, unsigned num, uint64_t value)
{
	unsigned effects = 0;

	ck_assert_int_eq(pmu_csr_poke(h, (uint16_t)num, 0, value, &effects), 0);
}

static uint64_t peek(struct pmu_hart *h, unsigned num)
{
	uint64_t value = 0;

	ck_assert_int_eq(pmu_csr_peek(h, (uint16_t)num, 0, &value), 0);
	return value;
}

/* The modes that exist: S needs U, H needs S. */
static const unsigned modes[] = { 0, HAS_U, HAS_U | HAS_S,
				  HAS_U | HAS_S | HAS_H };

enum {
	N_COMBINATIONS = ARRAY_SIZE(modes) * 4
};

static unsigned combination(int i)
{
	unsigned rest = (unsigned)i % N_COMBINATIONS / ARRAY_SIZE(modes);

	return modes[(unsigned)i % ARRAY_SIZE(modes)] |
	       (rest & 1 ? HAS_OVF : 0) | (rest & 2 ? HAS_CFG : 0);
}

static struct pmu_hart *combined(unsigned c, unsigned xlen, unsigned width)
{
	struct script s = { .width = width };

	if (!(c & HAS_U))
		s.del |= PMU_EXT_U;
	if (!(c & HAS_S))
		s.del |= PMU_EXT_S;
	if (c & HAS_H)
		s.add |= PMU_EXT_H;
	if (!(c & HAS_OVF))
		s.del |= PMU_EXT_SSCOFPMF;
	if (!(c & HAS_CFG))
		s.del |= PMU_EXT_SMCNTRPMF;
	return script_hart(&s, xlen);
}

static uint64_t filters(unsigned c)
{
	return H(62) | (c & HAS_S ? H(61) : 0) | (c & HAS_U ? H(60) : 0) |
	       (c & HAS_H ? H(59) | H(58) : 0);
}

TEST_TIMES(events_have_the_bits_of_modes_that_exist, N_COMBINATIONS)
{
	unsigned c = combination(_i);
	struct pmu_hart *h = combined(c, 64, 64);
	uint64_t event = c & HAS_OVF ? H(63) | filters(c) | (ONES >> 8) : ONES;

	shows(RULE("C106 C125 C137 mhpmevent_inh_op unimplemented_mode_bits"));
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		poke(h, MHPMEVENT + n, ONES);
		ck_assert_uint_eq(peek(h, MHPMEVENT + n), event);
		poke(h, MHPMEVENT + n, 0);
		ck_assert_uint_eq(peek(h, MHPMEVENT + n), 0);
	}
	if (c & HAS_CFG) {
		poke(h, MCYCLECFG, ONES);
		poke(h, MINSTRETCFG, ONES);
		ck_assert_uint_eq(peek(h, MCYCLECFG), filters(c));
		ck_assert_uint_eq(peek(h, MINSTRETCFG), filters(c));
	}
	pmu_hart_free(h);
}

/* Each half keeps what the other is given. */
TEST_TIMES(on_rv32_events_have_the_same_bits_in_halves, N_COMBINATIONS)
{
	unsigned c = combination(_i);
	struct pmu_hart *h = combined(c, 32, 64);
	uint64_t high = (H(63) | filters(c) | (ONES >> 8)) >> 32;

	shows(RULE("C106 C125 C138 C140 mhpmeventh_presence rv32_high_access"));
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		poke(h, MHPMEVENT + n, ONES);
		ck_assert_uint_eq(peek(h, MHPMEVENT + n), UINT32_MAX);
		if (!(c & HAS_OVF)) {
			ck_assert_ptr_null(
				pmu_csr_name(h, (uint16_t)(MHPMEVENTH + n)));
			continue;
		}
		ck_assert_uint_eq(peek(h, MHPMEVENTH + n), 0);
		poke(h, MHPMEVENTH + n, ONES);
		poke(h, MHPMEVENT + n, 0);
		ck_assert_uint_eq(peek(h, MHPMEVENTH + n), high);
		ck_assert_uint_eq(peek(h, MHPMEVENT + n), 0);
	}
	if (c & HAS_CFG) {
		poke(h, MCYCLECFG, ONES);
		poke(h, MCYCLECFGH, ONES);
		ck_assert_uint_eq(peek(h, MCYCLECFG), 0);
		ck_assert_uint_eq(peek(h, MCYCLECFGH), filters(c) >> 32);
	}
	pmu_hart_free(h);
}

/* LCOFI's bits come and go with Sscofpmf, below M with S. */
TEST_TIMES(lcofi_has_bits_where_it_exists, 2 * N_COMBINATIONS)
{
	static const uint16_t machine[] = { MIP, MIE };
	unsigned c = combination(_i);
	struct pmu_hart *h = combined(c, _i < N_COMBINATIONS ? 32 : 64, 64);
	uint64_t want = c & HAS_OVF ? 0x2000 : 0;

	shows(RULE("C110 LCOFIP_op"));
	for (unsigned i = 0; i < ARRAY_SIZE(machine); i++) {
		poke(h, machine[i], ONES);
		ck_assert_uint_eq(peek(h, machine[i]) & 0x2000, want);
	}
	if (c & HAS_S) {
		ck_assert_uint_eq(peek(h, SIP) & 0x2000, 0);
		poke(h, MIDELEG, ONES);
		ck_assert_uint_eq(peek(h, MIDELEG) & 0x2000, want);
		ck_assert_uint_eq(peek(h, SIP) & 0x2000, want);
		ck_assert_uint_eq(peek(h, SIE) & 0x2000, want);
		poke(h, SIP, 0);
		poke(h, SIE, 0);
		ck_assert_uint_eq(peek(h, MIP) & 0x2000, 0);
		ck_assert_uint_eq(peek(h, MIE) & 0x2000, 0);
	}
	pmu_hart_free(h);
}

/* Loops over widths: the upper half has what is above bit 31, no more. */
TEST_RANGE(on_rv32_a_counter_has_its_width_in_halves, 1, 65)
{
	const struct script s = { .width = (unsigned)_i };
	struct pmu_hart *h = script_hart(&s, 32);
	uint64_t top = ONES >> (64 - _i);
	struct pmu_progress one = { .n = { [PMU_EV_INSNS] = 1 } };

	shows(RULE("C107 C124 C138 hpmcounter_overflow"));
	poke(h, MHPMEVENT + 3, INSNS);
	poke(h, MHPMCOUNTERH + 3, UINT32_MAX);
	poke(h, MHPMCOUNTER + 3, UINT32_MAX);
	ck_assert_uint_eq(peek(h, MHPMCOUNTER + 3), (uint32_t)top);
	ck_assert_uint_eq(peek(h, MHPMCOUNTERH + 3), top >> 32);
	ck_assert_uint_eq(peek(h, MIP), 0);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(peek(h, MHPMCOUNTER + 3), 0);
	ck_assert_uint_eq(peek(h, MHPMCOUNTERH + 3), 0);
	ck_assert_uint_eq(peek(h, SCOUNTOVF), 8);
	ck_assert_uint_eq(peek(h, MIP), 0x2000);
	pmu_hart_free(h);
}

/* Writes @value to CSR @num as an instruction does. */
static void write_counter(struct pmu_hart *h, unsigned num, enum pmu_csr_op op,
			  uint64_t value)
{
	struct pmu_csr_req req = {
		.num = (uint16_t)num, .op = op, .write = true, .value = value
	};
	unsigned effects = 0;
	uint64_t old;

	ck_assert_int_eq(csr_execute(h, &req, &old, &effects), PMU_CSR_OK);
}

/*
 * What is written is what is there, to the last bit, by a set or clear of 0
 * too. The other half has not moved either.
 */
static void check_write(struct pmu_hart *h, unsigned num, unsigned n)
{
	static const uint64_t values[] = { 0, 100, UINT32_MAX, ONES };
	bool high = h->cfg.xlen == 32 &&
		    (num >> 7 == MHPMCOUNTERH >> 7 || num == SIREG4);

	for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
		uint64_t want;

		pmu_counter_set(h, n, ONES);
		want = h->cfg.xlen == 64 ? values[i]
		       : high		 ? values[i] << 32 | UINT32_MAX
					 : (ONES << 32) | (uint32_t)values[i];
		write_counter(h, num, PMU_CSR_WRITE, values[i]);
		ck_assert_uint_eq(pmu_counter_get(h, n), want);
		write_counter(h, num, PMU_CSR_SET, 0);
		ck_assert_uint_eq(pmu_counter_get(h, n), want);
		write_counter(h, num, PMU_CSR_CLEAR, 0);
		ck_assert_uint_eq(pmu_counter_get(h, n), want);
	}
	ck_assert_uint_eq(h->mip_soft, 0);
	ck_assert(!(pmu_counter_event(h, n) & H(63)));
}

TEST_TIMES(every_way_to_write_a_counter_suppresses_its_increment,
	   2 * PMU_N_COUNTERS)
{
	unsigned n = (unsigned)_i % PMU_N_COUNTERS;
	unsigned xlen = _i < PMU_N_COUNTERS ? 32 : 64;
	const struct script s = { .add = DELEG, .cpi = 3 };
	struct pmu_hart *h = script_hart(&s, xlen);

	shows(RULE("C117 C108 C138 C173 C180 count_overflow_trigger"));
	poke(h, MCOUNTEREN, ONES);
	poke(h, xlen == 32 ? MENVCFGH : MENVCFG, xlen == 32 ? H(28) : H(60));
	poke(h, SISELECT, 0x40 + n);
	if (n >= 3)
		poke(h, MHPMEVENT + n, n % 2 ? INSNS : 1);
	for (unsigned mode = PMU_MODE_M; n != 1 && mode < PMU_MODE_U; mode++) {
		pmu_hart_set_mode(h, (enum pmu_mode)mode);
		check_write(h, SIREG, n);
		if (xlen == 32)
			check_write(h, SIREG4, n);
		if (mode != PMU_MODE_M)
			continue;
		check_write(h, MHPMCOUNTER + n, n);
		if (xlen == 32)
			check_write(h, MHPMCOUNTERH + n, n);
	}
	pmu_hart_free(h);
}

/* @_i: which filters are on. Counters 0, 2 and 3, cycles and instructions. */
TEST_TIMES(a_filter_stops_its_mode_and_no_other, 32)
{
	static const unsigned counters[] = { 0, 2, 3, 4 };
	const struct script s = { .add = PMU_EXT_H };
	struct pmu_hart *h = script_hart(&s, 64);
	uint64_t inhibit = (uint64_t)_i << 58;
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = 7 } };

	shows(RULE("C137 C177 C123 all_xinh_zero counter_inhibited_behavior "
		   "mhpmevent_inh_op instret_non_inhibited mcyclecfg_op"));
	poke(h, MCYCLECFG, inhibit);
	poke(h, MINSTRETCFG, inhibit);
	poke(h, MHPMEVENT + 3, inhibit | INSNS);
	poke(h, MHPMEVENT + 4, inhibit | 1);
	for (unsigned mode = 0; mode < PMU_N_MODES; mode++) {
		bool counts = !(inhibit & PMU_EVENT_MINH >> mode);

		pmu_hart_set_mode(h, (enum pmu_mode)mode);
		for (unsigned i = 0; i < ARRAY_SIZE(counters); i++)
			pmu_counter_set(h, counters[i], 1000);
		pmu_hart_advance(h, &p);
		for (unsigned i = 0; i < ARRAY_SIZE(counters); i++)
			ck_assert_uint_eq(pmu_counter_get(h, counters[i]),
					  counts ? 1007 : 1000);
	}
	pmu_hart_free(h);
}

/* cycle and instret wrap and tell nobody, filtered or not. */
TEST_TIMES(cycle_and_instret_never_overflow, 2)
{
	const struct script s = { .add = DELEG };
	struct pmu_hart *h = script_hart(&s, _i ? 64 : 32);
	struct pmu_progress one = { .n = { [PMU_EV_INSNS] = 1 } }, limits;

	shows(RULE("C127"));
	pmu_counter_set(h, 0, ONES);
	pmu_counter_set(h, 2, ONES);
	pmu_hart_limits(h, &limits);
	ck_assert_uint_eq(limits.n[PMU_EV_INSNS], ONES);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_counter_get(h, 0), 0);
	ck_assert_uint_eq(pmu_counter_get(h, 2), 0);
	ck_assert_uint_eq(peek(h, MIP), 0);
	ck_assert_uint_eq(peek(h, SCOUNTOVF), 0);
	ck_assert_uint_eq(pmu_counter_event(h, 0), 0);
	ck_assert_uint_eq(pmu_counter_event(h, 2), 0);
	pmu_hart_free(h);
}

/* Counters that a hart leaves out are read-only zero in each of their CSRs. */
TEST_TIMES(absent_counters_are_read_only_zero, 58)
{
	uint32_t mask = UINT32_C(8) << _i % 29;
	unsigned xlen = _i < 29 ? 32 : 64;
	const struct script s = { .hpm_mask = mask };
	struct pmu_hart *h = script_hart(&s, xlen);

	shows(RULE("C113 C114 C124 mhpmcounter_warl"));
	poke(h, MCOUNTINHIBIT, ONES);
	ck_assert_uint_eq(peek(h, MCOUNTINHIBIT), mask | 5u);
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		bool there = mask >> n & 1;

		poke(h, MHPMEVENT + n, 5);
		poke(h, MHPMCOUNTER + n, 6);
		ck_assert_uint_eq(peek(h, MHPMEVENT + n), there ? 5 : 0);
		ck_assert_uint_eq(peek(h, MHPMCOUNTER + n), there ? 6 : 0);
		ck_assert_uint_eq(peek(h, HPMCOUNTER + n), there ? 6 : 0);
		if (xlen == 64)
			continue;
		poke(h, MHPMEVENTH + n, 7);
		poke(h, MHPMCOUNTERH + n, 8);
		ck_assert_uint_eq(peek(h, MHPMEVENTH + n), there ? 7 : 0);
		ck_assert_uint_eq(peek(h, MHPMCOUNTERH + n), there ? 8 : 0);
		ck_assert_uint_eq(peek(h, HPMCOUNTERH + n), there ? 8 : 0);
	}
	pmu_hart_free(h);
}

SUITE("csr-counter-all");
