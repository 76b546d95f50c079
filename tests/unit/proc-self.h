/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a program finds that it is, for those that look for others beside
 * themselves. The linker sends readlink() here (--wrap).
 */
#ifndef TESTS_PROC_SELF_H
#define TESTS_PROC_SELF_H

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static const char *self; /* NULL: there is no /proc */

ssize_t __wrap_readlink(const char *path, char *buf, size_t size);

ssize_t __wrap_readlink(const char *path, char *buf, size_t size)
{
	ck_assert_str_eq(path, "/proc/self/exe");
	if (!self) {
		errno = ENOENT;
		return -1;
	}
	ck_assert_uint_gt(size, strlen(self));
	memcpy(buf, self, strlen(self));
	return (ssize_t)strlen(self);
}

#endif
