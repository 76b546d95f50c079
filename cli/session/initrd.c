/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's initrd, if there is one, as it is, and behind it an archive of
 * what --add names: Linux unpacks one after the other, compressed or not.
 */
#include "initrd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/args.h"
#include "cpio.h"
#include "image-file.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	ALIGN = 4 /* of an archive that follows another */
};

bool initrd_wanted(const struct args *args)
{
	return args->initrd || args->add.n;
}

static int no_memory(void)
{
	return report_no_memory("initrd");
}

/* FILE:PATH at its last colon; FILE is to be freed. */
static int split(const char *item, char **ret_file, const char **ret_path)
{
	const char *colon = strrchr(item, ':');

	if (!colon || colon == item || !cpio_path_is_good(colon + 1)) {
		report_error("--add: '%s' is not FILE:PATH with a PATH from "
			     "the root of the initrd",
			     item);
		return EXIT_USAGE;
	}
	*ret_file = strndup(item, (size_t)(colon - item));
	*ret_path = colon + 1;
	return *ret_file ? EXIT_OK : no_memory();
}

static int too_large(const char *path)
{
	report_error("%s: the initrd would have more than %llu MiB", path,
		     (unsigned long long)(INITRD_MAX >> 20));
	return EXIT_FAILED;
}

static bool is_empty(const char *file, unsigned *ret_mode)
{
	struct stat st;
	bool empty = stat(file, &st) == 0 && S_ISREG(st.st_mode) && !st.st_size;

	*ret_mode = empty ? st.st_mode & 07777 : 0;
	return empty;
}

static int add_file(struct cpio *a, const char *file, const char *path,
		    uint64_t *room)
{
	struct image_file f;
	unsigned mode;
	int code;

	if (is_empty(file, &mode)) /* which no map can be of */
		return cpio_add(a, path, mode, "", 0) ? EXIT_OK : no_memory();
	code = image_map(&f, file);
	if (code)
		return code;
	if (f.len > *room || f.len > CPIO_MAX_FILE) {
		code = too_large(file);
	} else {
		*room -= f.len;
		code = cpio_add(a, path, f.mode, f.bytes, f.len) ? EXIT_OK
								 : no_memory();
	}
	image_unmap(&f);
	return code;
}

static int add_all(FILE *out, const struct args_list *add, uint64_t room)
{
	struct cpio *a = cpio_new(out);
	int code = a ? EXIT_OK : no_memory();

	for (size_t i = 0; i < add->n && !code; i++) {
		char *file = NULL;
		const char *path;

		code = split(add->item[i], &file, &path);
		if (!code)
			code = add_file(a, file, path, &room);
		free(file);
	}
	if (!code && !cpio_end(a))
		code = no_memory();
	cpio_free(a);
	return code;
}

/* What the user has, padded for what comes behind it. */
static int begin(FILE *out, const char *initrd, uint64_t *room)
{
	struct image_file f;
	int code = initrd ? image_map(&f, initrd) : EXIT_OK;

	if (code || !initrd)
		return code;
	if (f.len > *room - ALIGN)
		code = too_large(initrd);
	else
		fwrite(f.bytes, 1, f.len, out);
	for (size_t i = f.len; i % ALIGN; i++)
		fputc(0, out);
	*room -= f.len + ALIGN;
	image_unmap(&f);
	return code;
}

int initrd_make(const struct args *args, struct image_file *ret)
{
	uint64_t room = INITRD_MAX;
	char *bytes = NULL;
	size_t len;
	FILE *out;
	int code;

	if (!args->add.n)
		return image_map(ret, args->initrd);
	out = open_memstream(&bytes, &len);
	if (!out)
		return no_memory();
	code = begin(out, args->initrd, &room);
	if (!code)
		code = add_all(out, &args->add, room);
	if (fclose(out) && !code)
		code = no_memory();
	if (code)
		free(bytes);
	else
		*ret = (struct image_file){ bytes, len, .heap = true };
	return code;
}
