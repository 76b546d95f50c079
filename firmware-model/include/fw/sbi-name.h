/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The extensions of the SBI and their functions, by number and by name: the one
 * table, for the firmware and for whoever prints calls. Needs nothing else of
 * the firmware.
 */
#ifndef FW_SBI_NAME_H
#define FW_SBI_NAME_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
/* EBB is ours, among the experimental ones. */
#define SBI_EXTENSIONS(row)                                                    \
	row(BASE, 0x10)                                                        \
	row(TIME, 0x54494d45)                                                  \
	row(IPI, 0x735049)                                                     \
	row(RFENCE, 0x52464e43)                                                \
	row(HSM, 0x48534d)                                                     \
	row(SRST, 0x53525354)                                                  \
	row(PMU, 0x504d55)                                                     \
	row(DBCN, 0x4442434e)                                                  \
	row(SUSP, 0x53555350)                                                  \
	row(FWFT, 0x46574654)                                                  \
	row(SSE, 0x535345)                                                     \
	row(EBB, 0x08454242)
/* clang-format on */

/* Legacy calls have an EID each, from 0 on, and no FID. */
enum sbi_eid {
#define SBI_EID_NUMBER(name, eid) SBI_EID_##name = (eid),
	SBI_EXTENSIONS(SBI_EID_NUMBER)
#undef SBI_EID_NUMBER
};

struct sbi_name {
	uint32_t eid, fid;
	const char *name;   /* "PMU.counter_start" */
	const char *params; /* parted by blanks; NAME:64 has 64 bits on RV32 */
};

/* NULL: there is no such call. Of a legacy one @fid says nothing. */
const struct sbi_name *sbi_name_find(uint64_t eid, uint64_t fid);
const char *sbi_call_name(uint64_t eid, uint64_t fid);
/* The @i-th of all calls, NULL after the last. */
const struct sbi_name *sbi_name_at(size_t i);
/* "PMU", also of the legacy calls; NULL: there is no such extension. */
const char *sbi_extension_name(uint64_t eid);

#endif
