/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of an expression that stand for something of a record. */
#ifndef CLI_TRACE_RECORD_FIELD_H
#define CLI_TRACE_RECORD_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record-text.h"
#include "text/names.h"

struct field_value {
	bool known;
	uint64_t number;
	const char *text; /* of the record, constant, or @room */
	char room[NAME_MAX_LEN];
};

/* How a number stands in a message. */
enum field_part {
	FIELD_PART_NONE,
	FIELD_PART_U32, /* or an enum */
	FIELD_PART_U64,
	FIELD_PART_BOOL,
	FIELD_PART_TEXT
};

struct record_field {
	const char *name;
	bool is_text;	/* compared with == and != only */
	uint32_t kinds; /* that have it, a bit for each KIND_...; 0: all */
	/* It follows from kind and hart of a record alone. */
	bool by_kind_and_hart;
	bool needs_names; /* of functions */
	void (*get)(const struct record_field *f,
		    const struct record_style *style, const Pmu__V1__Record *r,
		    struct field_value *ret);
	/* What the message of the kind has there, and what that is called. */
	size_t offset;
	enum field_part part;
	const char *(*text)(uint64_t value, char room[NAME_MAX_LEN]);
	const char *(*name_at)(size_t i); /* that it can have; NULL: any */
	const char *wanted;		  /* if it is none of these */
};

/* The first row of that name, or NULL. */
const struct record_field *record_field_find(const char *name);
/* The @i-th name; NULL behind the last. */
const char *record_field_at(size_t i);
/* Do records of @kind, a KIND_..., have it? */
bool record_field_is_of(const struct record_field *f, unsigned kind);
/* What @r has of it. */
void record_field_get(const struct record_field *f,
		      const struct record_style *style,
		      const Pmu__V1__Record *r, struct field_value *ret);

#endif
