/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cases of the Sscofpmf test plan, one or more rows each. They are what the
 * plan asks for; corners beyond it are test-overflow.c's and test-step.c's.
 */
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES	UINT64_MAX
#define C(n)	(MHPMCOUNTER + (n))
#define E(n)	(MHPMEVENT + (n))
#define INSNS	UINT64_C(2) /* the selector */
#define OF	PMU_EVENT_OF
#define MINH	PMU_EVENT_MINH
#define SINH	PMU_EVENT_SINH
#define UINH	PMU_EVENT_UINH
#define VSINH	PMU_EVENT_VSINH
#define VUINH	PMU_EVENT_VUINH
#define LCOFI	0x2000
#define BIT(n)	(UINT64_C(1) << (n))
#define H	PMU_EXT_H
#define S_AND_U (PMU_EXT_S | PMU_EXT_U)

/* Sets a bit of mhpmevent3 and clears it again. */
#define TOGGLE(bit)                                                            \
	POKE(E(3), bit), PEEK(E(3), bit), POKE(E(3), 0), PEEK(E(3), 0)
/* A bit that is not there. */
#define ZERO(bit) POKE(E(3), bit), PEEK(E(3), 0)

static const struct script field_rows[] = {
	{ "OF is set and cleared", RULE("COFPMF-RW-01"), 64,
	  .steps = { TOGGLE(OF) } },
	{ "MINH is set and cleared", RULE("COFPMF-RW-02"), 64,
	  .steps = { TOGGLE(MINH) } },
	{ "SINH is set and cleared", RULE("COFPMF-RW-03"), 64,
	  .steps = { TOGGLE(SINH) } },
	{ "SINH is zero without S", RULE("COFPMF-RW-03"), 64, .del = PMU_EXT_S,
	  .steps = { ZERO(SINH) } },
	{ "UINH is set and cleared", RULE("COFPMF-RW-04"), 64,
	  .steps = { TOGGLE(UINH) } },
	{ "UINH is zero without U", RULE("COFPMF-RW-04"), 64, .del = S_AND_U,
	  .steps = { ZERO(UINH) } },
	{ "VSINH is set and cleared with H", RULE("COFPMF-RW-05"), 64, .add = H,
	  .steps = { TOGGLE(VSINH) } },
	{ "VSINH is zero without H", RULE("COFPMF-RW-05"), 64,
	  .steps = { ZERO(VSINH) } },
	{ "VUINH is set and cleared with H", RULE("COFPMF-RW-06"), 64, .add = H,
	  .steps = { TOGGLE(VUINH) } },
	{ "VUINH is zero without H", RULE("COFPMF-RW-06"), 64,
	  .steps = { ZERO(VUINH) } },
	{ "bits 57 and 56 are zero", RULE("COFPMF-RW-07"), 64,
	  .steps = { ZERO(BIT(57) | BIT(56)) } },
	{ "fields are independent", RULE("COFPMF-RW-08"), 64,
	  .steps = { POKE(E(3), OF | MINH | SINH | UINH),
		     PEEK(E(3), OF | MINH | SINH | UINH), POKE(E(3), OF | SINH),
		     PEEK(E(3), OF | SINH) } },
	{ "the high bits leave the event alone", RULE("COFPMF-RW-09"), 64,
	  .steps = { POKE(E(3), 0xabcdef), CSRS(E(3), OF | MINH | SINH | UINH),
		     PEEK(E(3), OF | MINH | SINH | UINH | 0xabcdef),
		     CSRC(E(3), OF | MINH | SINH | UINH),
		     PEEK(E(3), 0xabcdef) } },
};

TEST_ROWS(a_field_holds_what_the_plan_says, field_rows)
{
	script_run(&field_rows[_i]);
}

TEST_RANGE(every_counter_has_an_of, 3, 32)
{
	uint16_t num = (uint16_t)(MHPMEVENT + _i);
	const struct script script = { "OF of each counter",
				       RULE("COFPMF-RW-10 scountovf_op"), 64,
				       .steps = { POKE(num, OF), PEEK(num, OF),
						  PEEK(SCOUNTOVF, BIT(_i)),
						  POKE(num, 0), PEEK(num, 0),
						  PEEK(SCOUNTOVF, 0) } };

	script_run(&script);
}

#define COUNTER(filters) POKE(E(3), INSNS | (filters))

static const struct script filter_rows[] = {
	{ "no filter: M counts", RULE("COFPMF-INH-01 mhpmevent_inh_op"), 64,
	  .steps = { COUNTER(0), RUN(5), PEEK(C(3), 5) } },
	{ "MINH: M does not count, until it is cleared",
	  RULE("COFPMF-INH-02 COFPMF-INH-03 mhpmevent_inh_op"), 64,
	  .steps = { COUNTER(MINH), RUN(5), PEEK(C(3), 0), COUNTER(0), RUN(5),
		     PEEK(C(3), 5) } },
	{ "SINH: S does not count, until it is cleared",
	  RULE("COFPMF-INH-04 COFPMF-INH-05 mhpmevent_inh_op"), 64,
	  .steps = { COUNTER(SINH), MODE(S), RUN(5), PEEK(C(3), 0), COUNTER(0),
		     RUN(5), PEEK(C(3), 5) } },
	{ "UINH: U does not count, until it is cleared",
	  RULE("COFPMF-INH-06 COFPMF-INH-07 mhpmevent_inh_op"), 64,
	  .steps = { COUNTER(UINH), MODE(U), RUN(5), PEEK(C(3), 0), COUNTER(0),
		     RUN(5), PEEK(C(3), 5) } },
	{ "M only", RULE("COFPMF-INH-08"), 64,
	  .steps = { COUNTER(SINH | UINH), RUN(1), MODE(S), RUN(10), MODE(U),
		     RUN(100), PEEK(C(3), 1) } },
	{ "S only", RULE("COFPMF-INH-09"), 64,
	  .steps = { COUNTER(MINH | UINH), RUN(1), MODE(S), RUN(10), MODE(U),
		     RUN(100), PEEK(C(3), 10) } },
	{ "none", RULE("COFPMF-INH-10"), 64,
	  .steps = { COUNTER(MINH | SINH | UINH), RUN(1), MODE(S), RUN(10),
		     MODE(U), RUN(100), PEEK(C(3), 0) } },
	{ "each mode of a hart with H has its bit",
	  RULE("mhpmevent_inh_op C137"), 64, .add = H,
	  .steps = { POKE(E(3), INSNS | VSINH), POKE(E(4), INSNS | VUINH),
		     POKE(E(5), INSNS | SINH | UINH), MODE(S), RUN(1), MODE(U),
		     RUN(10), MODE(VS), RUN(100), MODE(VU), RUN(1000), MODE(M),
		     PEEK(C(3), 1011), PEEK(C(4), 111), PEEK(C(5), 1100) } },
};

TEST_ROWS(modes_count_as_the_plan_says, filter_rows)
{
	script_run(&filter_rows[_i]);
}

/* mhpmcounter3 overflows at the next instruction. */
#define AT_THE_END COUNTER(0), POKE(C(3), ONES)

static const struct script overflow_rows[] = {
	{ "an overflow sets OF",
	  RULE("COFPMF-OVF-01 mhpmevent_of_op mhpmevent_of_bit_set"), 64,
	  .steps = { AT_THE_END, RUN(1), PEEK(E(3), OF | INSNS) } },
	{ "OF stays and the counter goes on",
	  RULE("COFPMF-OVF-02 mhpmevent_of_op hpmcounter_overflow"), 64,
	  .steps = { AT_THE_END, RUN(7), PEEK(E(3), OF | INSNS),
		     PEEK(C(3), 6) } },
	{ "software clears OF", RULE("COFPMF-OVF-03 mhpmevent_of_op"), 64,
	  .steps = { AT_THE_END, RUN(1), CSRC(E(3), OF), PEEK(E(3), INSNS) } },
	{ "an overflow is pending",
	  RULE("COFPMF-OVF-04 count_overflow_interrupt LCOFIP_op"), 64,
	  .steps = { POKE(MIE, LCOFI), AT_THE_END, RUN(1), PEEK(MIP, LCOFI) } },
	{ "with OF set nothing is pending",
	  RULE("COFPMF-OVF-05 count_overflow_interrupt"), 64,
	  .steps = { COUNTER(OF), POKE(C(3), ONES), RUN(1), PEEK(C(3), 0),
		     PEEK(MIP, 0) } },
	{ "writing the counter overflows nothing",
	  RULE("COFPMF-OVF-06 count_overflow_trigger"), 64,
	  .steps = { AT_THE_END, CSRW(C(3), 0), PEEK(C(3), 0),
		     PEEK(E(3), INSNS), PEEK(MIP, 0) } },
	{ "writing the event overflows nothing",
	  RULE("COFPMF-OVF-07 count_overflow_trigger"), 64,
	  .steps = { COUNTER(MINH), POKE(C(3), ONES), CSRW(E(3), 1 | MINH),
		     CSRW(E(3), INSNS | MINH | SINH), PEEK(C(3), ONES),
		     PEEK(E(3), INSNS | MINH | SINH), PEEK(MIP, 0) } },
	{ "software clears LCOFIP", RULE("COFPMF-OVF-08"), 64,
	  .steps = { AT_THE_END, RUN(1), CSRC(MIP, LCOFI), PEEK(MIP, 0) } },
	{ "delegated, the interrupt is S's", RULE("COFPMF-OVF-09"), 64,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), AT_THE_END,
		     MODE(U), RUN(1), ENTER(LCOFI), IN(S),
		     PEEK(SCAUSE, BIT(63) | 13) } },
	{ "else it is M's", RULE("COFPMF-OVF-10"), 64,
	  .steps = { POKE(MIE, LCOFI), AT_THE_END, MODE(U), RUN(1),
		     ENTER(LCOFI), IN(M), PEEK(MCAUSE, BIT(63) | 13) } },
	{ "without LCOFIE there is none", RULE("COFPMF-OVF-11"), 64,
	  .steps = { AT_THE_END, MODE(U), RUN(1), PEEK(E(3), OF | INSNS),
		     NO_NEXT() } },
	{ "two counters at once", RULE("COFPMF-OVF-12"), 64,
	  .steps = { AT_THE_END, POKE(E(9), INSNS), POKE(C(9), ONES), RUN(1),
		     PEEK(E(3), OF | INSNS), PEEK(E(9), OF | INSNS),
		     TAKE(BIT(3) | BIT(9)) } },
};

TEST_ROWS(overflows_are_as_the_plan_says, overflow_rows)
{
	script_run(&overflow_rows[_i]);
}

#define VS_READS(m, h, value)                                                  \
	POKE(E(3), OF), POKE(MCOUNTEREN, m), POKE(HCOUNTEREN, h), MODE(VS),    \
		CSRR(SCOUNTOVF, value)

static const struct script scountovf_rows[] = {
	{ "OF is seen", RULE("COFPMF-SOV-01 scountovf_op"), 64,
	  .steps = { POKE(E(3), OF), CSRR(SCOUNTOVF, BIT(3)) } },
	{ "a write is illegal", RULE("COFPMF-SOV-02 scountovf_op"), 0,
	  .steps = { POKE(MCOUNTEREN, ONES), MODE(S), ILLEGAL_W(SCOUNTOVF) } },
	{ "each counter has its bit", RULE("COFPMF-SOV-03 scountovf_op"), 64,
	  .steps = { POKE(E(3), OF), POKE(E(5), OF),
		     CSRR(SCOUNTOVF, BIT(3) | BIT(5)) } },
	{ "a cleared OF is seen", RULE("COFPMF-SOV-04"), 64,
	  .steps = { POKE(E(3), OF), CSRW(E(3), 0), CSRR(SCOUNTOVF, 0) } },
	{ "M reads in spite of mcounteren",
	  RULE("COFPMF-SOV-05 scountovf_mmode_read_access"), 64,
	  .steps = { POKE(E(3), OF), POKE(MCOUNTEREN, 0),
		     CSRR(SCOUNTOVF, BIT(3)) } },
	{ "S reads what mcounteren opens",
	  RULE("COFPMF-SOV-06 scountovf_smode_read_access"), 64,
	  .steps = { POKE(E(3), OF), POKE(MCOUNTEREN, BIT(3)), MODE(S),
		     CSRR(SCOUNTOVF, BIT(3)) } },
	{ "S reads zero otherwise",
	  RULE("COFPMF-SOV-07 scountovf_smode_read_access"), 64,
	  .steps = { POKE(E(3), OF), POKE(MCOUNTEREN, ~BIT(3)), MODE(S),
		     CSRR(SCOUNTOVF, 0) } },
	{ "VS reads what both open",
	  RULE("COFPMF-SOV-08 scountovf_vsmode_read_access"), 64, .add = H,
	  .steps = { VS_READS(BIT(3), BIT(3), BIT(3)) } },
	{ "VS reads zero without mcounteren",
	  RULE("COFPMF-SOV-09 scountovf_smode_read_access_control"), 64,
	  .add = H, .steps = { VS_READS(0, BIT(3), 0) } },
	{ "VS reads zero without hcounteren",
	  RULE("COFPMF-SOV-10 scountovf_vsmode_read_access"), 64, .add = H,
	  .steps = { VS_READS(BIT(3), 0, 0) } },
};

TEST_ROWS(scountovf_is_as_the_plan_says, scountovf_rows)
{
	script_run(&scountovf_rows[_i]);
}

SUITE("plan-sscofpmf");
