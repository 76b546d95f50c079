/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a guest's ELF file, or a kernel's list of symbols, says of addresses:
 * function and source line of a pc, and where a name is. For pmuctl, which has
 * files, and for pmud-machine, which has only bytes. Hostile ELF files are
 * elfutils' business.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;
struct symbol_map;

struct symbol {
	const char *function; /* NULL: unknown; the file's, as are the others */
	uint64_t offset;      /* of the pc in the function */
	const char *file;     /* its last part; NULL: no line is known */
	const char *path;     /* the whole, as the compiler wrote it */
	int line;	      /* 0: the code belongs to none of its file */
};

/*
 * Opens to be read a file that another names, which may be anything. Returns a
 * descriptor, which good() said yes of, or -1.
 */
typedef int symbols_open_fn(const char *path, bool (*good)(void *arg, int fd),
			    void *arg);

/* A file with symbols. */
struct symbols_file {
	const char *path;
	uint64_t bias; /* it was moved by so much, if it is one that can be */
	/* for debug information in files of their own; NULL: there is none */
	symbols_open_fn *open;
	/*
	 * The root of another system that it is of, or NULL: they are looked
	 * for there, in usr/lib/debug, and beside the file.
	 */
	const char *root;
};

/*
 * Opens the symbols and, if it has any, the debug information of it. Returns
 * NULL when it cannot, with *@ret_why a constant text.
 */
struct symbols *symbols_open(const struct symbols_file *file,
			     const char **ret_why);
/*
 * The same of @size bytes, which must live until symbols_close() and are not
 * written to; or of a list of symbols, as symbol-map.h has it, in them. No file
 * is opened, then or later.
 */
struct symbols *symbols_open_memory(const void *bytes, size_t size,
				    const char **ret_why);
/* The same, an ELF file that can be moved by @bias. */
struct symbols *symbols_open_memory_at(const void *bytes, size_t size,
				       uint64_t bias, const char **ret_why);
/* Takes over @map. NULL without memory; it is the caller's still then. */
struct symbols *symbols_open_map(struct symbol_map *map);
/* An ELF file, or else a list? */
bool symbols_are_elf(const void *bytes, size_t size);
void symbols_close(struct symbols *s); /* NULL is fine */
/* What the file has; a stripped one has neither. */
bool symbols_have_functions(const struct symbols *s);
bool symbols_have_lines(struct symbols *s);
/* Never fails: what is unknown is NULL. @s may be NULL. */
void symbols_find(struct symbols *s, uint64_t pc, struct symbol *ret);
/* Is it a file that may lie elsewhere than where it was linked? */
bool symbols_can_move(const struct symbols *s);
/* A part of the file that is executed. */
struct symbols_segment {
	uint64_t start, len; /* addresses */
	uint64_t offset;     /* in the file */
};

/* The @i-th. False: there are no more, or it is no file but a list. */
bool symbols_segment(struct symbols *s, size_t i, struct symbols_segment *ret);
/*
 * The @n bytes of code that the file has at @address. NULL: it has not as many,
 * or it is no file but a list. @s may be NULL.
 */
const uint8_t *symbols_code(struct symbols *s, uint64_t address, size_t n);
/* The address of the code at @offset in the file. False: there is none. */
bool symbols_at_offset(struct symbols *s, uint64_t offset, uint64_t *ret);
/* Is it a list of symbols, which has no segments? */
bool symbols_are_listed(const struct symbols *s);
/*
 * Where a function, an object or a label is, and how long, 0 where that is not
 * said. False: no such name, or, of symbols_open_memory(), too many bytes of
 * others that are like it.
 */
bool symbols_extent(struct symbols *s, const char *name, uint64_t *ret,
		    uint64_t *ret_size);
/* The address alone. */
bool symbols_address(struct symbols *s, const char *name, uint64_t *ret);

#endif
