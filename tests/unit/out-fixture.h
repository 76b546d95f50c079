/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A folder for files that commands write, what stands there before, and what is
 * said of them. Included once by a program.
 */
#ifndef TESTS_OUT_FIXTURE_H
#define TESTS_OUT_FIXTURE_H

#include <dirent.h>
#include <ftw.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/exit-codes.h"
#include "text/out-file.h"
#include "unit.h"

static char folder[64], said[256];

static inline void build(void)
{
	strcpy(folder, "/tmp/test-out-file-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	umask(022);
}

static inline int make_writable(const char *path, const struct stat *st,
				int type, struct FTW *at)
{
	return type == FTW_D ? chmod(path, 0700) : 0;
}

static inline int take_away(const char *path, const struct stat *st, int type,
			    struct FTW *at)
{
	return remove(path);
}

static inline void drop(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(nftw(folder, make_writable, 16, FTW_PHYS), 0);
	ck_assert_int_eq(nftw(folder, take_away, 16, FTW_PHYS | FTW_DEPTH), 0);
}

static inline void store(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

/* "" if there is no such file. */
static inline const char *load(const char *path)
{
	static char text[256];
	FILE *in = fopen(path, "r");
	size_t n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;

	text[n] = '\0';
	if (in)
		fclose(in);
	return text;
}

/* The first name that has ".part-" in it, or NULL; *@ret_n: all names. */
static inline const char *part(unsigned *ret_n)
{
	static char name[256];
	DIR *d = opendir(".");
	struct dirent *e;
	bool found = false;

	*ret_n = 0;
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		++*ret_n;
		if (!strstr(e->d_name, ".part-"))
			continue;
		strcpy(name, e->d_name);
		found = true;
	}
	closedir(d);
	return found ? name : NULL;
}

static inline void said_begin(void)
{
	ck_assert_ptr_nonnull(freopen(".said", "w", stderr));
}

static inline const char *said_end(void)
{
	fflush(stderr);
	strcpy(said, load(".said"));
	return said;
}

static inline void nothing(void)
{
}

static inline void a_file(void)
{
	store("t", "old");
	ck_assert_int_eq(chmod("t", 0640), 0);
}

static inline void two_names(void)
{
	a_file();
	ck_assert_int_eq(link("t", "other"), 0);
}

static inline struct out_file *start(const char *path, const char *text)
{
	struct out_file *f;

	ck_assert_int_eq(out_file_open(&f, path), EXIT_OK);
	ck_assert_ptr_nonnull(f);
	fputs(text, out_file_stream(f));
	fflush(out_file_stream(f));
	return f;
}

#endif
