/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The images of a machine: what is loaded, one after the other, what that says
 * of where execution begins, and what the machine puts beside them before it
 * starts. What they may be together, machine-load.c decides.
 */
#ifndef CORE_IMAGES_H
#define CORE_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine-load.h"
#include "state-bytes.h"

struct bus;
struct images;

/*
 * With @m_mode a program that may lie anywhere begins where M-mode does. NULL
 * without memory.
 */
struct images *images_new(struct bus *bus, uint8_t xlen, bool m_mode);
void images_free(struct images *all); /* NULL is fine */

/* Is there an image of this kind? */
bool images_have(const struct images *all, enum image_kind kind);
/* Is there anything that can begin? */
bool images_can_begin(const struct images *all);
/* Has a program come with an entry, which then decides? */
bool images_have_fixed_entry(const struct images *all, uint64_t *ret_entry);
/* Are there as many as a machine takes? */
bool images_are_full(const struct images *all);

/* Another is about to come: what was said of the last one is forgotten. */
void images_forget_last(struct images *all);
/*
 * Puts a program, a kernel or firmware into RAM. Nothing has changed on
 * failure, an error of the loader (images_error()).
 */
int images_add_program(struct images *all, const struct machine_image *image,
		       struct loader_image *ret);
int images_add_initrd(struct images *all, const struct machine_image *image);
/* The user's device tree, of malloc(). */
void images_add_tree(struct images *all, void *dtb, size_t size);
/* For people, of the last image, unless its loader has said something. */
void images_note(struct images *all, const char *text);
/* Why the loader failed. */
const char *images_error(const struct images *all);

/* Where execution begins, as far as images say by now: firmware's, if any. */
uint64_t images_entry(const struct images *all);
/* Where the program does that is not firmware; 0: there is none. */
uint64_t images_program_entry(const struct images *all);
/* machine_image_bias() */
uint64_t images_bias(const struct images *all);
/* machine_loaded() */
const struct loader *images_loader(const struct images *all);
/* Where the initrd lies; both are 0: there is none. */
void images_initrd(const struct images *all, uint64_t *ret_start,
		   uint64_t *ret_end);
/* The device tree, the user's or the machine's; NULL: there is none. */
const void *images_tree(const struct images *all, size_t *ret_size);

/* The device tree that the machine has made, of malloc(), to start with. */
void images_make_tree(struct images *all, void *dtb, size_t size);
/* It does not start: without the tree that was made. */
void images_drop_made_tree(struct images *all);
/*
 * Puts into free RAM what harts are told of as they begin: the tree as the
 * guest sees it, and what firmware is told. 0, or an error of the loader.
 */
int images_place_tree(struct images *all, const void *dtb, size_t size);
int images_place_info(struct images *all, const void *info, size_t size);
/* Where those are, in the guest's memory; 0: there is none. */
uint64_t images_tree_place(const struct images *all);
uint64_t images_info_place(const struct images *all);

/* All of it (state-bytes.h). */
void images_give(const struct images *all, struct state *to);
void images_take(struct images *all, struct state *from);

#endif
