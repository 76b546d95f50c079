/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes: recognizes the call of the hook, and composes, as long or shorter,
 *
 *	movabs $counts, %rcx
 *	sub    %rcx, left(%rip)
 *	js     1f
 *	movl   $number, current(%rip)
 *	jmp    2f
 * 1:	call   *slow(%rip)
 * 2:
 *
 * What a helper call may change is free there: generated code keeps nothing in
 * registers or flags across it but what a callee saves.
 */
#include "hook-call.h"

#include <string.h>

enum {
	AT_SUB = 10,
	AT_JS = 17,
	AT_MOVL = 19,
	AT_JMP = 29,
	AT_CALL = 31,
	COUNT_LEN = CODE_SITE_MIN,
	CHECK_LEN = 11, /* mov -16(%rbp),%ebx; test %ebx,%ebx; jl rel32 */
	PAD_MAX = 8,
};

static const uint8_t check[] = { 0x8b, 0x5d, 0xf0, 0x85, 0xdb, 0x0f, 0x8c };

static int32_t get32(const uint8_t *p)
{
	int32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* An argument's register: number, and whether it needs no prefix beyond W. */
static const uint8_t arg_regs[4] = { 7, 6, 2, 1 }; /* rdi, rsi, rdx, rcx */

/* The ways in which generated code loads a constant; each returns its bytes. */

static unsigned load_zero(uint8_t *to, unsigned reg, uint64_t v, uint64_t end)
{
	to[0] = 0x33;
	to[1] = (uint8_t)(0xc0 | reg * 9);
	return v == 0 ? 2 : 0;
}

static unsigned load_32(uint8_t *to, unsigned reg, uint64_t v, uint64_t end)
{
	to[0] = (uint8_t)(0xb8 + reg);
	memcpy(to + 1, &v, 4);
	return v == (uint32_t)v ? 5 : 0;
}

static unsigned load_signed(uint8_t *to, unsigned reg, uint64_t v, uint64_t end)
{
	to[0] = 0x48;
	to[1] = 0xc7;
	to[2] = (uint8_t)(0xc0 + reg);
	memcpy(to + 3, &v, 4);
	return v == (uint64_t)(int32_t)v ? 7 : 0;
}

static unsigned load_near(uint8_t *to, unsigned reg, uint64_t v, uint64_t end)
{
	uint64_t rel = v - end;

	to[0] = 0x48;
	to[1] = 0x8d;
	to[2] = (uint8_t)(5 + reg * 8);
	memcpy(to + 3, &rel, 4);
	return rel == (uint64_t)(int32_t)rel ? 7 : 0;
}

static unsigned load_64(uint8_t *to, unsigned reg, uint64_t v, uint64_t end)
{
	to[0] = 0x48;
	to[1] = (uint8_t)(0xb8 + reg);
	memcpy(to + 2, &v, 8);
	return 10;
}

/* Where the load of @v into @reg that ends at @end starts, or NULL. */
static const uint8_t *load_before(const uint8_t *end, unsigned reg, uint64_t v)
{
	static unsigned (*const ways[])(uint8_t *, unsigned, uint64_t,
					uint64_t) = {
		load_zero, load_32, load_signed, load_near, load_64,
	};
	uint8_t want[10];

	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		unsigned len = ways[i](want, reg, v, (uint64_t)(uintptr_t)end);

		if (len != 0 && memcmp(end - len, want, len) == 0)
			return end - len;
	}
	return NULL;
}

/* Where the call that returns to @end starts, or NULL. */
static const uint8_t *call_before(const uint8_t *end)
{
	if (end[-5] == 0xe8)
		return end - 5;
	return end[-6] == 0xff && end[-5] == 0x15 ? end - 6 : NULL;
}

uint8_t *code_find(const struct code_call *call, uint8_t *ret_len)
{
	const uint8_t *at;

	if (memcmp(call->ret, check, sizeof(check)) != 0)
		return NULL;
	at = call_before(call->ret);
	for (unsigned i = 4; at != NULL && i-- > 0;)
		at = load_before(at, arg_regs[i], call->args[i]);
	if (at == NULL)
		return NULL;
	*ret_len = (uint8_t)(call->ret + CHECK_LEN - at);
	return (uint8_t *)(uintptr_t)at;
}

uint8_t *code_stop(const uint8_t *was, uint8_t len, uint8_t *end)
{
	return end + get32(was + len - 4);
}

/*
 * Behind a call that does not return is the block's end for a stop: lea block,
 * %rax; jmp to the epilogue, which takes back the frame and restores all that a
 * callee saves.
 */
const uint8_t *code_way_out(const uint8_t *ret)
{
	static const uint8_t lea[] = { 0x48, 0x8d, 0x05 };
	static const uint8_t vzeroupper[] = { 0xc5, 0xf8, 0x77 };
	static const uint8_t add_rsp[] = { 0x48, 0x81, 0xc4 };
	static const uint8_t pops[] = { 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d,
					0x41, 0x5c, 0x5b, 0x5d, 0xc3 };
	const uint8_t *out, *at;

	if (memcmp(ret, lea, sizeof(lea)) != 0 || ret[7] != 0xe9)
		return NULL;
	out = at = ret + 12 + get32(ret + 8);
	if (memcmp(at, add_rsp, sizeof(add_rsp)) != 0)
		return NULL;
	at += sizeof(add_rsp) + 4;
	if (memcmp(at, vzeroupper, sizeof(vzeroupper)) == 0)
		at += sizeof(vzeroupper);
	return memcmp(at, pops, sizeof(pops)) == 0 ? out : NULL;
}

static bool put_rel(uint8_t *to, const uint8_t *next, const void *target)
{
	intptr_t rel = (intptr_t)target - (intptr_t)next;
	int32_t rel32 = (int32_t)rel;

	memcpy(to, &rel32, sizeof(rel32));
	return rel == rel32;
}

static void put_nops(uint8_t *to, unsigned n)
{
	static const uint8_t nops[][PAD_MAX] = {
		{ 0 },
		{ 0x90 },
		{ 0x66, 0x90 },
		{ 0x0f, 0x1f, 0x00 },
		{ 0x0f, 0x1f, 0x40, 0x00 },
		{ 0x0f, 0x1f, 0x44, 0x00, 0x00 },
		{ 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 },
		{ 0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00 },
	};

	memcpy(to, nops[n], n);
}

/*
 * The hook that is running returns to @back: there must be the jump to the end,
 * or what follows it.
 */
static bool pad_for(uint8_t len, unsigned back, unsigned *ret)
{
	*ret = 0;
	if (back < AT_JMP || len < COUNT_LEN)
		return false;
	if (back < COUNT_LEN)
		*ret = back - AT_JMP;
	return *ret + COUNT_LEN <= len;
}

bool code_compose(uint8_t *ret, const uint8_t *at, uint8_t len,
		  const struct code_count *c, const uint8_t *back)
{
	unsigned pad;
	bool near;

	if (len > CODE_SITE_MAX || !pad_for(len, (unsigned)(back - at), &pad))
		return false;
	memset(ret, 0x90, len);
	put_nops(ret, pad);
	ret += pad;
	at += pad;
	len = (uint8_t)(len - pad);
	memcpy(ret, (uint8_t[]){ 0x48, 0xb9 }, 2);
	memcpy(ret + 2, &c->counts, 8);
	memcpy(ret + AT_SUB, (uint8_t[]){ 0x48, 0x29, 0x0d }, 3);
	near = put_rel(ret + AT_SUB + 3, at + AT_JS, c->left);
	memcpy(ret + AT_JS, (uint8_t[]){ 0x78, AT_CALL - AT_MOVL }, 2);
	memcpy(ret + AT_MOVL, (uint8_t[]){ 0xc7, 0x05 }, 2);
	near &= put_rel(ret + AT_MOVL + 2, at + AT_JMP, c->current);
	memcpy(ret + AT_MOVL + 6, &c->number, 4);
	ret[AT_JMP] = 0xeb;
	ret[AT_JMP + 1] = (uint8_t)(len - AT_CALL);
	memcpy(ret + AT_CALL, (uint8_t[]){ 0xff, 0x15 }, 2);
	near &= put_rel(ret + AT_CALL + 2, at + COUNT_LEN, c->slow);
	return near;
}

uint64_t *code_left(const uint8_t *slow_ret)
{
	const uint8_t *at = slow_ret - COUNT_LEN;

	return (uint64_t *)(uintptr_t)(at + AT_JS + get32(at + AT_SUB + 3));
}

uint32_t code_number(const uint8_t *slow_ret)
{
	return (uint32_t)get32(slow_ret - COUNT_LEN + AT_MOVL + 6);
}
