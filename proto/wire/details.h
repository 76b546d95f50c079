/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a refused call says to programs, beside its status and its words: the
 * header grpc-status-details-bin. Written by the server, read by the client.
 */
#ifndef WIRE_DETAILS_H
#define WIRE_DETAILS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	DETAILS_FIELD = 96,  /* bytes of a path, with its end */
	DETAILS_REASON = 48, /* bytes of a reason, with its end */
	DETAILS_MAX = 3072   /* bytes of the header's value, with its end */
};

struct details {
	/* path in the request, "config.settings[2].value"; "": of no field */
	char field[DETAILS_FIELD];
	char reason[DETAILS_REASON]; /* "NO_SUCH_HART"; "": none */
};

struct details_of { /* the refusal that they belong to */
	unsigned status;
	const char *text;   /* UTF-8 */
	const char *method; /* path of the method that was called */
};

/*
 * The header's value: Base64 of a google.rpc.Status, with a BadRequest if there
 * is a field and an ErrorInfo if there is a reason. Returns its length; 0:
 * there is neither.
 */
size_t details_encode(const struct details *d, const struct details_of *of,
		      char ret[DETAILS_MAX]);
/* The reverse, of any server's. False: @ret is empty, nothing is to be had. */
bool details_decode(const char *value, size_t len, struct details *ret);

#endif
