/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine's images are together: where execution begins of all that they
 * say, how far they were moved, and what lies beside them.
 */
#include "images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/page.h>

#include "board/board.h"
#include "board/loader.h"
#include "machine.h"

enum {
	TREE_ALIGN = PMU_PAGE
};

struct images {
	struct loader loader;
	bool m_mode;
	unsigned n;
	bool have_entry, fixed_entry; /* by the first image, by one with it */
	uint64_t entry;		      /* of what is not firmware */
	uint64_t firmware;	      /* its entry, if kinds has one */
	uint64_t bias, firmware_bias; /* of what is position independent */
	unsigned kinds;		      /* bits of those that there is one of */
	uint64_t initrd_start, initrd_end; /* equal: none */
	void *tree;			   /* the user's, or made */
	size_t tree_size;
	bool tree_made;
	uint64_t tree_place; /* where the guest has it */
	uint64_t info_place; /* what firmware is told, 0: there is none */
};

struct images *images_new(struct bus *bus, uint8_t xlen, bool m_mode)
{
	struct images *all = calloc(1, sizeof(*all));

	if (!all)
		return NULL;
	all->loader.bus = bus;
	all->loader.xlen = xlen;
	all->m_mode = m_mode;
	return all;
}

void images_free(struct images *all)
{
	if (all)
		free(all->tree);
	free(all);
}

bool images_have(const struct images *all, enum image_kind kind)
{
	return all->kinds >> kind & 1;
}

bool images_can_begin(const struct images *all)
{
	return all->have_entry || images_have(all, IMAGE_FIRMWARE);
}

bool images_have_fixed_entry(const struct images *all, uint64_t *ret_entry)
{
	if (all->fixed_entry)
		*ret_entry = all->entry;
	return all->fixed_entry;
}

bool images_are_full(const struct images *all)
{
	return all->n >= MACHINE_MAX_IMAGES;
}

void images_forget_last(struct images *all)
{
	all->loader.note[0] = 0;
	all->loader.bias = 0;
}

/* There is one more. */
static void added(struct images *all, enum image_kind kind)
{
	all->kinds |= 1u << kind;
	all->n++;
}

static bool is_flat(const struct machine_image *image)
{
	return image->kind == IMAGE_FLAT ||
	       (image->kind == IMAGE_FIRMWARE &&
		!loader_is_elf(image->bytes, image->size));
}

/*
 * A position-independent file goes where a flat one would, by itself; firmware
 * that is there already has the base of RAM.
 */
static uint64_t pie_place(const struct images *all, enum image_kind kind)
{
	if (kind == IMAGE_FIRMWARE)
		return all->loader.bus->ram_base;
	if (kind == IMAGE_KERNEL)
		return 0;
	return all->m_mode && !all->loader.firmware ? BOARD_M_ENTRY
						    : BOARD_S_ENTRY;
}

static int load(struct images *all, const struct machine_image *image,
		struct loader_image *ret)
{
	struct loader *l = &all->loader;
	uint64_t address = image->kind == IMAGE_FIRMWARE ? l->bus->ram_base
							 : image->address;

	l->entry = image->entry;
	l->pie = pie_place(all, image->kind);
	l->moves_itself = image->kind == IMAGE_FIRMWARE;
	if (image->kind == IMAGE_KERNEL)
		return loader_kernel(l, image->bytes, image->size, ret);
	if (!is_flat(image))
		return loader_elf(l, image->bytes, image->size, ret);
	if ((image->kind == IMAGE_FIRMWARE || !all->have_entry) &&
	    !image->entry)
		l->entry = address;
	return loader_flat(l, image->bytes, image->size, address, ret);
}

/* Where execution begins, or firmware goes to: as said, else in the first. */
static void take_entry(struct images *all, const struct machine_image *image,
		       const struct loader_image *got)
{
	if (image->kind == IMAGE_FIRMWARE) {
		all->firmware = got->entry;
		all->firmware_bias = all->loader.bias;
		all->loader.firmware = true;
		return;
	}
	if (!all->bias)
		all->bias = all->loader.bias;
	if (!all->have_entry || image->entry)
		all->entry = got->entry;
	all->have_entry = true;
	all->fixed_entry |= image->entry != 0;
}

int images_add_program(struct images *all, const struct machine_image *image,
		       struct loader_image *ret)
{
	int err = load(all, image, ret);

	if (err < 0)
		return err;
	take_entry(all, image, ret);
	added(all, image->kind);
	return 0;
}

int images_add_initrd(struct images *all, const struct machine_image *image)
{
	uint64_t start;
	int err;

	all->loader.entry = 0;
	err = loader_initrd(&all->loader, image->bytes, image->size, &start);
	if (err < 0)
		return err;
	all->initrd_start = start;
	all->initrd_end = start + image->size;
	added(all, IMAGE_INITRD);
	return 0;
}

void images_add_tree(struct images *all, void *dtb, size_t size)
{
	all->tree = dtb;
	all->tree_size = size;
	added(all, IMAGE_DTB);
}

void images_note(struct images *all, const char *text)
{
	if (!*all->loader.note)
		snprintf(all->loader.note, LOADER_TEXT, "%s", text);
}

const char *images_error(const struct images *all)
{
	return loader_error(&all->loader);
}

uint64_t images_entry(const struct images *all)
{
	return images_have(all, IMAGE_FIRMWARE) ? all->firmware : all->entry;
}

uint64_t images_program_entry(const struct images *all)
{
	return all->have_entry ? all->entry : 0;
}

uint64_t images_bias(const struct images *all)
{
	return all->have_entry ? all->bias : all->firmware_bias;
}

const struct loader *images_loader(const struct images *all)
{
	return &all->loader;
}

void images_initrd(const struct images *all, uint64_t *ret_start,
		   uint64_t *ret_end)
{
	*ret_start = all->initrd_start;
	*ret_end = all->initrd_end;
}

const void *images_tree(const struct images *all, size_t *ret_size)
{
	*ret_size = all->tree_size;
	return all->tree;
}

void images_make_tree(struct images *all, void *dtb, size_t size)
{
	all->tree = dtb;
	all->tree_size = size;
	all->tree_made = true;
}

void images_drop_made_tree(struct images *all)
{
	if (!all->tree_made)
		return;
	free(all->tree);
	all->tree = NULL;
	all->tree_size = 0;
	all->tree_made = false;
}

int images_place_tree(struct images *all, const void *dtb, size_t size)
{
	return loader_high(&all->loader, dtb, size, TREE_ALIGN,
			   &all->tree_place);
}

int images_place_info(struct images *all, const void *info, size_t size)
{
	return loader_high(&all->loader, info, size, sizeof(uint64_t),
			   &all->info_place);
}

uint64_t images_tree_place(const struct images *all)
{
	return all->tree_place;
}

uint64_t images_info_place(const struct images *all)
{
	return all->info_place;
}

void images_give(const struct images *all, struct state *to)
{
	struct images given = *all;

	given.loader.bus = NULL;
	given.tree = NULL;
	state_put(to, "images", &given, sizeof(given));
	if (all->tree)
		state_put(to, "device tree", all->tree, all->tree_size);
}

void images_take(struct images *all, struct state *from)
{
	struct bus *bus = all->loader.bus;
	const void *tree;

	free(all->tree);
	state_get(from, "images", all, sizeof(*all));
	all->loader.bus = bus;
	all->tree = NULL;
	if (!state_is_next(from, "device tree"))
		return;
	tree = state_take(from, "device tree", all->tree_size);
	all->tree = tree ? malloc(all->tree_size) : NULL;
	if (all->tree)
		memcpy(all->tree, tree, all->tree_size);
	else
		from->failed = "device tree";
}
