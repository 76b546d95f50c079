/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole command lines of pmuctl without a daemon: the client's functions are
 * replaced (--wrap, tests/unit/meson.build) by answers that a test gives as
 * JSON, with ' for ". What was asked, printed and said comes back as text.
 */
#ifndef TESTS_CANNED_ANSWERS_H
#define TESTS_CANNED_ANSWERS_H

#include <stdbool.h>

/* While it is not 0 this library allocates, not what is under test. */
extern unsigned canned_inside;

enum {
	CANNED_MAX = 16,
	CANNED_TEXT = 16384,
	CANNED_LOST = 1000,    /* no status of gRPC: the connection breaks */
	CANNED_NO_HART = 1001, /* INVALID_ARGUMENT for NO_SUCH_HART */
};

struct canned {
	const char *method; /* "HartService/ReadCsr"; NULL ends a list */
	/* its fields as JSON, enums as numbers, bytes as text, as "x:" and hex
	 * digits or as "@" and a file's name; NULL: it is refused; "": a stream
	 * has nothing yet */
	const char *answer;
	unsigned status; /* of gRPC, then; or CANNED_LOST */
};

/*
 * From now on calls are answered by @list: by the first row of their method
 * that was not used, else by its last. A method without a row is a failure.
 * A stream is the rows of its method, each once; "open" before the method: what
 * opening it comes to, else it is opened. "pump": the connection breaks while
 * nothing is asked.
 * No message of a test is longer than CANNED_TEXT.
 */
void canned_begin(const struct canned *list);
/* A line for each call since: HartService/ReadCsr {'machine':'m1'}. */
const char *canned_asked(void);

/*
 * Runs @line, words between blanks, '' an empty one, as after "pmuctl ". Its
 * exit code.
 */
int canned_run(const char *line);
/* A command line, how it is answered, and what comes of that. */
struct canned_row {
	const char *line;
	struct canned calls[CANNED_MAX];
	int code;
	const char *out, *err, *asked;
};
void canned_check(const struct canned_row *row);

/*
 * Writes a trace: its header and records as JSON, like answers; the last of
 * them is NULL.
 */
void canned_trace(const char *path, const char *header,
		  const char *const *records);

/* Standard output and standard error of functions that are called between. */
void canned_capture(void);
void canned_release(void);
const char *canned_out(void);
const char *canned_err(void);

#endif
