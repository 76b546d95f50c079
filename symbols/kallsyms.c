/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The build of Linux 6.12 writes, each aligned to a pointer:
 *
 *   num_syms       u32: how many names
 *   names          each a length of 1 or 2 bytes and so many tokens
 *   markers        u32 each: where every 256th name begins
 *   token_table    256 strings: what a token stands for
 *   token_index    u16 each: where each of them begins
 *   offsets        u32 each: addresses less the base, ascending
 *   relative_base  a pointer
 *
 * The digits stand for themselves, one after the other in the token table,
 * which is rare enough to look for. Everything else follows from there and is
 * checked: whatever else has digits in a row fails at once.
 */
#include "kallsyms.h"

#include <string.h>

enum {
	TOKENS = 256,
	TOKEN_MAX = 64, /* bytes of one; in fact far fewer */
	GROUP = 256,	/* names from a marker to the next */
	NAME_BYTES = 2 + SYMBOL_MAP_MAX_NAME,
	INDEX_BYTES = 2 * TOKENS,
	WORK_MAX = 1 << 26, /* steps until nothing more is looked for */
};

/* What is read, never beyond its end. */
struct memory {
	const uint8_t *at;
	size_t size, align;
	uint64_t work; /* steps left: a guest may try to make it long */
};

/* Offsets in the memory. */
struct tables {
	size_t names, markers, tokens, index, offsets, base;
	size_t n, n_markers; /* how many */
};

static uint64_t read(const struct memory *m, size_t at, size_t bytes)
{
	uint64_t ret = 0;

	for (size_t i = 0; i < bytes; i++)
		ret |= (uint64_t)m->at[at + i] << 8 * i;
	return ret;
}

static uint32_t word(const struct memory *m, size_t at)
{
	return (uint32_t)read(m, at, 4);
}

static bool fits(const struct memory *m, size_t at, size_t bytes)
{
	return at <= m->size && bytes <= m->size - at;
}

static size_t align(const struct memory *m, size_t at)
{
	return (at + m->align - 1) & ~(m->align - 1);
}

static bool work(struct memory *m, uint64_t steps)
{
	if (m->work < steps)
		return false;
	m->work -= steps;
	return true;
}

/* Tokens */

/* Behind the string at @at, 0: it has no end where one may be. */
static size_t skip_token(const struct memory *m, size_t at)
{
	size_t most = m->size - at < TOKEN_MAX ? m->size - at : TOKEN_MAX;
	const uint8_t *end = most ? memchr(m->at + at, 0, most) : NULL;

	return end ? (size_t)(end - m->at) + 1 : 0;
}

static const uint8_t *token(const struct memory *m, const struct tables *t,
			    uint8_t number)
{
	return m->at + t->tokens + read(m, t->index + 2 * (size_t)number, 2);
}

/* From the digit 0 at @zero to both tables of tokens. */
static bool find_tokens(const struct memory *m, size_t zero, struct tables *ret)
{
	size_t end = zero, at;

	for (unsigned i = '0'; i < TOKENS; i++) {
		end = skip_token(m, end);
		if (!end)
			return false;
	}
	ret->index = align(m, end);
	if (!fits(m, ret->index, INDEX_BYTES) ||
	    read(m, ret->index + 2 * '0', 2) > zero)
		return false;
	ret->tokens = zero - read(m, ret->index + 2 * '0', 2);
	at = ret->tokens;
	for (unsigned i = 0; i < TOKENS; i++) {
		if (!at || read(m, ret->index + 2 * i, 2) != at - ret->tokens)
			return false;
		at = skip_token(m, at);
	}
	return at == end && ret->tokens % m->align == 0;
}

/* Markers */

/* Those that end at @end: back to the first, which is 0. */
static bool read_markers(struct memory *m, size_t end, struct tables *ret)
{
	uint32_t later = UINT32_MAX;
	size_t at = end;

	while (at >= 4 && word(m, at - 4) < later && work(m, 1)) {
		at -= 4;
		later = word(m, at);
		if (later)
			continue;
		ret->markers = at;
		ret->n_markers = (end - at) / 4;
		return at % m->align == 0;
	}
	return false;
}

/* Names */

/*
 * The length of the name at @at, and behind its length. Up to the markers, of
 * which there is one at least, nothing of a length is beyond the memory; what
 * is no name expand() says.
 */
static size_t read_length(const struct memory *m, size_t *at)
{
	size_t len = m->at[(*at)++];

	if (len & 0x80)
		len = (len & 0x7f) | (size_t)m->at[(*at)++] << 7;
	return len;
}

/* Do @n names from @at on end before the markers, which tell of them? */
static bool check_names(struct memory *m, size_t at, size_t n, struct tables *t)
{
	size_t start = at, len;

	t->names = at;
	t->n = n;
	for (size_t i = 0; i < n; i++) {
		if (i % GROUP == 0 &&
		    word(m, t->markers + 4 * (i / GROUP)) != at - start)
			return false;
		len = read_length(m, &at);
		if (!work(m, 1) || at + len > t->markers)
			return false;
		at += len;
	}
	return align(m, at) == t->markers;
}

/*
 * The last group's length is not known: the names begin somewhere before the
 * markers, behind their number.
 */
static bool find_names(struct memory *m, struct tables *t)
{
	size_t last = word(m, t->markers + 4 * (t->n_markers - 1));
	size_t end = t->markers - last, at = end - end % m->align;

	if (last > t->markers)
		return false;
	for (; at && end - at <= GROUP * NAME_BYTES && work(m, 1);
	     at -= m->align) {
		uint32_t n = word(m, at - m->align);

		if (n && (n - 1) / GROUP + 1 == t->n_markers &&
		    check_names(m, at, n, t))
			return true;
	}
	return false;
}

/* Addresses */

static uint64_t base_of(const struct memory *m, const struct tables *t)
{
	return read(m, t->base, m->align);
}

static bool find_offsets(const struct memory *m, struct tables *t)
{
	uint64_t base, top = m->align == 8 ? UINT64_MAX : UINT32_MAX;
	uint32_t before = 0;

	t->offsets = align(m, t->index + INDEX_BYTES);
	t->base = align(m, t->offsets + 4 * t->n);
	if (!fits(m, t->base, m->align))
		return false;
	for (size_t i = 0; i < t->n; i++) {
		uint32_t offset = word(m, t->offsets + 4 * i);

		if (offset < before)
			return false;
		before = offset;
	}
	base = base_of(m, t);
	return base && before <= top - base;
}

/* The whole */

struct name {
	size_t len;
	char text[SYMBOL_MAP_MAX_NAME + 2]; /* its type first */
};

/* What the tokens at @at stand for. False: no name. */
static bool expand(const struct memory *m, const struct tables *t, size_t at,
		   size_t n, struct name *ret)
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

static bool add_names(const struct memory *m, const struct tables *t,
		      struct symbol_map *map)
{
	struct name name;
	size_t at = t->names, len;

	for (size_t i = 0; i < t->n; i++) {
		uint64_t address = base_of(m, t) + word(m, t->offsets + 4 * i);

		len = read_length(m, &at);
		if (!expand(m, t, at, len, &name) ||
		    !symbol_map_add(map, address, name.text[0], name.text + 1,
				    name.len - 1))
			return false;
		at += len;
	}
	return true;
}

static struct symbol_map *make_map(const struct memory *m,
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

/* All tables, if the digit 0 at @zero is one of theirs. */
static struct symbol_map *try(struct memory *m, size_t zero)
{
	struct tables t;

	if (!find_tokens(m, zero, &t))
		return NULL;
	/* between markers and tokens may be what aligns the latter */
	for (size_t pad = 0; pad < m->align && pad <= t.tokens; pad += 4) {
		if (read_markers(m, t.tokens - pad, &t) && find_names(m, &t) &&
		    find_offsets(m, &t))
			return make_map(m, &t);
	}
	return NULL;
}

struct symbol_map *kallsyms_find(const uint8_t *memory, size_t size,
				 unsigned xlen)
{
	static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0"
				     "8\0009";
	struct memory m = { memory, size, xlen / 8, WORK_MAX };
	const uint8_t *end = memory + size, *at = memory;
	struct symbol_map *found = NULL;

	while (!found && at < end && work(&m, TOKENS)) {
		at = memmem(at, (size_t)(end - at), digits, sizeof(digits));
		if (!at)
			break;
		found = try(&m, (size_t)(at - memory));
		at++;
	}
	return found;
}
