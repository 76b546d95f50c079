/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debug information in a file of its own is taken where it is a regular file,
 * and the right one; whatever else is there is neither waited for nor read.
 * Arguments: a program with a .gnu_debuglink and the file that it names, one
 * with a build ID and its debug information, one with a .gnu_debugaltlink and
 * the file that it names.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols.h"
#include "text/regular-file.h"
#include "unit.h"

enum {
	LINKED,
	LINKED_DEBUG,
	BUILD_ID,
	BUILD_ID_DEBUG,
	ALTERNATED,
	ALTERNATE,
	N_FILES
};

static const char *files[N_FILES];
static char dir[sizeof("/tmp/debug-XXXXXX")];

static void arguments(int argc, char **argv)
{
	for (int i = 0; i < N_FILES; i++)
		files[i] = realpath(argv[i + 1], NULL);
}

static void setup(void)
{
	PREPARING(ck_assert(mkdtemp(strcpy(dir, "/tmp/debug-XXXXXX"))));
	PREPARING(ck_assert(!chdir(dir)));
}

static int take_away(const char *path, const struct stat *st, int type,
		     struct FTW *at)
{
	return remove(path);
}

static void teardown(void)
{
	PREPARING(ck_assert(!chdir("/")));
	nftw(dir, take_away, 8, FTW_DEPTH | FTW_PHYS);
}

/* A copy with @more behind it. */
static void put_copy(int file, const char *to, const char *more)
{
	static char bytes[1 << 20];
	FILE *in = fopen(files[file], "r"), *out = fopen(to, "w");
	size_t n;

	PREPARING(ck_assert(in && out));
	n = fread(bytes, 1, sizeof(bytes), in);
	fwrite(bytes, 1, n, out);
	fputs(more, out);
	fclose(in);
	PREPARING(ck_assert(!fclose(out)));
}

static void put_right(int file, const char *at)
{
	put_copy(file, at, "");
}

static void put_link(int file, const char *at)
{
	PREPARING(ck_assert(!symlink(files[file], at)));
}

/* Another checksum, or another build ID. */
static void put_wrong(int file, const char *at)
{
	put_copy(LINKED_DEBUG, at, "x");
}

static void put_nothing(int file, const char *at)
{
}

static void put_text(int file, const char *at)
{
	FILE *out = fopen(at, "w");

	PREPARING(ck_assert(out));
	fputs("text\n", out);
	fclose(out);
}

static void put_folder(int file, const char *at)
{
	PREPARING(ck_assert(!mkdir(at, 0755)));
}

static void put_fifo(int file, const char *at)
{
	PREPARING(ck_assert(!mkfifo(at, 0600)));
}

static void put_device(int file, const char *at)
{
	PREPARING(ck_assert(!symlink("/dev/zero", at)));
}

static const struct kind {
	const char *why;
	void (*put)(int file, const char *at);
	bool taken;
} kinds[] = {
	{ "the file", put_right, true },
	{ "a link to it", put_link, true },
	{ "another one", put_wrong, false },
	{ "none", put_nothing, false },
	{ "no ELF file", put_text, false },
	{ "a folder", put_folder, false },
	{ "a FIFO", put_fifo, false },
	{ "a device without end", put_device, false },
};

/* Where it is looked for, by a program of what is at "bin/prog". */
static const struct place {
	const char *why, *path, *root;
	int program; /* the file behind it is what is looked for */
} places[] = {
	{ "beside it", "bin/symbol-linked.debug", NULL, LINKED },
	{ "in a folder there", "bin/.debug/symbol-linked.debug", NULL, LINKED },
	{ "below a root", "usr/lib/debug/bin/symbol-linked.debug", ".",
	  LINKED },
	{ "by its ID", "usr/lib/debug/.build-id/12/34abcd.debug", ".",
	  BUILD_ID },
	{ "by its name, which has the ID", "bin/prog.debug", NULL, BUILD_ID },
	{ "an alternate one", "bin/alternate.debug", NULL, ALTERNATED },
	{ "the same by its ID", "usr/lib/debug/.build-id/12/34abcd.debug", ".",
	  ALTERNATED },
};

static void put_folders(const char *path)
{
	char folder[64];

	for (const char *p = path; (p = strchr(p, '/')); p++) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(p - path), path);
		PREPARING(ck_assert(!mkdir(folder, 0755) || errno == EEXIST));
	}
}

static struct symbols *open_program(const struct place *p)
{
	static char root[PATH_MAX], path[PATH_MAX + 16];
	struct symbols_file file = { .path = path, .open = regular_file_find };
	struct symbols *ret;
	const char *why;

	PREPARING(ck_assert_ptr_nonnull(realpath(".", root)));
	snprintf(path, sizeof(path), "%s/bin/prog", root);
	file.root = p->root ? root : NULL;
	put_folders("bin/");
	put_copy(p->program, "bin/prog", "");
	ret = symbols_open(&file, &why);
	ck_assert_msg(ret != NULL, "%s", why);
	return ret;
}

TEST_TIMES(only_the_right_regular_file_is_taken,
	   ARRAY_SIZE(kinds) * ARRAY_SIZE(places))
{
	const struct kind *k = &kinds[(size_t)_i % ARRAY_SIZE(kinds)];
	const struct place *p = &places[(size_t)_i / ARRAY_SIZE(kinds)];
	struct symbols *s;
	struct symbol at;
	int line = p->program == ALTERNATED ? 7 : 10;

	put_folders(p->path);
	k->put(p->program + 1, p->path);
	s = open_program(p);
	symbols_find(s, 0x10000, &at);
	if (p->program != ALTERNATED)
		ck_assert_msg(at.line == (k->taken ? line : 0), "%s, %s: %d",
			      p->why, k->why, at.line);
	else /* only names are there */
		ck_assert_msg(at.line == line &&
				      !strcmp(at.path,
					      k->taken ? "/in/alternate/part.c"
						       : "part.c"),
			      "%s, %s: %s", p->why, k->why, at.path);
	if (k->put == put_fifo) {
		ck_assert_int_eq(open(p->path, O_WRONLY | O_NONBLOCK), -1);
		ck_assert_int_eq(errno, ENXIO);
	}
	symbols_close(s);
}

/* Where nobody opens files, libdw does not either. */
TEST_TIMES(without_files_none_is_opened, ARRAY_SIZE(places))
{
	const struct place *p = &places[_i];
	struct symbols *s;
	struct symbol at;
	const char *why;
	struct symbols_file file = { .path = "bin/prog" };

	put_folders(p->path);
	put_fifo(0, p->path);
	put_folders("bin/");
	put_copy(p->program, "bin/prog", "");
	s = symbols_open(&file, &why);
	ck_assert_msg(s != NULL, "%s", why);
	symbols_find(s, 0x10000, &at);
	ck_assert_int_eq(at.line, p->program == ALTERNATED ? 7 : 0);
	symbols_close(s);
}

SUITE("debug-file", .begin = arguments, .setup = setup, .teardown = teardown);
