/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole files in memory; what is behind the end is a failure. */
#include "file-reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <zlib.h>

#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

struct file_reader file;

void file_tell(const char *format, ...)
{
	size_t n = strlen(file.told);
	va_list args;

	va_start(args, format);
	vsnprintf(file.told + n, sizeof(file.told) - n, format, args);
	va_end(args);
}

void file_export(const char *line, const char *path)
{
	file_export_noting(line, path, "");
}

/* The line is carried out, and @path is what is to be read. */
void file_export_noting(const char *line, const char *path, const char *notes)
{
	gzFile f;
	int n;

	canned_begin(NULL);
	ck_assert_int_eq(canned_run(line), EXIT_OK);
	ck_assert_str_eq(canned_err(), notes);
	ck_assert_str_eq(canned_out(), "");
	f = gzopen(path, "rb"); /* as it is, if it is not compressed */
	ck_assert_ptr_nonnull(f);
	n = gzread(f, file.bytes, FILE_MAX - 1);
	ck_assert_int_gt(n, 0);
	gzclose(f);
	file.bytes[n] = '\0';
	file.len = (size_t)n;
	file.at = 0;
	file.told[0] = '\0';
}

uint64_t file_number(size_t n)
{
	uint64_t value = 0;

	ck_assert_uint_le(file.at + n, file.len);
	for (size_t i = 0; i < n; i++)
		value |= (uint64_t)file.bytes[file.at++] << 8 * i;
	return value;
}

/* A text and its zero, in @n bytes, or in as many as it needs. */
const char *file_text(size_t n)
{
	const char *s = (const char *)file.bytes + file.at;

	file.at += n ? n : strlen(s) + 1;
	ck_assert_uint_le(file.at, file.len);
	ck_assert_uint_lt(strlen(s), file.at);
	return s;
}
