/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a call of the block hook looks like in generated code of x86-64, and
 * what replaces it. Knows bytes and distances, and no rule about counting.
 */
#ifndef UNICORN_FAST_HOOK_CALL_H
#define UNICORN_FAST_HOOK_CALL_H

#include <stdbool.h>
#include <stdint.h>

enum {
	CODE_SITE_MIN = 37, /* bytes */
	CODE_SITE_MAX = 55,
};

/* A call of the hook. */
struct code_call {
	uint64_t args[4];
	const uint8_t *ret; /* where it returns to */
};

/* What replaces it. */
struct code_count {
	uint64_t counts;
	uint64_t *left;	 /* @counts is taken off this word */
	uint32_t number; /* goes here: */
	uint32_t *current;
	void *const *slow; /* called instead of that if @left gets negative */
};

/*
 * The start of the call of the hook that returns to @call->ret, and its length
 * to the end of the check for a stop behind it; NULL unless each byte is as
 * expected.
 */
uint8_t *code_find(const struct code_call *call, uint8_t *ret_len);
/* Where the check at the end of @was, which ends at @end, goes for a stop. */
uint8_t *code_stop(const uint8_t *was, uint8_t len, uint8_t *end);
/*
 * The @len bytes for @at; @back is where in them the hook returns to. False if
 * they do not fit, or something is too far away.
 */
bool code_compose(uint8_t *ret, const uint8_t *at, uint8_t len,
		  const struct code_count *c, const uint8_t *back);
/*
 * Where a block that ends behind @ret, which a helper that raises an exception
 * would return to, leaves generated code: with its result in rax. NULL unless
 * each byte is as expected.
 */
const uint8_t *code_way_out(const uint8_t *ret);
/* What the slow way was called for, from the address it returns to. */
uint64_t *code_left(const uint8_t *slow_ret);
uint32_t code_number(const uint8_t *slow_ret);

#endif
