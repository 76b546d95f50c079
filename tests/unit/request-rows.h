/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of what a call of the client asks for, field by field, and of what it
 * makes of the answer; also without memory. Included once by a program.
 */
#ifndef TESTS_REQUEST_ROWS_H
#define TESTS_REQUEST_ROWS_H

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <pmuclient/machine.h>

#include "canned-answers.h"
#include "unit.h"

/* The linker sends these calls of the client here (--wrap). */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);

static unsigned requests, fail_at = UINT32_MAX;

/* The one request for memory, and only that. */
static bool fails(void)
{
	return !canned_inside && requests++ == fail_at;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

static struct pmuclient *client;
static int other_end;

static inline void setup(void)
{
	int fds[2];

	PREPARING(ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds)));
	PREPARING(ck_assert_int_eq(pmuclient_adopt(&client, fds[0]), 0));
	other_end = fds[1];
}

static inline void teardown(void)
{
	pmuclient_free(client);
	close(other_end);
}

/* What an answer was to the caller, as text. */
static char told[256];

static inline int tell(int err, unsigned long long value)
{
	snprintf(told, sizeof(told), "%llu", value);
	return err;
}

struct request_row {
	const char *why;
	int (*ask)(void);
	struct canned calls[6];
	int err;
	const char *told, *error, *asked; /* NULL: too long to be shown */
};

static inline int ask(const struct request_row *row, unsigned at)
{
	int err;

	told[0] = '\0';
	canned_begin(row->calls);
	requests = 0;
	fail_at = at;
	err = row->ask();
	fail_at = UINT32_MAX;
	return err;
}

static inline void check_request(const struct request_row *row)
{
	ck_assert_msg(ask(row, UINT32_MAX) == row->err, "%s: %s", row->why,
		      pmuclient_error(client));
	ck_assert_str_eq(told, row->told);
	ck_assert_str_eq(pmuclient_error(client), row->error);
	if (row->asked)
		ck_assert_str_eq(canned_asked(), row->asked);
}

/* Each request for memory in turn is not granted. */
static inline void check_without_memory(const struct request_row *row)
{
	unsigned all;

	ask(row, UINT32_MAX);
	all = requests;
	for (unsigned n = 0; n < all; n++) {
		ck_assert_msg(ask(row, n) == -PMUCLIENT_ENOMEM, "%s: %u",
			      row->why, n);
		ck_assert_msg(strstr(pmuclient_error(client), "memory"),
			      "%s: %u: %s", row->why, n,
			      pmuclient_error(client));
	}
	/* and then it can be asked again */
	ck_assert_int_eq(ask(row, UINT32_MAX), row->err);
}

#endif
