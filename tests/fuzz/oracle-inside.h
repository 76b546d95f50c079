/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of the oracle, for oracle-access.c and oracle-csr.c alone. */
#ifndef TESTS_FUZZ_ORACLE_INSIDE_H
#define TESTS_FUZZ_ORACLE_INSIDE_H

#include "../../guests/common/csr-short.h"
#include "oracle.h"

#define BIT(n)		(UINT64_C(1) << (n))
#define COUNTER_ID(num) ((num)&31)

enum {
	LCOFI = 13,
	CDE = 60,
	CSRIND = 60,
	SE = 63,
	MINH = 62,
};

/* Groups of CSRs that behave alike; the number tells the counter. */
enum kind {
	NONE,
	USER_LOW,  /* 0xc00-0xc1f */
	USER_HIGH, /* 0xc80-0xc9f */
	VALUE_LOW, /* 0xb00-0xb1f */
	VALUE_HIGH,
	EVENT_LOW, /* 0x321-0x33f */
	EVENT_HIGH,
	INDIRECT,    /* sireg, sireg2-6 */
	VS_INDIRECT, /* vsireg, vsireg2-6 */
	PLAIN,	     /* one of the numbers above */
};

static inline bool rv32(const struct oracle *o)
{
	return o->cfg.xlen == 32;
}

static inline bool is_virtual(const struct oracle *o)
{
	return o->mode == PMU_MODE_VS || o->mode == PMU_MODE_VU;
}

/* oracle-access.c: the group of a CSR that this hart has, or NONE. */
enum kind oracle_kind(const struct oracle *o, uint16_t num);
/* What the mode gets for touching it. */
enum pmu_csr_result oracle_check(const struct oracle *o, enum kind kind,
				 const struct oracle_access *a);
/* 1-6 of sireg to sireg6; of vsireg, too. */
unsigned oracle_ireg(uint16_t num);

#endif
