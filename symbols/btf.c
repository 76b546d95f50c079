/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BTF, as it lies in a kernel's memory, all in words of 32 bits:
 *
 *   header   magic and version, where a word may begin; its length; where types
 *            begin behind it and their length; the same of strings
 *   types    numbered from 1 on, of 12 bytes and what their kind adds: name,
 *            kind and how many parts, size or another type's number
 *   strings  each ended by 0; a name is where it begins, 0 stands for none
 *
 * There is no table of types: one is found by passing those before it, from the
 * last on of which it is known where it is, as every thousandth that was passed
 * is marked. So whichever order types are in, a search has steps enough. Only
 * the kernel's own description counts, of numbers in one piece and pointers;
 * that of a module goes on from the kernel's types and has no structure of the
 * kernel.
 */
#include "btf.h"

#include <string.h>

enum {
	MAGIC = 0x0001eb9f, /* version 1, no flags */
	WORK_MAX = 1 << 23, /* steps until nothing more is looked for */
	HEADER_BYTES = 24,
	TYPE_BYTES = 12,
	MEMBER_BYTES = 12,
	DEPTH_MAX = 8,	     /* of structures in structures */
	MARK_EACH = 1 << 10, /* types */
	MARKS = 1 << 8,
};

enum kind {
	KIND_INT = 1,
	KIND_PTR = 2,
	KIND_ARRAY = 3,
	KIND_STRUCT = 4,
	KIND_UNION = 5,
	KIND_TYPEDEF = 8,
	KIND_VOLATILE = 9,
	KIND_CONST = 10,
	KIND_RESTRICT = 11,
	KIND_TYPE_TAG = 18,
	N_KINDS = 20
};

/* What a kind adds to its 12 bytes: so many, and for each of its parts. */
static const struct {
	uint8_t bytes, each;
} added[N_KINDS] = {
	[KIND_INT] = { 4, 0 },
	[KIND_ARRAY] = { 12, 0 },
	[KIND_STRUCT] = { 0, MEMBER_BYTES },
	[KIND_UNION] = { 0, MEMBER_BYTES },
	[6] = { 0, 8 },	  /* enum */
	[13] = { 0, 8 },  /* parameters of a function */
	[14] = { 4, 0 },  /* variable */
	[15] = { 0, 12 }, /* section of data */
	[17] = { 4, 0 },  /* tag of a declaration */
	[19] = { 0, 12 }, /* enum of 64 bits */
};

struct btf {
	const uint8_t *types, *strings;
	size_t n_types, n_strings; /* bytes */
	uint64_t work;		   /* steps left */
	uint32_t mark[MARKS];	   /* where each MARK_EACH-th type begins */
	uint32_t n_marks;	   /* that are known */
};

struct type {
	uint32_t name, size; /* or another type's number */
	unsigned kind, parts;
	bool bitfields;	   /* members say how many bits they have */
	const uint8_t *at; /* what its kind adds */
};

static uint32_t word(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static bool work(struct btf *b)
{
	if (!b->work)
		return false;
	b->work--;
	return true;
}

static bool is_named(const struct btf *b, uint32_t at, const char *name,
		     size_t len)
{
	return at <= b->n_strings && len < b->n_strings - at &&
	       memcmp(b->strings + at, name, len) == 0 && !b->strings[at + len];
}

/* Types */

/* The type at *@at, and behind it. False: there is none. */
static bool read_type(struct btf *b, size_t *at, struct type *ret)
{
	const uint8_t *from = b->types + *at;
	size_t room = b->n_types - *at, more;
	uint32_t info;

	if (room < TYPE_BYTES || !work(b))
		return false;
	info = word(from + 4);
	*ret = (struct type){
		.name = word(from),
		.size = word(from + 8),
		.kind = info >> 24 & 0x1f,
		.parts = info & 0xffff,
		.bitfields = info >> 31,
		.at = from + TYPE_BYTES,
	};
	if (!ret->kind || ret->kind >= N_KINDS)
		return false;
	more = added[ret->kind].bytes +
	       (size_t)added[ret->kind].each * ret->parts;
	if (more > room - TYPE_BYTES)
		return false;
	*at += TYPE_BYTES + more;
	return true;
}

/* Types are numbered from 1 on. */
static bool find_type(struct btf *b, uint32_t number, struct type *ret)
{
	uint32_t i = number / MARK_EACH, n;
	size_t at;

	if (i >= b->n_marks)
		i = b->n_marks - 1;
	at = b->mark[i];
	for (n = i ? i * MARK_EACH : 1; read_type(b, &at, ret); n++) {
		if (n == number)
			return true;
		if (n + 1 == b->n_marks * MARK_EACH && b->n_marks < MARKS)
			b->mark[b->n_marks++] = (uint32_t)at;
	}
	return false;
}

static bool is_other_name(unsigned kind)
{
	return kind == KIND_TYPEDEF || kind == KIND_VOLATILE ||
	       kind == KIND_CONST || kind == KIND_RESTRICT ||
	       kind == KIND_TYPE_TAG;
}

/* What stands behind all names for it; those in a circle end with the work. */
static bool resolve(struct btf *b, uint32_t number, struct type *ret)
{
	while (find_type(b, number, ret)) {
		if (!is_other_name(ret->kind))
			return true;
		number = ret->size;
	}
	return false;
}

/* Of a number or an array of numbers; of pointers 0. */
static bool bytes_of(struct btf *b, uint32_t number, uint32_t *ret)
{
	struct type t;
	uint32_t n = 1;

	if (!resolve(b, number, &t))
		return false;
	if (t.kind == KIND_ARRAY) {
		n = word(t.at + 8);
		if (!resolve(b, word(t.at), &t))
			return false;
	}
	if (t.kind == KIND_PTR) {
		*ret = 0;
		return true;
	}
	return t.kind == KIND_INT && !__builtin_mul_overflow(n, t.size, ret);
}

/* Members */

struct member {
	uint32_t name, type, bit;
	bool whole; /* its bytes are all its own */
};

static struct member member_of(const struct type *t, unsigned i)
{
	const uint8_t *at = t->at + (size_t)i * MEMBER_BYTES;
	struct member m = { word(at), word(at + 4), word(at + 8), true };

	if (t->bitfields) {
		m.whole = !(m.bit >> 24);
		m.bit &= 0xffffff;
	}
	m.whole = m.whole && m.bit % 8 == 0;
	return m;
}

/* Where a name, or what of it is behind dots, is looked for. */
struct place {
	const char *name;
	uint32_t offset; /* of the structure that was asked for */
	unsigned depth;
};

/* In @t, which is at @p. */
static bool find_field(struct btf *b, const struct type *t, struct place p,
		       struct btf_field *f)
{
	size_t len = strcspn(p.name, ".");
	struct type inner;

	for (unsigned i = 0; i < t->parts && work(b); i++) {
		struct member m = member_of(t, i);
		bool named = is_named(b, m.name, p.name, len);
		struct place in = { p.name, p.offset + m.bit / 8, p.depth + 1 };

		if (!m.whole)
			continue;
		if (named && !p.name[len]) {
			f->offset = in.offset;
			return bytes_of(b, m.type, &f->size);
		}
		if ((m.name && !named) || p.depth == DEPTH_MAX ||
		    !resolve(b, m.type, &inner))
			continue;
		if (named)
			in.name += len + 1;
		if ((inner.kind == KIND_STRUCT || inner.kind == KIND_UNION) &&
		    find_field(b, &inner, in, f))
			return true;
	}
	return false;
}

static bool find_fields(struct btf *b, const struct type *t,
			struct btf_field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!find_field(b, t, (struct place){ .name = fields[i].name },
				&fields[i]))
			return false;
	return true;
}

/* The whole */

/* Does BTF begin at @at, with @size bytes there? */
static bool open(struct btf *b, const uint8_t *at, size_t size)
{
	size_t header, types, strings;

	if (!work(b))
		return false;
	header = word(at + 4);
	types = header + word(at + 8);
	strings = header + word(at + 16);
	b->n_types = word(at + 12);
	b->n_strings = word(at + 20);
	if (types > size || b->n_types > size - types || strings > size ||
	    b->n_strings > size - strings)
		return false;
	b->n_marks = 1; /* the first type */
	b->types = at + types;
	b->strings = at + strings;
	return true;
}

/* All of one structure. */
static bool search(struct btf *b, struct btf_field *fields, size_t n)
{
	const char *name = fields->structure;
	struct type t;
	size_t at = 0;

	while (read_type(b, &at, &t))
		if (t.kind == KIND_STRUCT &&
		    is_named(b, t.name, name, strlen(name)) &&
		    find_fields(b, &t, fields, n))
			return true;
	return false;
}

static bool search_all(struct btf *b, struct btf_field *fields, size_t n)
{
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1;
		     i + same < n &&
		     !strcmp(fields[i + same].structure, fields[i].structure);
		     same++)
			;
		if (!search(b, fields + i, same))
			return false;
	}
	return true;
}

bool btf_find(const uint8_t *memory, size_t size, struct btf_field *fields,
	      size_t n)
{
	struct btf b = { .work = WORK_MAX };

	if (size > BTF_REACH)
		size = BTF_REACH;
	for (size_t at = 0; at + HEADER_BYTES <= size && b.work; at += 4)
		if (word(memory + at) == MAGIC &&
		    open(&b, memory + at, size - at) &&
		    search_all(&b, fields, n))
			return true;
	return false;
}
