/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was typed of a request that is refused: pmud names fields of the
 * protocol, which nobody typed.
 */
#ifndef CLI_SESSION_REFUSED_H
#define CLI_SESSION_REFUSED_H

#include "cmd/args.h"

enum {
	REFUSED_TEXT = 2048 /* bytes of a text, its end included */
};

/*
 * @text, which is of @field of a request, as people are told it: behind the
 * option of @args that has made the field. Where none has, as it is.
 */
const char *refused_text(const struct args *args, const char *field,
			 const char *text, char buf[REFUSED_TEXT]);

/* A field, as "config.harts", without the numbers of elements. */
struct refused_field {
	const char *field; /* NULL behind the last */
	size_t n;
	enum args_option option[3]; /* of which a command has one */
};

extern const struct refused_field refused_fields[];

#endif
