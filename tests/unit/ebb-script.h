/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sessions of event-based branches on the machine over the scripted engine:
 * their acts, and what came of them.
 */
#ifndef TESTS_UNIT_EBB_SCRIPT_H
#define TESTS_UNIT_EBB_SCRIPT_H

#include <pmu/counter.h>
#include <pmu/rule.h>

#include "core/input.h"
#include "core/machine-ebb.h"
#include "view/inspect.h"
#include "machine-script.h"

enum {
	INSNS = 2, /* selector */
	HART = 0,
	SLICES = 50,
	LCOFIP = 1 << 13,
};

#define FOREVER UINT32_MAX

/* Four instructions a turn, for ever. */
static const struct fake_op loop_ops[] = { NOP, NOP, NOP, JUMP(0) };

static struct error error;

static inline void begin(const char *settings, const Pmu__V1__Trace *replay)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = settings,
		.traps = true,
		.replay = replay,
	};

	SCRIPT(loop_ops);
	fake.block = 3;
	fixture_init(&f, &cfg);
	fixture_start(&f);
}

static inline bool input(struct ebb_act act)
{
	const struct input in = { .kind = INPUT_EBB, .hart = HART, .ebb = act };

	return machine_input(f.m, &in, NULL, &error);
}

/* One that is done. */
static inline void act(struct ebb_act act)
{
	ck_assert_msg(input(act), "%s", error.text);
}

static inline void simply(enum ebb_what what, uint32_t session)
{
	act((struct ebb_act){ .what = what, .session = session });
}

static inline void add(uint32_t session, uint32_t counter, uint64_t period)
{
	act((struct ebb_act){ .what = EBB_ADD,
			      .session = session,
			      .counter = counter,
			      .event = INSNS,
			      .period = period });
}

static inline void rearm(uint32_t session, uint32_t counter, uint64_t period)
{
	act((struct ebb_act){ .what = EBB_REARM,
			      .session = session,
			      .counter = counter,
			      .period = period });
}

enum {
	FREEZES = 1,
	RELOADS = 2
};

/* Session @number with counter 3, enabled but masked. */
static inline void open_one(uint32_t number, unsigned how, uint64_t period)
{
	act((struct ebb_act){ .what = EBB_OPEN,
			      .session = number,
			      .freezes = how & FREEZES,
			      .reloads = how & RELOADS });
	add(number, 3, period);
	simply(EBB_ENABLE, number);
}

static inline void run(unsigned slices)
{
	fixture_run(&f, 1000, slices);
}

static inline uint64_t csr(uint16_t number)
{
	struct inspect_csr csr;

	ck_assert(inspect_csr(f.m, HART, number, &csr, &error));
	return csr.value;
}

static inline bool has_of(unsigned n)
{
	return csr((uint16_t)(MHPMEVENT3 - 3 + n)) >> 63;
}

/* How often sessions were told. */
static inline unsigned told(void)
{
	Pmu__V1__Trace *t = fixture_trace(&f);
	unsigned n = 0;

	while (fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, n))
		n++;
	fixture_free_trace(t);
	return n;
}

static inline uint64_t now(void)
{
	return fixture_status(&f).cycle;
}

#endif
