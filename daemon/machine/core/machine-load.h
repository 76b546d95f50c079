/* SPDX-License-Identifier: BSD-2-Clause */
/* Images, which a machine takes in the state NEW only. */
#ifndef CORE_MACHINE_LOAD_H
#define CORE_MACHINE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine-error.h"
#include "board/loader.h"

struct machine;

enum image_kind {
	IMAGE_ANY, /* ELF if it begins like one, else an error */
	IMAGE_ELF,
	IMAGE_FLAT,
	IMAGE_DTB,
	IMAGE_KERNEL, /* an Image or an ELF file */
	IMAGE_INITRD,
	IMAGE_FIRMWARE, /* an ELF file, or flat at the base of RAM */
};

struct machine_image {
	enum image_kind kind;
	uint64_t address; /* FLAT */
	uint64_t entry; /* where execution is to begin; 0: see machine_load() */
	const uint8_t *bytes;
	size_t size;
};

/*
 * @ret_entry: where execution begins, as far as images say up to now; the one
 * that came with an entry decides, otherwise the first. One that cannot be is
 * refused, as is a second one that came with an image.
 */
bool machine_load(struct machine *m, const struct machine_image *image,
		  uint64_t *ret_entry, struct error *e);
/*
 * How far the guest's program lies from where it was linked: the first image
 * that was moved, or, without any but firmware, that. 0: where it was linked.
 */
uint64_t machine_image_bias(const struct machine *m);
/* What lies where by now, and the note on the image loaded last. */
const struct loader *machine_loaded(const struct machine *m);

#endif
