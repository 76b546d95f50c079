/* SPDX-License-Identifier: BSD-2-Clause */
/* Which file names an instruction and the next one, on either side of V. */
#include <string.h>

#include "captured.h"
#include "symbols.h"
#include "trace/record-symbols.h"
#include "unit.h"

#define PRIVILEGE(mode) PMU__V1__PRIVILEGE__PRIVILEGE_##mode
#define NONE		PRIVILEGE(UNSPECIFIED)
#define NOTE                                                                   \
	"pmuctl: what ran in VS and VU has no names: --symbols is not of "     \
	"it, --guest-symbols=FILE is\n"

enum {
	OUTER = 1, /* the files that are given */
	INNER = 2
};

static struct record_style style;

static struct symbols *list_of(const char *text)
{
	const char *why;
	struct symbols *ret = symbols_open_memory(text, strlen(text), &why);

	ck_assert_ptr_nonnull(ret);
	return ret;
}

static void open_files(int which)
{
	if (which & OUTER)
		style.symbols = list_of("0000000080000000 T outer\n");
	if (which & INNER)
		style.guests = list_of("0000000080000000 T inner\n");
}

static void close_files(void)
{
	symbols_close(style.symbols);
	symbols_close(style.guests);
	style = (struct record_style){ .symbols = NULL };
}

static const struct side_row {
	const char *at, *next;
	int files;
	Pmu__V1__Privilege mode, next_mode;
} side_rows[] = {
	{ "outer", "outer", OUTER | INNER, PRIVILEGE(S), NONE },
	{ "inner", "inner", OUTER | INNER, PRIVILEGE(VS), NONE },
	{ "outer", "inner", OUTER | INNER, PRIVILEGE(S), PRIVILEGE(VS) },
	{ "outer", "inner", OUTER | INNER, PRIVILEGE(M), PRIVILEGE(VU) },
	{ "inner", "outer", OUTER | INNER, PRIVILEGE(VU), PRIVILEGE(S) },
	{ "inner", "outer", OUTER | INNER, PRIVILEGE(VS), PRIVILEGE(M) },
	{ "outer", NULL, OUTER, PRIVILEGE(U), PRIVILEGE(VU) },
	{ NULL, "outer", OUTER, PRIVILEGE(VS), PRIVILEGE(S) },
	{ NULL, "inner", INNER, PRIVILEGE(S), PRIVILEGE(VS) },
	{ "inner", NULL, INNER, PRIVILEGE(VS), PRIVILEGE(M) },
};

static void is_named(const struct symbol *s, const char *want)
{
	ck_assert_msg(!s->function == !want, "%s", s->function);
	if (want)
		ck_assert_str_eq(s->function, want);
}

static Pmu__V1__Record record_of(const struct side_row *row,
				 Pmu__V1__Record__KindCase kind)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.pc = 0x80000014;
	r.privilege = row->mode;
	r.kind_case = kind;
	return r;
}

static Pmu__V1__Record overflow_of(const struct side_row *row,
				   Pmu__V1__Overflow *o)
{
	Pmu__V1__Record r = record_of(row, PMU__V1__RECORD__KIND_OVERFLOW);

	pmu__v1__overflow__init(o);
	o->last_pc = 0x80000010;
	o->next_privilege = row->next_mode;
	r.overflow = o;
	return r;
}

static Pmu__V1__Record sample_of(const struct side_row *row, Pmu__V1__Sample *s)
{
	Pmu__V1__Record r = record_of(row, PMU__V1__RECORD__KIND_SAMPLE);

	pmu__v1__sample__init(s);
	s->last_pc = 0x80000010;
	s->next_privilege = row->next_mode;
	r.sample = s;
	return r;
}

static void are_named(const Pmu__V1__Record *r, const struct side_row *row)
{
	struct symbol at, next;

	record_find(&style, r, record_pc(r), &at);
	record_find_next(&style, r, &next);
	is_named(&at, row->at);
	is_named(&next, row->next);
}

TEST_ROWS(each_is_named_by_the_file_of_its_side, side_rows)
{
	const struct side_row *row = &side_rows[_i];
	Pmu__V1__Overflow overflow;
	Pmu__V1__Sample sample;
	Pmu__V1__Record r;

	open_files(row->files);
	r = overflow_of(row, &overflow);
	are_named(&r, row);
	r = sample_of(row, &sample);
	are_named(&r, row);
	close_files();
}

static const struct note_row {
	const char *want;
	int files;
	Pmu__V1__Privilege mode, next_mode;
} note_rows[] = {
	{ NOTE, OUTER, PRIVILEGE(VS), NONE },
	{ NOTE, OUTER, PRIVILEGE(VU), NONE },
	{ NOTE, OUTER, PRIVILEGE(S), PRIVILEGE(VS) },
	{ "", OUTER, PRIVILEGE(U), NONE },
	{ "", OUTER | INNER, PRIVILEGE(VS), NONE },
	{ "", INNER, PRIVILEGE(VS), NONE },
	/* nobody asked for names */
	{ "", 0, PRIVILEGE(VS), NONE },
};

TEST_ROWS(that_no_file_is_of_the_guest_is_said_once, note_rows)
{
	const struct note_row *row = &note_rows[_i];
	const struct side_row of = { .mode = row->mode,
				     .next_mode = row->next_mode };
	Pmu__V1__Sample sample;
	Pmu__V1__Record r = sample_of(&of, &sample);
	struct symbol found;

	open_files(row->files);
	capture();
	for (unsigned i = 0; i < 2; i++) {
		record_find(&style, &r, record_pc(&r), &found);
		record_find_next(&style, &r, &found);
	}
	ck_assert_str_eq(capture_end(), row->want);
	close_files();
}

SUITE("record-symbols");
