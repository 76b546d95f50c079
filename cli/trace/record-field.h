/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of an expression that stand for something of a record. */
#ifndef CLI_TRACE_RECORD_FIELD_H
#define CLI_TRACE_RECORD_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record-text.h"

struct field_value {
	bool known;
	uint64_t number;
	const char *text;
};

struct record_field {
	const char *name;
	bool is_text; /* compared with == and != only */
	void (*get)(const struct record_style *style, const Pmu__V1__Record *r,
		    struct field_value *ret);
	const char *(*name_at)(size_t i); /* that it can have; NULL: any */
	const char *wanted;		  /* if it is none of these */
	bool needs_names;		  /* of functions */
};

const struct record_field *record_field_find(const char *name); /* or NULL */

#endif
