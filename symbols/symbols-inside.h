/* SPDX-License-Identifier: BSD-2-Clause */
/* What symbols are made of, for the files that read ELF files here. */
#ifndef SYMBOLS_SYMBOLS_INSIDE_H
#define SYMBOLS_SYMBOLS_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include <elfutils/libdwfl.h>

#include "symbols.h"

/* Which bytes of a file are the texts that end in it. */
struct symbols_text {
	Elf *elf; /* NULL: of none yet */
	const char *bytes, *last;
};

enum {
	SYMBOLS_TEXTS = 3 /* the file, its debug file, what is packed in it */
};

struct symbols {
	struct symbol_map *map; /* instead of all that follows, or NULL */
	Dwfl *dwfl;
	symbols_open_fn *open; /* NULL: no other file is looked for */
	char *root;	       /* below which they are; NULL: the host's */
	bool complete;	       /* its alternate file was looked for */
	Elf *alternate_file;
	Dwarf *alternate;  /* of it, or empty; NULL: none is named */
	const void *bytes; /* of symbols_open_memory() */
	size_t size;
	uint64_t bias; /* of a file that can be moved */
	Dwfl_Module *module;
	struct symbol_functions *functions; /* made when first wanted */
	struct symbols_text texts[SYMBOLS_TEXTS];
};

/*
 * The module, to ask for lines and units: whoever asks for debug information
 * asks so, lest libdw opens what a file names.
 */
Dwfl_Module *symbols_complete(struct symbols *s);
/*
 * The @name that elfutils found in @elf, or NULL where there is none, or it
 * does not end before the file's end, which elfutils leaves to its callers.
 */
const char *symbols_ended(struct symbols *s, Elf *elf, const char *name);
/*
 * The @i-th of a file's table, from 1 on. False: it is of another file, or the
 * name of a source or of a section, or of nothing.
 */
bool symbols_entry(struct symbols *s, int i, const char **ret,
		   uint64_t *ret_address, uint64_t *ret_size);

#endif
