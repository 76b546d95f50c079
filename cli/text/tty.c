/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a terminal is found out once: a pager may stand between it
 * and stdout later.
 */
#include "tty.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/args.h"
#include "number.h"

enum {
	COLUMNS = 80, /* of a terminal that does not know, */
	LINES = 24,
	COLUMNS_MAX = 10000
};

static struct tty {
	size_t width, height; /* 0: no terminal */
	bool color;
} out_tty, err_tty;

static bool status; /* a line is shown */

enum tty_when {
	AUTO,
	ALWAYS,
	NEVER,
	N_WHENS
};

static const char *const whens[N_WHENS + 1] = { "auto", "always", "never",
						NULL };

const char *tty_color_at(size_t i)
{
	return whens[i];
}

/* What the terminal says, else @variable of the environment, else @otherwise */
static size_t size_of(size_t said, const char *variable, size_t otherwise)
{
	const char *text = getenv(variable);
	uint64_t n;

	if (said)
		return said;
	if (text && number_parse(text, &n) && n && n <= COLUMNS_MAX)
		return (size_t)n;
	return otherwise;
}

static void examine(struct tty *t, int fd, enum tty_when when)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	bool plain = (no && *no) || !term || !strcmp(term, "dumb");
	struct winsize size = { 0 };

	*t = (struct tty){ .color = when == ALWAYS };
	if (!isatty(fd))
		return;
	(void)ioctl(fd, TIOCGWINSZ, &size); /* or it stays unknown */
	t->width = size_of(size.ws_col, "COLUMNS", COLUMNS);
	t->height = size_of(size.ws_row, "LINES", LINES);
	if (when == AUTO)
		t->color = !plain;
}

bool tty_setup(const struct args *args)
{
	int when = AUTO;

	while (args->color && when < N_WHENS &&
	       strcmp(args->color, whens[when]) != 0)
		when++;
	if (when == N_WHENS)
		return false;
	examine(&out_tty, STDOUT_FILENO, (enum tty_when)when);
	examine(&err_tty, STDERR_FILENO, (enum tty_when)when);
	return true;
}

static const struct tty *tty_of(FILE *f)
{
	static const struct tty none;

	return f == stdout ? &out_tty : f == stderr ? &err_tty : &none;
}

size_t tty_width(FILE *f)
{
	return tty_of(f)->width;
}

size_t tty_height(FILE *f)
{
	return tty_of(f)->height;
}

bool tty_in_color(FILE *f)
{
	return tty_of(f)->color;
}

const char *tty_sequence(enum tty_color color)
{
	switch (color) {
	case TTY_RESET:
		break;
	case TTY_ERROR:
		return "\033[1;31m";
	case TTY_OVERFLOW:
		return "\033[33m";
	}
	return "\033[0m";
}

/* How many bytes the sequence of a colour at @text has; 0: there is none. */
static size_t sequence_len(const char *text)
{
	size_t len;

	if (strncmp(text, "\033[", 2) != 0)
		return 0;
	len = 2 + strspn(text + 2, "0123456789;");
	return text[len] == 'm' ? len + 1 : 0;
}

/* Bytes of one UTF-8 character behind the first do not take a column. */
static bool takes_column(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t columns_of(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len;) {
		size_t skip = sequence_len(text + i);

		if (!skip)
			n += takes_column(text[i]);
		i += skip ? skip : 1;
	}
	return n;
}

static void write_line(FILE *out, const char *text, size_t len, size_t width)
{
	bool colored = false;
	size_t n = 0;

	if (!width || columns_of(text, len) <= width) {
		fwrite(text, 1, len, out);
		return;
	}
	for (size_t i = 0; i < len;) {
		size_t skip = sequence_len(text + i);

		if (!skip)
			n += takes_column(text[i]);
		if (n == width)
			break;
		colored |= skip != 0;
		fwrite(text + i, 1, skip ? skip : 1, out);
		i += skip ? skip : 1;
	}
	fprintf(out, "%s>", colored ? tty_sequence(TTY_RESET) : "");
}

void tty_write(FILE *out, const char *text, size_t width)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		write_line(out, text, len, width);
		text += len;
		if (*text)
			fputc(*text++, out);
	}
}

void tty_status(const char *text)
{
	fputc('\r', stderr);
	/* a full line would wrap on some */
	tty_write(stderr, text, err_tty.width - 1);
	fputs("\033[K", stderr);
	fflush(stderr);
	status = true;
}

void tty_status_clear(void)
{
	if (!status)
		return;
	status = false;
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
