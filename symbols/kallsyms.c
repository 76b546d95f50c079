/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The build of Linux writes, each aligned to a pointer until 6.19 and to 4
 * bytes from 7.0 on:
 *
 *   num_syms       u32: how many names
 *   names          each a length of 1 or 2 bytes and so many tokens
 *   markers        u32 each: where every 256th name begins
 *   token_table    256 strings: what a token stands for
 *   token_index    u16 each: where each of them begins
 *   offsets        u32 each: where a symbol is; see kallsyms-addresses.c
 *
 * The digits stand for themselves, one after the other in the token table,
 * which is rare enough to look for. Everything else follows from there and is
 * checked: whatever else has digits in a row fails at once.
 */
#include "kallsyms.h"

#include <string.h>

#include "kallsyms-addresses.h"

enum {
	TOKENS = 256,
	TOKEN_MAX = 64, /* bytes of one; in fact far fewer */
	GROUP = 256,	/* names from a marker to the next */
	NAME_BYTES = 2 + SYMBOL_MAP_MAX_NAME,
	INDEX_BYTES = 2 * TOKENS,
	WORK_MAX = 1 << 26, /* steps until nothing more is looked for */
};

/* Offsets in the memory. */
struct tables {
	size_t align; /* of each of them */
	size_t names, markers, tokens, index;
	size_t n, n_markers; /* how many */
	struct kallsyms_addresses addresses;
};

/* Tokens */

/* Behind the string at @at, 0: it has no end where one may be. */
static size_t skip_token(const struct kallsyms_memory *m, size_t at)
{
	size_t most = m->size - at < TOKEN_MAX ? m->size - at : TOKEN_MAX;
	const uint8_t *end = most ? memchr(m->at + at, 0, most) : NULL;

	return end ? (size_t)(end - m->at) + 1 : 0;
}

static const uint8_t *token(const struct kallsyms_memory *m,
			    const struct tables *t, uint8_t number)
{
	return m->at + t->tokens +
	       kallsyms_read(m, t->index + 2 * (size_t)number, 2);
}

/* Behind the last token, if the one of the digit 0 is at @zero; or 0. */
static size_t skip_tokens(const struct kallsyms_memory *m, size_t zero)
{
	size_t at = zero;

	for (unsigned i = '0'; i < TOKENS; i++) {
		at = skip_token(m, at);
		if (!at)
			return 0;
	}
	return at;
}

/* Both tables of tokens, which have 0 at @zero and end at @end. */
static bool find_tokens(const struct kallsyms_memory *m, size_t zero,
			size_t end, struct tables *ret)
{
	size_t at;

	ret->index = kallsyms_align(end, ret->align);
	if (!kallsyms_fits(m, ret->index, INDEX_BYTES) ||
	    kallsyms_read(m, ret->index + 2 * '0', 2) > zero)
		return false;
	ret->tokens = zero - kallsyms_read(m, ret->index + 2 * '0', 2);
	at = ret->tokens;
	for (unsigned i = 0; i < TOKENS; i++) {
		if (!at ||
		    kallsyms_read(m, ret->index + 2 * i, 2) != at - ret->tokens)
			return false;
		at = skip_token(m, at);
	}
	return at == end && ret->tokens % ret->align == 0;
}

/* Markers */

/* Those that end at @end: back to the first, which is 0. */
static bool read_markers(struct kallsyms_memory *m, size_t end,
			 struct tables *ret)
{
	uint32_t later = UINT32_MAX;
	size_t at = end;

	while (at >= 4 && kallsyms_word(m, at - 4) < later &&
	       kallsyms_work(m, 1)) {
		at -= 4;
		later = kallsyms_word(m, at);
		if (later)
			continue;
		ret->markers = at;
		ret->n_markers = (end - at) / 4;
		return at % ret->align == 0;
	}
	return false;
}

/* Names */

/*
 * The length of the name at @at, and behind its length. Up to the markers, of
 * which there is one at least, nothing of a length is beyond the memory; what
 * is no name expand() says.
 */
static size_t read_length(const struct kallsyms_memory *m, size_t *at)
{
	size_t len = m->at[(*at)++];

	if (len & 0x80)
		len = (len & 0x7f) | (size_t)m->at[(*at)++] << 7;
	return len;
}

/* Do @n names from @at on end before the markers, which tell of them? */
static bool check_names(struct kallsyms_memory *m, size_t at, size_t n,
			struct tables *t)
{
	size_t start = at, len;

	t->names = at;
	t->n = n;
	for (size_t i = 0; i < n; i++) {
		if (i % GROUP == 0 &&
		    kallsyms_word(m, t->markers + 4 * (i / GROUP)) !=
			    at - start)
			return false;
		len = read_length(m, &at);
		if (!len || !kallsyms_work(m, 1) || at + len > t->markers)
			return false;
		at += len;
	}
	return kallsyms_align(at, t->align) == t->markers;
}

/*
 * The last group's length is not known: the names begin somewhere before the
 * markers, behind their number.
 */
static bool find_names(struct kallsyms_memory *m, struct tables *t)
{
	size_t last = kallsyms_word(m, t->markers + 4 * (t->n_markers - 1));
	size_t end = t->markers - last, at = end - end % t->align;

	if (last > t->markers)
		return false;
	for (; at && end - at <= GROUP * NAME_BYTES && kallsyms_work(m, 1);
	     at -= t->align) {
		uint32_t n = kallsyms_word(m, at - t->align);

		if (n && (n - 1) / GROUP + 1 == t->n_markers &&
		    check_names(m, at, n, t))
			return true;
	}
	return false;
}

/* The whole */

struct name {
	size_t len;
	char text[SYMBOL_MAP_MAX_NAME + 2]; /* its type first */
};

/* What the tokens at @at stand for. False: no name. */
static bool expand(const struct kallsyms_memory *m, const struct tables *t,
		   size_t at, size_t n, struct name *ret)
{
	ret->len = 0;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *c = token(m, t, m->at[at + i]);

		for (; *c; c++) {
			if (*c <= ' ' || *c >= 0x7f ||
			    ret->len == sizeof(ret->text))
				return false;
			ret->text[ret->len++] = (char)*c;
		}
	}
	return ret->len > 1;
}

static bool add_names(const struct kallsyms_memory *m, const struct tables *t,
		      struct symbol_map *map)
{
	struct name name;
	size_t at = t->names, len;

	for (size_t i = 0; i < t->n; i++) {
		uint64_t address = kallsyms_address(m, &t->addresses, i);

		len = read_length(m, &at);
		if (!expand(m, t, at, len, &name) ||
		    !symbol_map_add(map, address, name.text[0], name.text + 1,
				    name.len - 1))
			return false;
		at += len;
	}
	return true;
}

static struct symbol_map *make_map(const struct kallsyms_memory *m,
				   const struct tables *t)
{
	struct symbol_map *map = symbol_map_new();

	if (map && add_names(m, t, map)) {
		symbol_map_finish(map);
		return map;
	}
	symbol_map_free(map);
	return NULL;
}

/* The names before the tokens, and where each is. */
static bool find_names_and_addresses(struct kallsyms_memory *m,
				     struct tables *t, const char **ret_why)
{
	/* between markers and tokens may be what aligns the latter */
	for (size_t pad = 0; pad < t->align && pad <= t->tokens; pad += 4) {
		if (!read_markers(m, t->tokens - pad, t) || !find_names(m, t))
			continue;
		t->addresses.at =
			kallsyms_align(t->index + INDEX_BYTES, t->align);
		t->addresses.n = t->n;
		if (kallsyms_find_addresses(m, t->align, &t->addresses,
					    ret_why))
			return true;
	}
	return false;
}

/* All tables, if the digit 0 at @zero is one of theirs. */
static struct symbol_map *try(struct kallsyms_memory *m, size_t zero,
			      const char **ret_why)
{
	size_t end = skip_tokens(m, zero);

	for (size_t align = m->pointer; end && align >= 4; align /= 2) {
		struct tables t = { .align = align };

		if (find_tokens(m, zero, end, &t) &&
		    find_names_and_addresses(m, &t, ret_why))
			return make_map(m, &t);
	}
	return NULL;
}

struct symbol_map *kallsyms_find(const uint8_t *memory, size_t size,
				 unsigned xlen, const char **ret_why)
{
	static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0"
				     "8\0009";
	struct kallsyms_memory m = { memory, size, xlen / 8, WORK_MAX };
	const uint8_t *end = memory + size, *at = memory;
	struct symbol_map *found = NULL;

	*ret_why = "no Linux kernel's table of symbols (kallsyms) is in the "
		   "guest's memory";
	while (!found && at < end && kallsyms_work(&m, TOKENS)) {
		at = memmem(at, (size_t)(end - at), digits, sizeof(digits));
		if (!at)
			break;
		found = try(&m, (size_t)(at - memory), ret_why);
		at++;
	}
	return found;
}
