/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gzip, all of the file or nothing: the checksum at the end is looked at before
 * a byte goes anywhere, and a file that would grow without end is given up.
 */
#include "gzip.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

#include "image-file.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	GZIP_ONLY = 16, /* of inflateInit2(): no other format */
	FIRST_ROOM = 64 << 20,
};

static const uint8_t magic[] = { 0x1f, 0x8b };

struct expansion {
	z_stream z;
	uint8_t *bytes; /* owned */
	size_t len, room;
};

/* More room; false: no memory, or it would be too much. */
static bool grow(struct expansion *x)
{
	size_t room = x->room ? 2 * x->room : FIRST_ROOM;
	uint8_t *bytes = room <= GZIP_MAX ? realloc(x->bytes, room) : NULL;

	if (!bytes)
		return false;
	x->bytes = bytes;
	x->room = room;
	return true;
}

/* Z_STREAM_END: all is there, and checked. */
static int expand(struct expansion *x)
{
	int rc = Z_OK;

	while (rc == Z_OK) {
		size_t had;

		if (x->len == x->room && !grow(x))
			return Z_MEM_ERROR;
		had = x->room - x->len;
		x->z.next_out = x->bytes + x->len;
		x->z.avail_out = (uInt)had;
		rc = inflate(&x->z, Z_NO_FLUSH);
		x->len += had - x->z.avail_out;
	}
	return rc;
}

static int report(const char *path, int rc)
{
	if (rc == Z_MEM_ERROR)
		report_error("%s: needs more than %d MiB or than there is "
			     "when decompressed",
			     path, GZIP_MAX >> 20);
	else
		report_error("%s: the gzip file is cut off or damaged", path);
	return EXIT_FAILED;
}

int gzip_expand(struct image_file *f, const char *path)
{
	struct expansion x = { 0 };
	int rc;

	if (f->len < sizeof(magic) || memcmp(f->bytes, magic, sizeof(magic)))
		return EXIT_OK;
	if (f->len > GZIP_MAX)
		return report(path, Z_MEM_ERROR);
	x.z.next_in = f->bytes;
	x.z.avail_in = (uInt)f->len;
	rc = inflateInit2(&x.z, MAX_WBITS + GZIP_ONLY);
	if (rc == Z_OK)
		rc = expand(&x);
	inflateEnd(&x.z);
	if (rc != Z_STREAM_END || !x.len) {
		free(x.bytes);
		return report(path, rc);
	}
	image_unmap(f);
	*f = (struct image_file){ x.bytes, x.len, .heap = true };
	return EXIT_OK;
}
