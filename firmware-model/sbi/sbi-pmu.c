/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMU: decodes the calls, checks them in the order of conformance C, D and E,
 * and applies operations to sets of counters. What one counter does, and which
 * one an event gets, is decided in counters/.
 */
#include <pmu/counter.h>
#include <pmu/csr-number.h>

#include "counters/fw-counters.h"
#include "sse/sse-event.h"
#include "sbi-extension.h"

enum {
	START_SET_INIT_VALUE = 1 << 0,
	START_INIT_SNAPSHOT = 1 << 1,
	START_ALL = 3,
	STOP_RESET = 1 << 0,
	STOP_TAKE_SNAPSHOT = 1 << 1,
};

static bool pmu_available(const struct fw *fw)
{
	return counters_usable(fw) || fw->cfg.quirks.pmu_always;
}

/* A set of counters as a call names it: base and mask. */
struct ctr_set {
	unsigned base, first;
	uint64_t all; /* by logical id */
};

static int64_t refuse_hole(const struct fw *fw, uint64_t holes)
{
	unsigned n = (unsigned)__builtin_ctzll(holes);

	return REFUSE(fw, INVALID_PARAM,
		      n == TIME_HOLE ? "counter %d (time) cannot be "
				       "configured, started or stopped"
				     : "there is no counter %d",
		      n);
}

/*
 * C16, C17: all of the range must lie below the number of counters; a counter
 * that does not exist is refused, or ignored as the reference does.
 */
static int64_t take_set(const struct fw *fw, const struct sbi_call *call,
			struct ctr_set *ret)
{
	const struct fw_hart *h = &fw->hart[call->hart];
	uint64_t base = call->arg[0], mask = call->arg[1], holes;

	if (!mask)
		return REFUSE(fw, INVALID_PARAM, "the set is empty");
	if (base >= ctr_count(h) ||
	    base + 63 - (unsigned)__builtin_clzll(mask) >= ctr_count(h))
		return REFUSE(fw, INVALID_PARAM,
			      "the set from %d on goes beyond counter %d", base,
			      ctr_count(h) - 1);
	ret->base = (unsigned)base;
	ret->first = ret->base + (unsigned)__builtin_ctzll(mask);
	ret->all = mask << base;
	if (fw->cfg.quirks.holes_skipped)
		ret->all &= ctr_ids(h);
	holes = ret->all & ~ctr_ids(h);
	return holes ? refuse_hole(fw, holes) : SBI_SUCCESS;
}

static struct sbi_ret num_counters(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(ctr_count(sbi_caller(fw, call)));
}

static struct sbi_ret counter_get_info(struct fw *fw, struct sbi_call *call)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	uint64_t n = call->arg[0], width;

	/* The reference has 32 bits for it (C206). */
	if (fw->cfg.quirks.id_32_bits)
		n = (uint32_t)n;
	if (n >= ctr_count(h) || !(ctr_ids(h) >> n & 1))
		return sbi_err(
			REFUSE(fw, INVALID_PARAM, "there is no counter %d", n));
	if (ctr_is_firmware(h, (unsigned)n))
		return sbi_ok(UINT64_C(1) << (fw_xlen(h) - 1) | 63 << 12);
	width = pmu_counter_width(h->pmu, (unsigned)n);
	return sbi_ok((PMU_CSR_CYCLE + n) | (width - 1) << 12);
}

static struct sbi_ret counter_config_matching(struct fw *fw,
					      struct sbi_call *call)
{
	struct ctr_request req = { .flags = call->arg[2],
				   .event_idx = call->arg[3],
				   .event_data = call->arg[4] };
	struct ctr_set set;
	int64_t err = take_set(fw, call, &set);
	unsigned n;

	if (err)
		return sbi_err(err);
	req.base = set.base;
	req.first = set.first;
	req.set = set.all;
	err = ctr_config_matching(fw, sbi_caller(fw, call), &req, call->now,
				  &n);
	return err ? sbi_err(err) : sbi_ok(n);
}

/* The answer for a set: the first error, or the last counter's (C51, C61). */
static void combine(const struct fw *fw, int64_t *answer, int64_t one)
{
	if (one || fw->cfg.quirks.last_answer)
		*answer = one;
}

/* Flags that contradict each other or the set (C48, C50). */
static bool start_flags_valid(const struct fw *fw, const struct sbi_call *call)
{
	uint64_t flags = call->arg[2];

	if (!(flags & START_SET_INIT_VALUE))
		return true;
	if (flags & START_INIT_SNAPSHOT && !fw->cfg.quirks.two_values_no_shmem)
		return false;
	return __builtin_popcountll(call->arg[1]) == 1 ||
	       fw->cfg.quirks.init_value_for_all;
}

/* Is a snapshot asked for that there is no page for? */
static bool lacks_page(const struct fw *fw, const struct sbi_call *call,
		       uint64_t flag)
{
	return call->arg[2] & flag && !snapshot_has_page(&fw->hart[call->hart]);
}

/*
 * What start and stop check first: @ret has the counters of the set that have
 * a mapping, at least one.
 */
static int64_t take_mapped(const struct fw *fw, const struct sbi_call *call,
			   bool no_shmem, struct ctr_set *ret)
{
	int64_t err = take_set(fw, call, ret);

	if (err)
		return err;
	if (no_shmem)
		return REFUSE(fw, NO_SHMEM, "there is no snapshot memory");
	ret->all = ctr_mapped(&fw->hart[call->hart], ret->all);
	return ret->all ? SBI_SUCCESS
			: REFUSE(fw, INVALID_PARAM,
				 "no counter of the set has an event");
}

static int64_t refuse_page(const struct fw *fw, const struct fw_hart *h,
			   const char *text)
{
	return REFUSE(fw, FAILED, text, snapshot_page(h));
}

static int64_t start_one(struct fw *fw, const struct sbi_call *call, unsigned n,
			 const uint64_t *value)
{
	struct fw_hart *h = sbi_caller(fw, call);
	int64_t error = ctr_start(fw, h, n, value, call->now);

	if (!error)
		return SBI_SUCCESS;
	ctr_started_already(fw, h, n);
	return sbi_refuse(fw, error,
			  (struct fw_refusal){ "counter %d runs already", n });
}

/*
 * Once it has snapshots, Linux (6.12 to 7.2 at least) restarts counters after
 * an overflow with 64 * 64 for a base, and lets them stand when that fails.
 */
static void tell_of_mistake(const struct fw *fw, const struct sbi_call *call)
{
	enum {
		LINUX_BASE = 4096
	};

	if (call->arg[0] == LINUX_BASE &&
	    snapshot_has_page(&fw->hart[call->hart]))
		fw->machine.ops->snapshot_mistake(fw->machine.host, call->hart);
}

static struct sbi_ret counter_start(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);
	uint64_t value = call->arg[3], flags = call->arg[2];
	struct ctr_set set;
	int64_t err, answer = SBI_SUCCESS;

	if (!start_flags_valid(fw, call))
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "flags %x: two initial values, or one "
				      "for several counters",
				      flags));
	/* Both flags that come so far are -9 (C48). */
	err = take_mapped(fw, call,
			  lacks_page(fw, call, START_INIT_SNAPSHOT) ||
				  flags == START_ALL,
			  &set);
	if (err) {
		tell_of_mistake(fw, call);
		return sbi_err(err);
	}
	for (; set.all; set.all &= set.all - 1) {
		unsigned n = (unsigned)__builtin_ctzll(set.all);

		if (flags & START_INIT_SNAPSHOT &&
		    !snapshot_load(fw, h, n - set.base, &value))
			return sbi_err(refuse_page(
				fw, h,
				"the snapshot memory at %x cannot be read"));
		combine(fw, &answer,
			start_one(fw, call, n,
				  flags & START_ALL ? &value : NULL));
	}
	return sbi_err(answer);
}

static int64_t stop_one(const struct fw *fw, struct fw_hart *h, unsigned n)
{
	int64_t error = ctr_stop(h, n);

	if (!error)
		return SBI_SUCCESS;
	return sbi_refuse(
		fw, error,
		(struct fw_refusal){ "counter %d is stopped already", n });
}

static struct sbi_ret counter_stop(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);
	struct ctr_set set;
	int64_t err = take_mapped(
		fw, call, lacks_page(fw, call, STOP_TAKE_SNAPSHOT), &set);
	int64_t answer = SBI_SUCCESS;

	if (err)
		return sbi_err(err);
	for (uint64_t s = set.all; s; s &= s - 1)
		combine(fw, &answer,
			stop_one(fw, h, (unsigned)__builtin_ctzll(s)));
	sse_counters_stopped(fw, h, set.all);
	/* The values first, then the mappings (C72). */
	if (call->arg[2] & STOP_TAKE_SNAPSHOT &&
	    !snapshot_save(fw, h, set.base, set.all))
		answer = refuse_page(
			fw, h, "the snapshot memory at %x cannot be written");
	if (!(call->arg[2] & STOP_RESET))
		return sbi_err(answer);
	for (; set.all; set.all &= set.all - 1)
		ctr_reset(fw, h, (unsigned)__builtin_ctzll(set.all));
	return sbi_err(answer);
}

static bool firmware_counter(const struct fw_hart *h, uint64_t n)
{
	return n < ctr_count(h) && ctr_is_firmware(h, (unsigned)n);
}

static int64_t refuse_read(const struct fw *fw, const struct fw_hart *h,
			   uint64_t n)
{
	return REFUSE(fw, INVALID_PARAM,
		      firmware_counter(h, n) ? "counter %d has no event"
					     : "%d is no firmware counter",
		      n);
}

static struct sbi_ret counter_fw_read(struct fw *fw, struct sbi_call *call)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	uint64_t n = call->arg[0];

	if (!firmware_counter(h, n) || !ctr_is_owned(h, (unsigned)n))
		return sbi_err(refuse_read(fw, h, n));
	return sbi_ok(ctr_get(h, (unsigned)n));
}

static struct sbi_ret counter_fw_read_hi(struct fw *fw, struct sbi_call *call)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	uint64_t n = call->arg[0];

	/* The reference reads nothing on RV64, so it misses nothing (C80). */
	if (firmware_counter(h, n) && fw_xlen(h) != 32 &&
	    fw->cfg.quirks.read_hi_any)
		return sbi_ok(0);
	if (!firmware_counter(h, n) || !ctr_is_owned(h, (unsigned)n))
		return sbi_err(refuse_read(fw, h, n));
	return sbi_ok(fw_xlen(h) == 32 ? ctr_get(h, (unsigned)n) >> 32 : 0);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(num_counters, SBI_V03) },
	[1] = { CALL(counter_get_info, SBI_V03) },
	[2] = { CALL(counter_config_matching, SBI_V03), WIDE(4),
		FLAGS(2, { CFG_ALL, SBI_V03 }) },
	[3] = { CALL(counter_start, SBI_V03), WIDE(3),
		FLAGS(2, { START_SET_INIT_VALUE, SBI_V03 },
		      { START_INIT_SNAPSHOT, SBI_V2 }) },
	[4] = { CALL(counter_stop, SBI_V03),
		FLAGS(2, { STOP_RESET, SBI_V03 },
		      { STOP_TAKE_SNAPSHOT, SBI_V2 }) },
	[5] = { CALL(counter_fw_read, SBI_V03) },
	[6] = { CALL(counter_fw_read_hi, SBI_V2) },
	[7] = { CALL(snapshot_set_shmem, SBI_V2), STRICT_NO_FLAGS(2),
		.available = snapshot_available },
	[8] = { CALL(event_get_info, SBI_V3), STRICT_NO_FLAGS(3) },
};

const struct sbi_ext sbi_ext_pmu = {
	.eid = SBI_EID_PMU,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
	.available = pmu_available,
};
