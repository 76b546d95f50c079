/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stdout and stderr where they are terminals: how wide, in colour or not, and
 * one line at the bottom that goes again. Other streams are no terminals.
 */
#ifndef CLI_TEXT_TTY_H
#define CLI_TEXT_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct args;

/* Looks at both; --color wins over $NO_COLOR. False: --color is a wrong one. */
bool tty_setup(const struct args *args);
/* What --color takes; NULL after the last. */
const char *tty_color_at(size_t i);

/* Columns that a row may have; 0: no terminal, nothing is cut. */
size_t tty_width(FILE *f);
size_t tty_height(FILE *f); /* lines; 0: no terminal */
bool tty_in_color(FILE *f);

enum tty_color {
	TTY_RESET,
	TTY_ERROR,    /* "pmuctl:" of an error */
	TTY_OVERFLOW, /* what has overflowed */
};

/* The sequence that begins @color. */
const char *tty_sequence(enum tty_color color);

/*
 * Writes the lines of @text to @out, each cut at @width columns: the last one
 * then is a '>'. 0 cuts nothing. Sequences of colours take no room.
 */
void tty_write(FILE *out, const char *text, size_t width);

/* Shows @text, cut, on stderr, which is a terminal, in place of the last. */
void tty_status(const char *text);
/* Takes it away; nothing else is written while it is there. */
void tty_status_clear(void);

#endif
