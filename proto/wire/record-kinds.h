/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kinds of records, once: those of Record's oneof, the flag of RecordFilter
 * that asks for each, and what people call it. In the order of their lists.
 */
#ifndef WIRE_RECORD_KINDS_H
#define WIRE_RECORD_KINDS_H

/* X(PMU__V1__RECORD__KIND_..., field of RecordFilter, name) */
#define RECORD_KINDS(X)                                                        \
	X(OVERFLOW, overflows, "overflow")                                     \
	X(SAMPLE, samples, "sample")                                           \
	X(TRAP, traps, "trap")                                                 \
	X(SBI_CALL, sbi_calls, "sbi")                                          \
	X(CSR_ACCESS, csr_accesses, "csr")                                     \
	X(DELIVERY, deliveries, "delivery")                                    \
	X(CONSOLE_OUTPUT, console, "console")                                  \
	X(INPUT, inputs, "input")                                              \
	X(HART_CHANGE, hart_changes, "hart")                                   \
	X(EBB_DELIVERY, ebb_deliveries, "ebb")                                 \
	X(RESET, resets, "reset")                                              \
	X(ABSENT, absences, "absent")                                          \
	X(STOP, stops, "stop")

#define RECORD_KIND_ONE(kind, flag, name) +1
enum {
	RECORD_N_KINDS = 0 RECORD_KINDS(RECORD_KIND_ONE)
};

#endif
