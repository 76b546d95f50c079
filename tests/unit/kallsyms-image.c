/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of a kernel's symbols: see kallsyms-image.h. */
#include "kallsyms-image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol-map.h"

struct kernel k;

enum {
	TOKENS = 256,
	LONG = 'Z' /* a token of several letters */
};

#define BASE64 UINT64_C(0xffffffff80000000)
#define BASE32 UINT64_C(0xc0000000)

void kernel_name(unsigned i, char *ret)
{
	if (k.longest)
		sprintf(ret, "%0*u", SYMBOL_MAP_MAX_NAME - 1, i);
	else if (i == 7) /* takes a length of two bytes */
		memset(ret, 'x', 300), strcpy(ret + 300, "_7");
	else if (i == 9) /* its length is a letter's token */
		sprintf(ret, "%0*u", 'A' - 1, i);
	else
		sprintf(ret, "TEST_function_%u", i);
}

static uint64_t base(void)
{
	return k.xlen == 64 ? BASE64 : BASE32;
}

static size_t place(unsigned i)
{
	return 16 * (size_t)(i / 2 * 2) +
	       (i >= (k.n + 1) / 2 ? KERNEL_BEHIND : 0);
}

uint64_t kernel_address(unsigned i)
{
	return base() + place(i);
}

static void put(uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		k.memory[k.at++] = (uint8_t)(value >> 8 * i);
}

static size_t label(void)
{
	while (k.at % (k.layout == LAYOUT_BASE ? k.xlen / 8 : 4))
		k.at++;
	return k.at;
}

/* "T" and the name, of which LONG stands for a part. */
static void put_name(unsigned i)
{
	char name[SYMBOL_MAP_MAX_NAME], *word;
	uint8_t tokens[SYMBOL_MAP_MAX_NAME];
	size_t n = 0;

	kernel_name(i, name);
	tokens[n++] = i % 2 ? 't' : 'T';
	for (const char *c = name; *c;) {
		word = strstr(name, "_function_");
		tokens[n++] = c == word ? LONG : (uint8_t)*c;
		c += c == word ? strlen("_function_") : 1;
	}
	if (n < 0x80) {
		put(n, 1);
	} else {
		put((n & 0x7f) | 0x80, 1);
		put(n >> 7, 1);
	}
	for (size_t j = 0; j < n; j++)
		put(tokens[j], 1);
}

static void put_tokens(void)
{
	size_t starts[TOKENS];

	k.tokens = label();
	for (unsigned i = 0; i < TOKENS; i++) {
		starts[i] = k.at - k.tokens;
		if (i == LONG) {
			memcpy(k.memory + k.at, "_function_", 10);
			k.at += 10;
		} else if (i == KERNEL_SPARE) {
			memset(k.memory + k.at, 'a', k.spare);
			k.at += k.spare;
		} else if (i > ' ' && i < 0x7f) {
			put(i, 1);
		}
		put(0, 1);
	}
	k.index = label();
	for (unsigned i = 0; i < TOKENS; i++)
		put(starts[i], 2);
}

static void put_addresses(void)
{
	k.offsets = label();
	for (unsigned i = 0; i < k.n; i++) {
		if (k.layout == LAYOUT_BASE)
			put(place(i), 4);
		else if (k.layout == LAYOUT_PLACE)
			put(place(i) - k.at, 4);
		else
			put(kernel_address(i), 4);
	}
	k.base = label();
	if (k.layout == LAYOUT_BASE)
		put(base(), k.xlen / 8);
}

void kernel_head(size_t at, size_t to)
{
	size_t tables = k.at;

	k.at = at;
	put(base() + to, k.xlen / 8);
	put(base() + to, k.xlen / 8);
	k.at = tables;
}

void kernel_make(unsigned xlen, unsigned n)
{
	uint32_t markers[SYMBOL_MAP_MAX / 256];

	free(k.memory);
	k = (struct kernel){ .memory = calloc(1, KERNEL_SIZE),
			     .xlen = xlen,
			     .n = n,
			     .layout = k.layout,
			     .start = k.start,
			     .spare = k.spare,
			     .longest = k.longest };
	for (size_t i = 0; i < KERNEL_HEADS; i++)
		kernel_head(KERNEL_HEADS_AT + 16 * i, KERNEL_HEADS_AT + 16 * i);
	k.at = k.start ? k.start : KERNEL_AT;
	k.num_syms = label();
	put(n, 4);
	k.names = label();
	for (unsigned i = 0; i < n; i++) {
		if (i % 256 == 0)
			markers[i / 256] = (uint32_t)(k.at - k.names);
		put_name(i);
	}
	k.markers = label();
	for (unsigned i = 0; i < n; i += 256)
		put(markers[i / 256], 4);
	put_tokens();
	put_addresses();
}
