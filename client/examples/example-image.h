/* SPDX-License-Identifier: BSD-2-Clause */
/* A file of the examples' command lines, into a machine. */
#ifndef EXAMPLES_EXAMPLE_IMAGE_H
#define EXAMPLES_EXAMPLE_IMAGE_H

struct pmuclient;

/* Loads the image at @path; 0, or a negated enum pmuclient_errno. */
int example_image_load(struct pmuclient *c, const char *machine,
		       const char *path);

#endif
