/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of deliveries: by which way the guest is told, of which overflows,
 * and whether these had to wait. Each script begins in M-mode, goes where its
 * row says and ends in the handler.
 */
#include <pmu/csr-number.h>
#include <pmu/ebb-unit.h>
#include <pmu/rule.h>

#include "machine-script.h"

enum {
	HANDLER = 1,
	MAIN = 4,
	BODY = 60, /* in the mode of the row */
	INSNS = 2, /* the selector */
	LCOFI = 1 << 13,
	TIMER = 1 << 5,
	SIE_ON = 1 << 1, /* of the status registers */
	MIE_ON = 1 << 3,
};
#define MINH	 (UINT64_C(1) << 62)
#define OF	 (UINT64_C(1) << 63)
#define TO_S	 (1u << 11) /* mstatus.MPP */
#define TO_GUEST (UINT64_C(1) << 39)
#define MRET	 INSN(FAKE_MRET)

#define SET(csr, v)   LI(5, v), CSRW(csr, 5)
#define CLEAR(csr, v) LI(5, v), INSN(FAKE_CSRRC(0, csr, 5))
#define BITS(csr, v)  LI(5, v), INSN(FAKE_CSRRS(0, csr, 5))
/* Counter @n overflows with the @k-th instruction below M-mode from here on. */
#define COUNT(n, k)                                                            \
	SET(MHPMEVENT3 - 3 + (n), MINH | INSNS),                               \
		SET(MHPMCOUNTER3 - 3 + (n), (uint64_t) - (int64_t)(k))
#define BEGIN                                                                  \
	[0] = JUMP(MAIN), [HANDLER] = LI(31, 0x5555),                          \
	[HANDLER + 1] = WRITE(31, 4, BOARD_FINISHER_BASE), [MAIN] = NOP
#define TO(status) SET(PMU_CSR_MEPC, PC(BODY)), SET(MSTATUS, status), MRET
/* S-mode takes LCOFI, if sstatus.SIE lets it. */
#define IN_S                                                                   \
	SET(PMU_CSR_MIDELEG, LCOFI | TIMER), SET(PMU_CSR_STVEC, PC(HANDLER)),  \
		SET(MIE, LCOFI)
/* The user of counters 3 and 4, claimed, has branches as @status says. */
#define IN_U(status, control)                                                  \
	SET(PMU_CSR_MEBBEN, 0x18), SET(PMU_CSR_SEBBOWN, 0x18),                 \
		SET(PMU_CSR_SEBBCS, PMU_SEBBCS_UE),                            \
		SET(PMU_CSR_EBBHR, PC(HANDLER)), SET(PMU_CSR_EBBCS, status),   \
		SET(PMU_CSR_EBBCTL, control)
#define BRANCHES (PMU_EBBCS_GE | PMU_EBBCS_PE)

static const struct fake_op at_once[] = {
	BEGIN, IN_S, COUNT(3, 2), TO(TO_S | SIE_ON), [BODY + 5] = NOP,
};
static const struct fake_op in_m[] = {
	BEGIN,
	SET(MTVEC, PC(HANDLER)),
	SET(MIE, LCOFI),
	BITS(MSTATUS, MIE_ON),
	SET(MHPMEVENT3, INSNS),
	SET(MHPMCOUNTER3, UINT64_MAX - 3),
	[BODY] = NOP,
};
static const struct fake_op by_sie[] = {
	BEGIN,	      IN_S, COUNT(3, 2), TO(TO_S),
	[BODY] = NOP, NOP,  NOP,	 BITS(PMU_CSR_SSTATUS, SIE_ON),
	NOP,
};
static const struct fake_op by_mie[] = {
	BEGIN,
	IN_S,
	SET(MIE, 0),
	COUNT(3, 2),
	TO(TO_S | SIE_ON),
	[BODY] = NOP,
	NOP,
	NOP,
	BITS(PMU_CSR_SIE, LCOFI),
	NOP,
};
/* The instruction that opens them is the one that overflows. */
static const struct fake_op opened_in_time[] = {
	BEGIN,	  IN_S,		COUNT(3, 3),
	TO(TO_S), [BODY] = NOP, BITS(PMU_CSR_SSTATUS, SIE_ON),
	NOP,
};
static const struct fake_op two_at_once[] = {
	BEGIN,
	IN_S,
	COUNT(3, 2),
	COUNT(5, 2),
	TO(TO_S | SIE_ON),
	[BODY + 5] = NOP,
};
static const struct fake_op one_by_one[] = {
	BEGIN,	      IN_S,
	COUNT(3, 2),  COUNT(5, 3),
	COUNT(4, 5),  TO(TO_S),
	[BODY] = NOP, NOP,
	NOP,	      BITS(PMU_CSR_SSTATUS, SIE_ON),
	NOP,
};
/* The request of counter 3 is taken back before the one of counter 5 comes. */
static const struct fake_op taken_back[] = {
	BEGIN,
	IN_S,
	COUNT(3, 1),
	COUNT(5, 6),
	TO(TO_S),
	[BODY] = NOP,
	CLEAR(PMU_CSR_SIP, LCOFI),
	BITS(PMU_CSR_SSTATUS, SIE_ON),
	NOP,
	NOP,
};
static const struct fake_op by_software[] = {
	BEGIN, IN_S, TO(TO_S | SIE_ON), [BODY] = NOP, BITS(PMU_CSR_SIP, LCOFI),
	NOP,
};
/* The overflow was taken back, and then somebody sets the bit. */
static const struct fake_op set_again[] = {
	BEGIN,
	IN_S,
	COUNT(3, 1),
	TO(TO_S),
	[BODY] = NOP,
	CLEAR(PMU_CSR_SIP, LCOFI),
	BITS(PMU_CSR_SIP, LCOFI),
	BITS(PMU_CSR_SSTATUS, SIE_ON),
	NOP,
};
/* OF cleared while the request stands: the first overflow is the one named. */
static const struct fake_op overflowed_again[] = {
	BEGIN,
	SET(MTVEC, PC(HANDLER)),
	SET(MIE, LCOFI),
	SET(MHPMEVENT3, INSNS),
	SET(MHPMCOUNTER3, UINT64_MAX),
	SET(MHPMEVENT3, INSNS),
	SET(MHPMCOUNTER3, UINT64_MAX),
	NOP,
	BITS(MSTATUS, MIE_ON),
	NOP,
};
static const struct fake_op by_wfi[] = {
	BEGIN,
	IN_S,
	SET(MHPMEVENT3, 1),
	SET(MHPMCOUNTER3, UINT64_MAX - 400),
	TO(TO_S | SIE_ON),
	[BODY] = WFI,
	NOP,
};
static const struct fake_op in_vs[] = {
	BEGIN,
	SET(PMU_CSR_MIDELEG, LCOFI),
	SET(PMU_CSR_HIDELEG, LCOFI),
	SET(PMU_CSR_VSTVEC, PC(HANDLER)),
	SET(MIE, LCOFI),
	COUNT(3, 2),
	TO(TO_S | TO_GUEST),
	[BODY] = NOP,
	NOP,
	NOP,
	BITS(PMU_CSR_SSTATUS, SIE_ON), /* vsstatus */
	NOP,
};
/* A hypervisor's hvip: none of the hart's counters. */
static const struct fake_op given_to_vs[] = {
	BEGIN,
	SET(PMU_CSR_HVIEN, LCOFI),
	SET(PMU_CSR_HVIP, LCOFI),
	SET(PMU_CSR_VSTVEC, PC(HANDLER)),
	COUNT(3, 1),
	TO(TO_S | TO_GUEST),
	[BODY] = NOP,
	BITS(PMU_CSR_SIE, LCOFI),
	BITS(PMU_CSR_SSTATUS, SIE_ON),
	NOP,
};
static const struct fake_op branch[] = {
	BEGIN,	     IN_U(BRANCHES, PMU_EBBCTL_AE),
	COUNT(3, 2), COUNT(4, 2),
	TO(0),	     [BODY + 5] = NOP,
};
static const struct fake_op by_ge[] = {
	BEGIN,	      IN_U(PMU_EBBCS_PE, PMU_EBBCTL_AE),
	COUNT(3, 2),  TO(0),
	[BODY] = NOP, NOP,
	NOP,	      BITS(PMU_CSR_EBBCS, PMU_EBBCS_GE),
	NOP,
};
/* A kernel has put back what it saved of who runs again. */
static const struct fake_op restored[] = {
	BEGIN,
	SET(MHPMEVENT3, OF | MINH | INSNS),
	IN_U(BRANCHES, PMU_EBBCTL_AO),
	TO(0),
	[BODY] = NOP,
};

#define LCOFI_TO(mode)                                                         \
	PMU__V1__DELIVERY__WAY__WAY_LCOFI, PMU__V1__PRIVILEGE__PRIVILEGE_##mode
#define BRANCH	 PMU__V1__DELIVERY__WAY__WAY_EBB, PMU__V1__PRIVILEGE__PRIVILEGE_U
#define ROW(ops) ops, ARRAY_SIZE(ops)

static const struct row {
	const char *why, *rule;
	const struct fake_op *ops;
	size_t n_ops;
	Pmu__V1__Delivery__Way way;
	Pmu__V1__Privilege target;
	uint32_t counters, unknown; /* unknown: without a cycle */
	bool held;
	bool plain; /* without Smaia, which has another order of things */
} rows[] = {
	{ "at once", RULE("C112"), ROW(at_once), LCOFI_TO(S), 8 },
	{ "to M-mode", RULE("C112"), ROW(in_m), LCOFI_TO(M), 8 },
	{ "held by sstatus.SIE", RULE("C112"), ROW(by_sie), LCOFI_TO(S), 8,
	  .held = true },
	{ "held by sie", RULE("C112"), ROW(by_mie), LCOFI_TO(S), 8,
	  .held = true },
	{ "the instruction that lets it through overflows", RULE("C112"),
	  ROW(opened_in_time), LCOFI_TO(S), 8 },
	{ "two of one instruction", RULE("C112"), ROW(two_at_once), LCOFI_TO(S),
	  0x28 },
	{ "three, of which the first had to wait", RULE("C112"),
	  ROW(one_by_one), LCOFI_TO(S), 0x38, .held = true },
	{ "a request that was taken back is for nobody", RULE("C112"),
	  ROW(taken_back), LCOFI_TO(S), 0x20 },
	{ "software has set the bit", RULE("C112"), ROW(by_software),
	  LCOFI_TO(S), 0 },
	{ "software has set the bit in place of an overflow's", RULE("C112"),
	  ROW(set_again), LCOFI_TO(S), 0 },
	{ "the first of two of one counter", RULE("C112"),
	  ROW(overflowed_again), LCOFI_TO(M), 8, .held = true },
	{ "a wait is no delay", RULE("C165"), ROW(by_wfi), LCOFI_TO(S), 8 },
	{ "to a guest, held by vsstatus.SIE", RULE("C175"), ROW(in_vs),
	  LCOFI_TO(VS), 8, .held = true },
	{ "to a guest without Ssaia", RULE("C175"), ROW(in_vs), LCOFI_TO(VS), 8,
	  .held = true, .plain = true },
	{ "a hypervisor gives its guest one", RULE("C175"), ROW(given_to_vs),
	  LCOFI_TO(VS), 0 },
	{ "a branch for two", RULE("C149 ebb_deliver"), ROW(branch), BRANCH,
	  0x18 },
	{ "a branch held by GE", RULE("C150 ebb_deliver"), ROW(by_ge), BRANCH,
	  8, .held = true },
	{ "a branch of who ran before", RULE("C150 ebb_switch"), ROW(restored),
	  BRANCH, 8, .unknown = 8, .held = true },
};

static const char every[] = "xpmuebb=on h=on shlcofideleg=on smaia=on ssaia=on";
static const char plain[] = "xpmuebb=on h=on shlcofideleg=on";

static Pmu__V1__Trace *run(const struct row *row)
{
	fake = (struct fake_script){
		.ops = row->ops, .n = row->n_ops, .base = BASE, .block = 1
	};
	fixture_play(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .settings = row->plain ? plain
								      : every,
					       .deliveries = true },
		     1000);
	ended(CAUSE_FINISHER_PASS, 0);
	return fixture_trace(&f);
}

/* The first overflow of counter @n, which is the one that is delivered. */
static const Pmu__V1__Record *overflow_of(const Pmu__V1__Trace *t, unsigned n)
{
	const Pmu__V1__Record *r;

	for (unsigned i = 0;; i++) {
		r = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, i);
		if (!r || r->overflow->counter == n)
			return r;
	}
}

static void check_cycles(const struct row *row, const Pmu__V1__Trace *t,
			 const Pmu__V1__Delivery *d)
{
	uint32_t left = d->counters;

	for (size_t i = 0; i < d->n_cycles; i++, left &= left - 1) {
		unsigned n = (unsigned)__builtin_ctz(left);

		ck_assert_msg(d->cycles[i] ==
				      (row->unknown >> n & 1
					       ? 0
					       : overflow_of(t, n)->cycle),
			      "%s: counter %u", row->why, n);
	}
	ck_assert_uint_eq(left, 0);
}

TEST_ROWS(a_delivery_names_its_overflows, rows)
{
	const struct row *row = &rows[_i];
	const Pmu__V1__Record *r;
	const Pmu__V1__Delivery *d;
	Pmu__V1__Trace *t = run(row);

	shows(row->rule);
	r = fixture_record(t, PMU__V1__RECORD__KIND_DELIVERY, 0);
	ck_assert_msg(r != NULL, "%s", row->why);
	d = r->delivery;
	ck_assert_msg(d->way == row->way, "%s", row->why);
	ck_assert_msg(d->target == row->target, "%s: %d", row->why, d->target);
	ck_assert_msg(d->counters == row->counters, "%s: %x", row->why,
		      d->counters);
	ck_assert_msg(d->held == row->held, "%s", row->why);
	ck_assert_uint_eq(d->handler, PC(HANDLER));
	ck_assert_uint_eq(d->event, 0);
	check_cycles(row, t, d);
	ck_assert_ptr_null(
		fixture_record(t, PMU__V1__RECORD__KIND_DELIVERY, 1));
	fixture_free_trace(t);
}

/* Software events, of a machine that starts in S-mode */

enum {
	SSE = 0x535345,
	REGISTER = 2,
	ENABLE = 4,
	INJECT = 7,
	UNMASK = 8,
	OVERFLOW = 0x10000,
	A0 = 10,
	A6 = 16,
};
#define CALL(fid, a0, a1)                                                      \
	LI(A0, a0), LI(A0 + 1, a1), LI(A6, fid), LI(A6 + 1, SSE),              \
		INSN(FAKE_ECALL)
#define WANTED(event)                                                          \
	BEGIN, CALL(REGISTER, event, PC(HANDLER)), CALL(ENABLE, event, 0),     \
		CALL(UNMASK, 0, 0)
#define LOCAL UINT32_C(0xffff0000)

static const struct fake_op event_wanted[] = {
	WANTED(OVERFLOW),
	[BODY + 5] = NOP,
};
static const struct fake_op event_injected[] = {
	WANTED(LOCAL),
	CALL(INJECT, LOCAL, 0),
	[BODY + 5] = NOP,
};

static const struct event_row {
	const char *why;
	const struct fake_op *ops;
	size_t n_ops;
	uint64_t until; /* instructions, to the overflow; 0: never */
	uint32_t event, counters;
	bool held;
} event_rows[] = {
	{ "at once", ROW(event_wanted), 56, OVERFLOW, 8 },
	{ "while the event is masked, or not even there", ROW(event_wanted), 3,
	  OVERFLOW, 8, true },
	{ "no instruction before the call that unmasks it", ROW(event_wanted),
	  14, OVERFLOW, 8, true },
	{ "another event", ROW(event_injected), 0, LOCAL, 0 },
	{ "another event, an overflow waits", ROW(event_injected), 3, LOCAL,
	  0 },
};

static void write_csr(uint16_t csr, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { csr, value } };

	PREPARING(ck_assert(machine_input(f.m, &in, NULL, NULL)));
}

static void begin_in_s(const struct event_row *row)
{
	fake = (struct fake_script){
		.ops = row->ops, .n = row->n_ops, .base = BASE, .block = 1
	};
	fixture_init(&f, &(struct fixture_config){
				 .settings = "sse=on max-cycles=3000",
				 .deliveries = true });
	fixture_start(&f);
	PREPARING(ck_assert(machine_pause(f.m, NULL)));
	if (!row->until)
		return;
	write_csr(MHPMEVENT3, INSNS);
	write_csr(MHPMCOUNTER3, 0 - row->until);
	write_csr(MCOUNTINHIBIT, 0);
}

TEST_ROWS(a_software_event_names_itself_and_its_overflows, event_rows)
{
	const struct event_row *row = &event_rows[_i];
	const Pmu__V1__Record *r;
	const Pmu__V1__Delivery *d;
	Pmu__V1__Trace *t;

	shows(RULE("C176"));
	begin_in_s(row);
	ck_assert(machine_resume(f.m, NULL));
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_FINISHER_PASS, 0);
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_DELIVERY, 0);
	ck_assert_msg(r != NULL, "%s", row->why);
	d = r->delivery;
	ck_assert_int_eq(d->way, PMU__V1__DELIVERY__WAY__WAY_SSE);
	ck_assert_int_eq(d->target, PMU__V1__PRIVILEGE__PRIVILEGE_S);
	ck_assert_int_eq(r->privilege, PMU__V1__PRIVILEGE__PRIVILEGE_S);
	ck_assert_uint_eq(d->handler, PC(HANDLER));
	ck_assert_msg(d->event == row->event, "%s: %x", row->why, d->event);
	ck_assert_msg(d->counters == row->counters, "%s", row->why);
	ck_assert_msg(d->held == row->held, "%s", row->why);
	ck_assert_uint_eq(d->n_cycles, row->counters != 0);
	if (row->counters)
		ck_assert_uint_eq(d->cycles[0], overflow_of(t, 3)->cycle);
	ck_assert_ptr_null(
		fixture_record(t, PMU__V1__RECORD__KIND_DELIVERY, 1));
	fixture_free_trace(t);
}

/* What is not asked for is not recorded. */
TEST(deliveries_are_recorded_on_demand)
{
	Pmu__V1__Trace *t;

	SCRIPT(at_once);
	play("");
	t = fixture_trace(&f);
	ck_assert_ptr_nonnull(fixture_record(t, PMU__V1__RECORD__KIND_TRAP, 0));
	ck_assert_ptr_null(
		fixture_record(t, PMU__V1__RECORD__KIND_DELIVERY, 0));
	fixture_free_trace(t);
}

SUITE("deliveries", .teardown = teardown);
