/* SPDX-License-Identifier: BSD-2-Clause */
/* A file that cannot be read is an image of no bytes, which pmud refuses. */
#include "example-image.h"

#include <stdio.h>
#include <stdlib.h>

#include <pmuclient/machine.h>

static void *read_file(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	char *bytes = NULL;
	long len = -1;

	if (!f)
		return NULL;
	if (!fseek(f, 0, SEEK_END))
		len = ftell(f);
	if (len > 0 && !fseek(f, 0, SEEK_SET)) {
		bytes = malloc((size_t)len);
		if (bytes)
			*ret_len = fread(bytes, 1, (size_t)len, f);
	}
	fclose(f);
	return bytes;
}

int example_image_load(struct pmuclient *c, const char *machine,
		       const char *path)
{
	struct pmuclient_image image = { .size = sizeof(image) };
	void *bytes = read_file(path, &image.len);
	int err;

	image.bytes = bytes;
	err = pmuclient_load(c, machine, &image, NULL);
	free(bytes);
	return err;
}
