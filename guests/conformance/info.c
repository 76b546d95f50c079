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
		if (i < mach.fw && (info & 0xfff) != CYCLE + i)
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

static const struct step boot[] = {
	CLAIM("cycle runs", RULE("C26 C58 C121"), BOTH(ERR(STARTED)), start, 0,
	      1),
	CLAIM("instret runs", RULE("C26 C58"), BOTH(ERR(STARTED)), start, 2, 1),
	CLAIM("cycle can be stopped without a configuration", RULE("C58"),
	      BOTH(VAL(0)), stop, 0, 1),
	CLAIM("once", RULE("C58"), BOTH(ERR(STOPPED)), stop, 0, 1),
	CLAIM("cycle starts again", RULE("C58"), BOTH(VAL(0)), start, 0, 1),
	CLAIM("a programmable counter has no event", RULE("C54"),
	      BOTH(ERR(PARAM)), start, HW1, 1),
	CLAIM("a firmware counter has no event", RULE("C54"), BOTH(ERR(PARAM)),
	      start, FW1, 1),
	CLAIM("no overflow shows, or all where OF disables", RULE("C121"),
	      DIFF(VAL(0), VAL(PROGRAMMABLE)), scountovf, PROGRAMMABLE),
	CLAIM("no overflow interrupt is pending", RULE("C121"), BOTH(VAL(0)),
	      lcofi, 0),
	CLAIM("scounteren lets U read time only", RULE("C121"), BOTH(VAL(2)),
	      read_csr, SCOUNTEREN),
	CLAIM("satp is 0", RULE("C121"), BOTH(VAL(0)), read_csr, SATP),
	CLAIM("sie is 0", RULE("C121"), BOTH(VAL(0)), read_csr, SIE),
};

void chapter_boot(void)
{
	TAP_STEPS("boot", boot);
}

static const struct step ranges[] = {
	CLAIM("there are fewer than 64 counters", RULE("C191"), BOTH(VAL(1)),
	      fewer_than_64, 0),
	CLAIM("the last id is a counter", RULE("C6 C7"), BOTH(OK), get_info,
	      LAST),
	CLAIM("the number of counters is no id", RULE("C14"), BOTH(ERR(PARAM)),
	      get_info, N),
	CLAIM("-1 is no id", RULE("C14"), BOTH(ERR(PARAM)), get_info, ALL),
	CLAIM("time is no counter", RULE("C8"), BOTH(ERR(PARAM)), get_info, 1),
	CLAIM("every id has its CSR, its width, and no other bit",
	      RULE("C9 C12 C13 C200"), BOTH(VAL(0)), wrong_infos, 0),
	CLAIM("cycle is CSR 0xc00, 64 bits", RULE("C9 C11"), BOTH(VAL(0x3fc00)),
	      get_info, 0),
	CLAIM("instret is CSR 0xc02, 64 bits", RULE("C9 C11"),
	      BOTH(VAL(0x3fc02)), get_info, 2),
	CLAIM("the first firmware counter is 64 bits", RULE("C12 C200"),
	      BOTH(VAL(1ull << (__riscv_xlen - 1) | 63 << 12)), get_info, FW1),
};

static const struct step wide_rv64[] = {
	CLAIM("an id is as wide as a register", RULE("C4 C206"),
	      DIFF(ERR(PARAM), VAL(63 << 12 | 0xc00)), get_info, 1ull << 32),
	CLAIM("an id of 33 bits and a hole's", RULE("C4 C206"),
	      BOTH(ERR(PARAM)), get_info, 1ull << 32 | 1),
};

/* A counter that the hart lacks, among those that it has. */
static const struct step absent[] = {
	FRESH,
	CLAIM("a counter that is not there has none", RULE("C10"),
	      BOTH(ERR(PARAM)), get_info, ABSENT),
	CLAIM("an event for it", RULE("C17 C206"), DIFF(ERR(PARAM), VAL(0)),
	      config, ABSENT, 1, 0, CYCLES),
	CLAIM("an event for a set with it", RULE("C17"),
	      DIFF(ERR(PARAM), VAL(HW1)), config, 0, HW_SET_ABSENT, 0, CYCLES),
	CLAIM("start it", RULE("C17"), BOTH(ERR(PARAM)), start, ABSENT, 1),
	CLAIM("stop it", RULE("C17"), BOTH(ERR(PARAM)), stop, ABSENT, 1),
	CLAIM("read it as a firmware counter", RULE("C79"), BOTH(ERR(PARAM)),
	      fw_read, ABSENT),
	FRESH,
};

void chapter_info(void)
{
	TAP_STEPS("info", ranges);
	if (RV64)
		TAP_STEPS("info", wide_rv64);
	if (mach.absent)
		TAP_STEPS("info", absent);
}
