/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tail of a machine's stderr. Bytes that could harm a terminal, or that
 * are no text for a message, become '?'.
 */
#include "stderr-tail.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
	CHUNK = STDERR_TAIL, /* never more than is kept */
	PIPE_BYTES = 64 << 10
};

static void keep(struct stderr_tail *w, const char *bytes, size_t n)
{
	if (w->len + n > STDERR_TAIL) {
		size_t drop = w->len + n - STDERR_TAIL;

		memmove(w->tail, w->tail + drop, w->len - drop);
		w->len -= drop;
	}
	memcpy(w->tail + w->len, bytes, n);
	w->len += n;
	w->tail[w->len] = '\0';
}

/* One that talks without end does not fill the log, too. */
static void pass_on(struct stderr_tail *w, const char *bytes, size_t n)
{
	if (n > STDERR_PASSED - w->passed)
		n = STDERR_PASSED - w->passed;
	w->passed += n;
	if (n)
		(void)!write(STDERR_FILENO, bytes, n);
}

long stderr_tail_read(struct stderr_tail *w, int fd)
{
	char bytes[CHUNK];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	if (n <= 0)
		return n < 0 ? -errno : 0;
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] != '\n' && (bytes[i] < ' ' || bytes[i] > '~'))
			bytes[i] = '?';
	}
	keep(w, bytes, (size_t)n);
	pass_on(w, bytes, (size_t)n);
	return n;
}

void stderr_tail_drain(struct stderr_tail *w, int fd)
{
	long n;

	for (long left = PIPE_BYTES; left > 0; left -= n) {
		n = stderr_tail_read(w, fd);
		if (n <= 0)
			return;
	}
}

const char *stderr_tail_text(const struct stderr_tail *w)
{
	return w->tail;
}
