/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SBI calls as values: the answer, and a call made by an instrument.
 */
#ifndef FW_SBI_H
#define FW_SBI_H

#include <stddef.h>
#include <stdint.h>

#include <fw/sbi-error.h>

/* a0 and a1. @value is XLEN wide, zero-extended on RV32. */
struct sbi_ret {
	int64_t error; /* of legacy calls: what they return in a0 */
	uint64_t value;
};

struct fw;

enum fw_outcome {
	FW_DONE,     /* handled; @ret says what to write and where to go on */
	FW_REDIRECT, /* give the trap to S-mode (pmu_trap_redirect) */
	FW_GONE,     /* this hart does not go on here: stop, suspend, reset */
};

/*
 * A call as @hart's S-mode would make it, for instruments. @args: a0-a7.
 * FW_DONE with @ret set, or FW_GONE; never FW_REDIRECT: where the call would
 * end in a page fault of the guest, the answer is SBI_ERR_INVALID_ADDRESS.
 */
enum fw_outcome fw_sbi_call(struct fw *fw, unsigned hart, uint64_t now,
			    const uint64_t args[8], struct sbi_ret *ret);

/*
 * Why a call was refused, said by the place that refused it: a text of the
 * program's with up to two numbers, which stand in it as %d or %x.
 */
struct fw_refusal {
	const char *text;
	uint64_t a, b;
};
/* Of the last call, whoever made it. text NULL: it was not refused. */
const struct fw_refusal *fw_refusal(const struct fw *fw);
/* The whole sentence, cut to @size with its 0; "" if there is none. */
void fw_refusal_text(const struct fw_refusal *refusal, char *buf, size_t size);

#endif
