/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which files the code of users is from, as the records of a Linux guest say
 * (Process.mappings), and the symbols of those that are below --sysroot.
 */
#ifndef CLI_TRACE_GUEST_FILES_H
#define CLI_TRACE_GUEST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/v1/traces.pb-c.h"
#include "symbols.h"
#include "wire/cleanup.h"

struct args;
struct guest_files;
struct symbols_at;

#define GUEST_FILES_NONE SIZE_MAX

struct guest_mapping {
	uint32_t pid;
	uint64_t start, end; /* the address behind it */
	uint64_t offset;     /* of @start in the file */
	uint64_t bytes;	     /* the file's; 0: unknown */
	const char *file;    /* in the guest; "": none is known */
	size_t number;
};

/*
 * Puts @m, whose owner is another, into a tree of mappings that overlap nowhere
 * in a process (NULL at first), in the place of those that are where it is. 0:
 * it was there; 1: it was not; -1: no memory.
 */
int guest_mapping_put(void **tree, const struct guest_mapping *m);
void guest_mapping_drop(void **tree); /* all of them */

/*
 * With the files below --sysroot, if @args have that, and with --force those of
 * another size, too. Of a machine that is @live what is not told any more is
 * forgotten, and a number is good until the next record. Returns an exit code
 * after an error was said.
 */
int guest_files_open(struct guest_files **ret, const struct args *args,
		     bool live);
void guest_files_close(struct guest_files *g); /* NULL is fine */
CLEANUP_POINTER(guest_files, struct guest_files, guest_files_close)
/* Is there a --sysroot, by which functions have names? @g may be NULL. */
bool guest_files_are_named(const struct guest_files *g);
/* What a record says, record by record. False: no memory. @g may be NULL. */
bool guest_files_learn(struct guest_files *g, const Pmu__V1__Record *r);
/* From the first record on again: all that is known keeps its number. */
void guest_files_again(struct guest_files *g);
/*
 * The number of the mapping of @pc in the process and mode of @r, by the
 * records so far. GUEST_FILES_NONE: it is not known. @g may be NULL.
 */
size_t guest_files_find(const struct guest_files *g, const Pmu__V1__Record *r,
			uint64_t pc);
size_t guest_files_count(const struct guest_files *g); /* that are known */
const struct guest_mapping *guest_files_get(const struct guest_files *g,
					    size_t i);
/* The file of number @i on the host. NULL: there is none that was taken. */
const char *guest_files_path(struct guest_files *g, size_t i);
/*
 * The same, and where its address 0 is for @pc in it.
 * A file that cannot be taken is noted once. False: there is none.
 */
bool guest_files_symbols(struct guest_files *g, size_t i, uint64_t pc,
			 struct symbols_at *ret);
/* What it says of @pc. False: no file, or no function there. */
bool guest_files_name(struct guest_files *g, const Pmu__V1__Record *r,
		      uint64_t pc, struct symbol *ret);

#endif
