/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts images into RAM: ELF executables, flat binaries, kernels, the initrd,
 * the device tree. It decides where bytes go and refuses what cannot be right,
 * with a text that says which part, which address and what would be possible;
 * images are hostile input. Where harts begin is the machine's decision.
 */
#ifndef BOARD_LOADER_H
#define BOARD_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus.h"

enum {
	LOADER_MAX_RANGES = 256,
	LOADER_TEXT = 256
};

enum loader_errno {	    /* returned negated; loader_error() tells more */
	LOADER_EFORMAT = 1, /* not a file or an entry this loader can take */
	LOADER_ERANGE,	    /* outside RAM, or an entry outside all parts */
	LOADER_EOVERLAP,    /* a part lies on one already loaded */
	LOADER_ELIMIT,	    /* more parts than LOADER_MAX_RANGES */
};

struct loader_range {
	uint64_t start, size;
	bool data;     /* nothing is to be executed there */
	char what[56]; /* "segment 2 of image 1" */
};

/*
 * What is loaded so far. Zero it, then set @bus and @xlen; and before an image
 * @entry, where execution is to begin, or 0: where the image says.
 */
struct loader {
	struct bus *bus;
	uint8_t xlen;
	uint64_t entry;
	uint64_t pie; /* where a position-independent ELF file goes; 0: not */
	bool moves_itself;   /* such a file does, as firmware */
	uint64_t kernel_end; /* behind all that the kernel uses; 0: none yet */
	bool firmware;	     /* one that may use what lies behind the kernel */
	unsigned n_images, n_ranges;
	struct loader_range ranges[LOADER_MAX_RANGES];
	char error[LOADER_TEXT];
	char note[LOADER_TEXT]; /* on the last image, for people, or empty */
	uint64_t bias;		/* of the last ELF file: how far it was moved */
};

struct loader_image {
	uint64_t entry;		   /* physical */
	uint64_t tohost, fromhost; /* physical, 0: the file has none */
};

/* Does it begin as an ELF file does? */
bool loader_is_elf(const void *bytes, size_t size);

/*
 * Loads a RISC-V ELF executable by its PT_LOAD segments' physical addresses, or
 * a static position-independent one (ET_DYN) from @l's pie on: at the first
 * address that is a multiple of what its segments ask for away from its own.
 * Its words are moved as its dynamic section says, where it does not do that
 * itself.
 * @bytes is only read. Words of HTIF that cannot be are left out with a note.
 * Nothing is written to RAM and nothing is remembered on failure:
 * -LOADER_EFORMAT, -LOADER_ERANGE, -LOADER_EOVERLAP, -LOADER_ELIMIT.
 */
int loader_elf(struct loader *l, const void *bytes, size_t size,
	       struct loader_image *ret);
/*
 * Loads @size bytes as they are; where @l says nothing else, execution begins
 * with the first. Errors as above.
 */
int loader_flat(struct loader *l, const void *bytes, size_t size,
		uint64_t paddr, struct loader_image *ret);
/*
 * Loads a Linux kernel: an Image at the base of RAM plus its text_offset, of
 * which it takes as much as its image_size says, or an ELF file. Errors as
 * above; the text of -LOADER_ERANGE says how much memory it takes.
 */
int loader_kernel(struct loader *l, const void *bytes, size_t size,
		  struct loader_image *ret);
/*
 * Loads an initrd behind the kernel, or as loader_high() would: without one,
 * and with firmware, which may have its own plans there (OpenSBI's fw_jump puts
 * the device tree 32 MiB behind it). It is not a place to begin at. Errors as
 * above.
 */
int loader_initrd(struct loader *l, const void *bytes, size_t size,
		  uint64_t *ret_paddr);
/*
 * Finds free RAM for @size bytes as high as possible below 4 GiB, at a multiple
 * of @align (a power of two), and loads @bytes there, as an image. Returns 0,
 * -LOADER_ERANGE when there is no room, -LOADER_ELIMIT.
 */
int loader_high(struct loader *l, const void *bytes, size_t size,
		uint64_t align, uint64_t *ret_paddr);
/* Why the last call failed, for people. */
const char *loader_error(const struct loader *l);

#endif
