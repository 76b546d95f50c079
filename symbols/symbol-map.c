/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A sorted array and one piece of memory for the names. Of several symbols of
 * one address the one is told that a reader looks for: code before data,
 * functions before the bounds of code, global before local, otherwise what
 * symbol-alias.h says, and the first of the list where even the names are
 * alike.
 */
#include "symbol-map.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "buf.h"
#include "hex-digit.h"
#include "symbol-alias.h"

struct map_entry {
	uint64_t address;
	uint32_t name;	/* where it begins in the names */
	uint32_t order; /* in which it came */
	char type;
	uint32_t key; /* of the name: symbol-alias.h */
};

struct symbol_map {
	struct map_entry *all;
	size_t n, room;
	struct buf names;
};

struct symbol_map *symbol_map_new(void)
{
	return calloc(1, sizeof(struct symbol_map));
}

void symbol_map_free(struct symbol_map *m)
{
	if (!m)
		return;
	free(m->all);
	buf_free(&m->names);
	free(m);
}

/* "$x" and ".L12" stand everywhere in code and name none. */
static bool names_nothing(const char *name, size_t len)
{
	return name[0] == '$' || (len > 1 && name[0] == '.' && name[1] == 'L');
}

bool symbol_map_add(struct symbol_map *m, uint64_t address, char type,
		    const char *name, size_t len)
{
	size_t at = buf_len(&m->names);
	uint8_t *to;

	if (len && names_nothing(name, len))
		return true;
	if (m->n == SYMBOL_MAP_MAX || !len || len > SYMBOL_MAP_MAX_NAME ||
	    at + len + 1 > SYMBOL_MAP_MAX_BYTES)
		return false;
	to = buf_reserve(&m->names, len + 1);
	if (!to || !ARRAY_ROOM(m->all, &m->room, m->n))
		return false;
	memcpy(to, name, len);
	to[len] = 0;
	m->all[m->n] = (struct map_entry){
		.address = address,
		.name = (uint32_t)at,
		.order = (uint32_t)m->n,
		.type = type,
		.key = symbol_alias_key((const char *)to),
	};
	m->n++;
	buf_commit(&m->names, len + 1);
	return true;
}

static bool is_code(char type)
{
	return strchr("TtWw", type) != NULL;
}

/* The lower, the more it is what a reader looks for. */
static int rank(char type)
{
	if (!is_code(type))
		return 3;
	if (type == 'T')
		return 0;
	return type == 't' ? 2 : 1;
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct map_entry *x = a, *y = b;
	const char *names = arg;
	int c = (x->address > y->address) - (x->address < y->address);

	if (!c)
		c = is_code(y->type) - is_code(x->type);
	if (c)
		return c;
	c = symbol_alias_is_bound(x->key) - symbol_alias_is_bound(y->key);
	if (!c)
		c = rank(x->type) - rank(y->type);
	if (!c)
		c = symbol_alias_compare(x->key, names + x->name, y->key,
					 names + y->name);
	return c ? c : (int)x->order - (int)y->order;
}

void symbol_map_finish(struct symbol_map *m)
{
	if (m->n)
		qsort_r(m->all, m->n, sizeof(*m->all), compare, m->names.data);
}

/* Lines */

struct map_line {
	uint64_t address;
	char type;
	const char *name;
	size_t len;
};

/* Of an address, whose letters are small. */
static int digit(char c)
{
	return c >= 'A' && c <= 'F' ? -1 : hex_digit(c);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '?';
}

/* The line at @at, which ends before @end. */
static bool read_line(const char *at, const char *end, struct map_line *ret)
{
	const char *p = at;

	ret->address = 0;
	for (; p < end && digit(*p) >= 0; p++)
		ret->address = ret->address << 4 | (unsigned)digit(*p);
	if ((p - at != 16 && p - at != 8) || end - p < 4 || p[0] != ' ' ||
	    !is_letter(p[1]) || p[2] != ' ')
		return false;
	ret->type = p[1];
	ret->name = p += 3;
	while (p<end && * p> ' ' && *p < 0x7f)
		p++;
	ret->len = (size_t)(p - ret->name);
	/* behind the name only its module */
	return ret->len && (p == end || (end - p > 2 && p[0] == '\t' &&
					 p[1] == '[' && end[-1] == ']'));
}

/* NULL, or what is wrong. */
static const char *read_lines(struct symbol_map *m, const char *text,
			      size_t size)
{
	const char *end = text + size, *stop;
	struct map_line line;

	for (const char *at = text; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		if (!read_line(at, stop, &line))
			return "neither an ELF file with segments nor a "
			       "System.map, whose lines are ADDRESS TYPE NAME "
			       "(Debian's of /boot names the package with it)";
		if (!symbol_map_add(m, line.address, line.type, line.name,
				    line.len))
			return "a System.map of more names than there may be "
			       "or is memory for";
	}
	return NULL;
}

struct symbol_map *symbol_map_parse(const char *text, size_t size,
				    const char **ret_why)
{
	struct symbol_map *m = symbol_map_new();

	*ret_why = m ? read_lines(m, text, size) : "out of memory";
	if (m)
		symbol_map_finish(m);
	if (!*ret_why && (!m->n || !m->all[m->n - 1].address))
		*ret_why = "a list of symbols without addresses: whoever read "
			   "it was not allowed to see them";
	if (!*ret_why)
		return m;
	symbol_map_free(m);
	return NULL;
}

/* Questions */

size_t symbol_map_count(const struct symbol_map *m)
{
	return m->n;
}

size_t symbol_map_bytes(const struct symbol_map *m)
{
	return sizeof(*m) + m->room * sizeof(*m->all) + m->names.cap;
}

static const char *name_of(const struct symbol_map *m, size_t i)
{
	return (const char *)buf_head(&m->names) + m->all[i].name;
}

void symbol_map_get(const struct symbol_map *m, size_t i,
		    struct map_symbol *ret)
{
	*ret = (struct map_symbol){ .address = m->all[i].address,
				    .name = name_of(m, i),
				    .type = m->all[i].type };
}

/* How many lie before @address. */
static size_t count_before(const struct symbol_map *m, uint64_t address)
{
	size_t low = 0;

	for (size_t high = m->n; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (m->all[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * A list may hold all its names at one address, so that the first of an address
 * is searched for as well, not walked to.
 */
bool symbol_map_find(const struct symbol_map *m, uint64_t pc,
		     struct map_symbol *ret)
{
	size_t i = pc == UINT64_MAX ? m->n : count_before(m, pc + 1);

	if (!i)
		return false;
	symbol_map_get(m, count_before(m, m->all[i - 1].address), ret);
	return is_code(ret->type);
}

bool symbol_map_address(const struct symbol_map *m, const char *name,
			uint64_t *ret)
{
	for (size_t i = 0; i < m->n; i++) {
		if (strcmp(name_of(m, i), name) != 0)
			continue;
		*ret = m->all[i].address;
		return true;
	}
	return false;
}
