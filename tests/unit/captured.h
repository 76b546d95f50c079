/* SPDX-License-Identifier: BSD-2-Clause */
/* What a function of the command line says on stderr, for its tests. */
#ifndef TESTS_CAPTURED_H
#define TESTS_CAPTURED_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "unit.h"

static char captured[4096];
static int captured_fd = -1, captured_stderr = -1;

/* From here on; a second call begins again. */
static inline void capture(void)
{
	if (captured_fd < 0)
		captured_fd =
			open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	ck_assert_int_ge(captured_fd, 0);
	ck_assert_int_eq(ftruncate(captured_fd, 0), 0);
	ck_assert_int_eq(lseek(captured_fd, 0, SEEK_SET), 0);
	fflush(stderr);
	captured_stderr = dup(STDERR_FILENO);
	ck_assert_int_ge(dup2(captured_fd, STDERR_FILENO), 0);
}

/* What was said since, valid until the next call. */
static inline const char *capture_end(void)
{
	ssize_t n;

	fflush(stderr);
	ck_assert_int_ge(dup2(captured_stderr, STDERR_FILENO), 0);
	close(captured_stderr);
	n = pread(captured_fd, captured, sizeof(captured) - 1, 0);
	ck_assert_int_ge(n, 0);
	captured[n] = '\0';
	return captured;
}

#endif
