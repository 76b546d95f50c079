/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that a command wrote, read by its format's rules alone: numbers and
 * texts from its front, told as text.
 */
#ifndef TESTS_FILE_READER_H
#define TESTS_FILE_READER_H

#include <stddef.h>
#include <stdint.h>

enum {
	FILE_MAX = 64 << 10
};

struct file_reader {
	uint8_t bytes[FILE_MAX];
	size_t len, at;
	char told[FILE_MAX];
};
extern struct file_reader file;

/*
 * Runs @line, which says nothing and succeeds; @path is what is read then, as
 * it is or, if it is compressed, what is in it.
 */
void file_export(const char *line, const char *path);
/* The same, but for @notes on standard error. */
void file_export_noting(const char *line, const char *path, const char *notes);
/* The next @n bytes, the lowest first. */
uint64_t file_number(size_t n);
/* A text and its zero, in @n bytes, 0: in as many as it needs. */
const char *file_text(size_t n);
void file_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
