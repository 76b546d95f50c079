/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state in which the firmware hands over (C26, C58, C121), num_counters
 * and counter_get_info (conformance B).
 */
#include "conf.h"

/* The ids whose info has not what belongs there, as a bitmap. */
static struct answer wrong_infos(const uint64_t *a)
{
	uint64_t wrong = 0;

	for (uint64_t i = 0; i < mach.n; i++) {
		uint64_t info = get_info(&i).value;

		if (!(mach.valid >> i & 1))
			continue;
		if (i < mach.fw && (info & 0xfff) != 0xc00 + i)
			wrong |= 1ull << i; /* its CSR */
		if (!info || (info << 1 & ~0ull >> (64 - __riscv_xlen)) >> 19)
			wrong |= 1ull << i; /* bits with no meaning */
		if (i >= mach.fw && (info >> 12 & 63) != 63)
			wrong |= 1ull << i; /* C12 */
	}
	(void)a;
	return (struct answer){ 0, wrong };
}

static struct answer fewer_than_64(const uint64_t *a)
{
	struct answer n = num_counters(a);

	return (struct answer){ n.error, n.value < 64 };
}

void chapter_boot(void)
{
	const struct step steps[] = {
		{ "cycle runs", RULE("C26 C58 C121"), start, { 0, 1 },
		  BOTH(ERR(STARTED)) },
		{ "instret runs", RULE("C26 C58"), start, { 2, 1 },
		  BOTH(ERR(STARTED)) },
		{ "cycle can be stopped without a configuration", RULE("C58"),
		  stop, { 0, 1 }, BOTH(VAL(0)) },
		{ "once", RULE("C58"), stop, { 0, 1 }, BOTH(ERR(STOPPED)) },
		{ "cycle starts again", RULE("C58"), start, { 0, 1 },
		  BOTH(VAL(0)) },
		{ "a programmable counter has no event", RULE("C54"), start,
		  { mach.hw, 1 }, BOTH(ERR(PARAM)) },
		{ "a firmware counter has no event", RULE("C54"), start,
		  { mach.fw, 1 }, BOTH(ERR(PARAM)) },
		{ "no overflow shows, or all where OF disables", RULE("C121"),
		  scountovf, { mach.programmable },
		  DIFF(VAL(0), VAL(mach.programmable)) },
		{ "no overflow interrupt is pending", RULE("C121"), lcofi,
		  { 0 }, BOTH(VAL(0)) },
		{ "scounteren lets U read time only", RULE("C121"), read_csr,
		  { 0x106 }, BOTH(VAL(2)) },
		{ "satp is 0", RULE("C121"), read_csr, { 0x180 },
		  BOTH(VAL(0)) },
		{ "sie is 0", RULE("C121"), read_csr, { 0x104 },
		  BOTH(VAL(0)) },
	};

	TAP_STEPS("boot", steps);
}

static void ranges(void)
{
	const struct step steps[] = {
		{ "there are fewer than 64 counters", RULE("C191"),
		  fewer_than_64, { 0 }, BOTH(VAL(1)) },
		{ "the last id is a counter", RULE("C6 C7"), get_info,
		  { mach.n - 1 }, BOTH(OK) },
		{ "the number of counters is no id", RULE("C14"), get_info,
		  { mach.n }, BOTH(ERR(PARAM)) },
		{ "-1 is no id", RULE("C14"), get_info, { ALL },
		  BOTH(ERR(PARAM)) },
		{ "time is no counter", RULE("C8"), get_info, { 1 },
		  BOTH(ERR(PARAM)) },
		{ "every id has its CSR, its width, and no other bit",
		  RULE("C9 C12 C13 C200"), wrong_infos, { 0 }, BOTH(VAL(0)) },
		{ "cycle is CSR 0xc00, 64 bits", RULE("C9 C11"), get_info,
		  { 0 }, BOTH(VAL(0x3fc00)) },
		{ "instret is CSR 0xc02, 64 bits", RULE("C9 C11"), get_info,
		  { 2 }, BOTH(VAL(0x3fc02)) },
		{ "the first firmware counter is 64 bits", RULE("C12 C200"),
		  get_info, { mach.fw },
		  BOTH(VAL(1ull << (__riscv_xlen - 1) | 63 << 12)) },
	};

	TAP_STEPS("info", steps);
}

void chapter_info(void)
{
	const struct step wide[] = {
		{ "an id is as wide as a register", RULE("C4"), get_info,
		  { 1ull << 32 }, BOTH(ERR(PARAM)) },
	};

	ranges();
	if (RV64)
		TAP_STEPS("info", wide);
}
