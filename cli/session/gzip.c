/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gzip, all of the file or nothing: the checksum at the end is looked at before
 * a byte goes anywhere, and a file that would grow without end is given up.
 */
#include "gzip.h"

#include <stdbool.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

#include "buf.h"
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
	struct buf bytes;
};

/* As much again, if it is full; false: no memory, or it would be too much. */
static bool make_room(struct buf *b)
{
	size_t more = b->cap ? b->cap : FIRST_ROOM;

	return b->tail < b->cap ||
	       (b->cap + more <= GZIP_MAX && buf_reserve(b, more));
}

/* Z_STREAM_END: all is there, and checked. */
static int expand(struct expansion *x)
{
	int rc = Z_OK;

	while (rc == Z_OK) {
		struct buf *b = &x->bytes;
		size_t had;

		if (!make_room(b))
			return Z_MEM_ERROR;
		had = b->cap - b->tail;
		x->z.next_out = b->data + b->tail;
		x->z.avail_out = (uInt)had;
		rc = inflate(&x->z, Z_NO_FLUSH);
		buf_commit(b, had - x->z.avail_out);
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
	if (rc != Z_STREAM_END || !buf_len(&x.bytes)) {
		buf_free(&x.bytes);
		return report(path, rc);
	}
	image_unmap(f);
	*f = (struct image_file){ x.bytes.data, buf_len(&x.bytes),
				  .heap = true };
	return EXIT_OK;
}
