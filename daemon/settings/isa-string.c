/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names and order of ISA strings. Which extensions there are is libpmu's table;
 * what they need of each other is checked where a whole hart is known.
 */
#include "isa-string.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <pmu/isa.h>

#define LETTERS	   "imafdqlcbkjtpvh" /* in canonical order */
#define MODES	   (PMU_EXT_S | PMU_EXT_U)
#define ARRAY_N(a) (sizeof(a) / sizeof((a)[0]))

/* Nothing can be taken away of these: the engine executes them always. */
static const struct isa_name always[] = {
	{ "i", 0 },
	{ "zicsr", 0 },
	{ "zifencei", 0 },
};

static unsigned letter_place(char c)
{
	const char *at = strchr(LETTERS, c);

	return at ? (unsigned)(at - LETTERS) : 99;
}

/* Names of a smaller rank come first, those of one rank by alphabet. */
static unsigned rank(const char *name)
{
	static const char *const families[] = { "ss", "sv", "sh", "sm" };
	unsigned i = 0;

	if (!name[1])
		return letter_place(name[0]);
	if (name[0] == 'z')
		return 100 + letter_place(name[1]);
	while (i < ARRAY_N(families) && strncmp(name, families[i], 2) != 0)
		i++;
	return 300 + i;
}

static bool before(const struct isa_name *a, const struct isa_name *b)
{
	unsigned x = rank(a->name), y = rank(b->name);

	return x < y || (x == y && strcmp(a->name, b->name) < 0);
}

static void insert(struct isa_name *list, size_t n, struct isa_name name)
{
	assert(n < ISA_NAMES);
	for (; n > 0 && before(&name, &list[n - 1]); n--)
		list[n] = list[n - 1];
	list[n] = name;
}

size_t isa_names(struct isa_name *ret)
{
	size_t n_exts, n = 0;
	const struct pmu_ext_desc *exts = pmu_ext_table(&n_exts);

	for (size_t i = 0; i < ARRAY_N(always); i++)
		insert(ret, n++, always[i]);
	for (size_t i = 0; i < n_exts; i++)
		if (!(exts[i].ext & MODES))
			insert(ret, n++,
			       (struct isa_name){ exts[i].name, exts[i].ext });
	return n;
}

bool isa_has(uint64_t ext, const struct isa_name *name)
{
	return !name->ext || ext & name->ext;
}

const char *isa_print(unsigned xlen, uint64_t ext, char *buf)
{
	struct isa_name names[ISA_NAMES];
	size_t n = isa_names(names);
	int len = snprintf(buf, ISA_TEXT, "rv%u", xlen);

	for (size_t i = 0; i < n; i++)
		if (isa_has(ext, &names[i]))
			len += snprintf(buf + len, ISA_TEXT - (size_t)len,
					"%s%s", names[i].name[1] ? "_" : "",
					names[i].name);
	return buf;
}

const char *isa_gone(const char *name, size_t len)
{
	static const struct {
		const char *old, *why;
	} gone[] = {
		{ "xsmaialcofi",
		  "it was a part of Smaia, which is here now, as smaia" },
		{ "xssaialcofi",
		  "it was a part of Ssaia, which is here now, as ssaia" },
	};

	for (size_t i = 0; i < ARRAY_N(gone); i++)
		if (strlen(gone[i].old) == len &&
		    !strncasecmp(gone[i].old, name, len))
			return gone[i].why;
	return NULL;
}

/* A string under way. */
struct isa_reader {
	const char *text;
	size_t at;
	struct isa *isa;
	char *error;
	size_t size;
	struct isa_name names[ISA_NAMES];
	size_t n_names;
};

static bool fail(const struct isa_reader *r, size_t len, const char *what)
{
	snprintf(r->error, r->size, "'%.*s' at position %zu %s",
		 len < 64 ? (int)len : 64, r->text + r->at, r->at + 1, what);
	return false;
}

static bool unknown(const struct isa_reader *r, size_t len)
{
	const char *why = isa_gone(r->text + r->at, len);
	char what[128];

	snprintf(what, sizeof(what), "is not an extension of these harts%s%s",
		 why ? ": " : "", why ? why : "");
	return fail(r, len, what);
}

static bool take_name(struct isa_reader *r, size_t len)
{
	const struct isa_name *name = r->names;

	for (; name < r->names + r->n_names; name++)
		if (strlen(name->name) == len &&
		    !strncasecmp(r->text + r->at, name->name, len)) {
			r->isa->ext |= name->ext;
			r->at += len;
			return true;
		}
	return unknown(r, len);
}

/* Are they all letters that can stand for extensions? */
static bool all_letters(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(LETTERS, tolower((unsigned char)text[i])))
			return false;
	return true;
}

/* One name, or letters and then perhaps one name, up to "_" or the end. */
static bool take_part(struct isa_reader *r)
{
	size_t end = r->at + strcspn(r->text + r->at, "_");
	size_t letters = strcspn(r->text + r->at, "zsxZSX_");

	if (end == r->at)
		return fail(r, 1, "is not the name of an extension");
	/* "_foo" is no F and two others, but a name that nobody knows. */
	if (r->text[r->at - 1] == '_' && letters > 1 &&
	    !all_letters(r->text + r->at, letters))
		return fail(r, end - r->at,
			    "is not an extension of these harts");
	while (r->at < end) {
		bool word = strchr("zsxZSX", r->text[r->at]);

		if (!take_name(r, word ? end - r->at : 1))
			return false;
	}
	return true;
}

static bool take_base(struct isa_reader *r)
{
	if (!strncasecmp(r->text, "rv32", 4))
		r->isa->xlen = 32;
	else if (!strncasecmp(r->text, "rv64", 4))
		r->isa->xlen = 64;
	else
		return fail(r, strlen(r->text),
			    "does not begin with rv32i, rv32g, rv64i or rv64g");
	r->at = 4;
	if (tolower((unsigned char)r->text[4]) == 'g')
		r->isa->ext |= PMU_EXT_G;
	else if (tolower((unsigned char)r->text[4]) != 'i')
		return fail(r, 1, "is not a base, i or g");
	r->at = 5;
	return true;
}

bool isa_parse(const char *text, struct isa *ret, char *ret_error, size_t size)
{
	struct isa isa = { 0 };
	struct isa_reader r = {
		.text = text, .isa = &isa, .error = ret_error, .size = size
	};

	r.n_names = isa_names(r.names);
	if (!take_base(&r))
		return false;
	if (text[r.at] && text[r.at] != '_' && !take_part(&r))
		return false;
	while (text[r.at] == '_') {
		r.at++;
		if (!take_part(&r))
			return false;
	}
	*ret = isa;
	return true;
}
