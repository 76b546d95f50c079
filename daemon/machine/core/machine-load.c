/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The images that a machine takes before it starts, one after the other: which
 * may come beside which, and what the board and people are told of them.
 */
#include "machine-load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fw/quirk.h>

#include "board/board.h"
#include "board/dt-ranges.h"
#include "images.h"
#include "machine-boot.h"

static void warn(void *arg, const char *text)
{
	struct machine *m = arg;

	char detail[256];

	if (*life_detail(m->life))
		return;
	snprintf(detail, sizeof(detail), "warning of the device tree: %s",
		 text);
	life_tell(m->life, detail);
}

/* Where the tree has what the board has not. */
static void set_vacant(struct machine *m)
{
	struct vacant_range ranges[VACANT_MAX];
	size_t size, n = dt_ranges(images_tree(m->images, &size), ranges);

	if (n > VACANT_MAX) {
		warn(m, "it describes more ranges than are looked at: accesses "
			"to others, where no device is, fault");
		n = VACANT_MAX;
	}
	board_set_vacant(m->board, ranges, (unsigned)n);
}

static bool load_dtb(struct machine *m, const struct machine_image *image,
		     struct error *e)
{
	const struct pmu_hart_config *harts[PMU_MAX_HARTS];
	struct dt_config cfg = boot_dt_config(m, harts);
	struct dt_report report = { .warn = warn, .arg = m };
	size_t size;
	void *dtb;

	if (images_tree(m->images, &size))
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_KIND, "DEVICE_TREE_TWICE"),
				 "image: there is a device tree already");
	dtb = malloc(image->size + 1);
	if (!dtb)
		return error_no_memory(e);
	memcpy(dtb, image->bytes, image->size);
	if (dt_check(dtb, image->size, &cfg, &report) < 0) {
		free(dtb);
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE, "BAD_DEVICE_TREE"),
				 "device tree: %s", report.error);
	}
	images_add_tree(m->images, dtb, image->size);
	set_vacant(m);
	return true;
}

/* Said where the firmware would have offered them to another guest. */
static void note_snapshot(struct machine *m)
{
	const struct settings *s = &m->cfg->settings;
	struct fw_quirks quirks =
		fw_profile_quirks((enum fw_profile)s->profile);

	if (m->cfg->m_mode || s->snapshot != SETTINGS_SNAPSHOT_AUTO ||
	    quirks.no_snapshot || s->sbi < SETTINGS_SBI_2_0)
		return;
	images_note(m->images,
		    "snapshot=auto is off for a kernel: with snapshots, Linux "
		    "starts no counter again after its first overflow (C77)");
}

static bool load_program(struct machine *m, const struct machine_image *image,
			 struct error *e)
{
	struct loader_image got = { 0 };
	uint64_t fixed;

	if (image->kind == IMAGE_ANY &&
	    !loader_is_elf(image->bytes, image->size))
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_ADDRESS, "NOT_AN_ELF_FILE"),
				 "image: not an ELF file; a flat one needs an "
				 "address");
	if (image->entry && image->kind != IMAGE_FIRMWARE &&
	    images_have_fixed_entry(m->images, &fixed))
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_ENTRY, "ENTRY_TWICE"),
				 "entry: 0x%" PRIx64 ", but an earlier image "
				 "came with 0x%" PRIx64,
				 image->entry, fixed);
	if (images_add_program(m->images, image, &got) < 0)
		return error_set(e, ERROR_INVALID,
				 AT(image->kind == IMAGE_FLAT
					    ? PART_IMAGE_ADDRESS
					    : PART_IMAGE,
				    "BAD_IMAGE"),
				 "image: %s", images_error(m->images));
	if (got.tohost || got.fromhost)
		board_set_htif(m->board, got.tohost, got.fromhost);
	if (image->kind == IMAGE_KERNEL)
		note_snapshot(m);
	return true;
}

static bool load_initrd(struct machine *m, const struct machine_image *image,
			struct error *e)
{
	if (image->entry)
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_ENTRY, "BAD_VALUE"),
				 "entry: 0x%" PRIx64 ", but nothing begins in "
				 "an initrd",
				 image->entry);
	if (images_add_initrd(m->images, image) < 0)
		return error_set(e, ERROR_INVALID, AT(PART_IMAGE, "BAD_IMAGE"),
				 "image: %s", images_error(m->images));
	return true;
}

/* Kinds that there is one of, and only where it can be of use. */
static bool check_kind(const struct machine *m,
		       const struct machine_image *image, struct error *e)
{
	static const char *const single[] = {
		[IMAGE_KERNEL] = "a kernel",
		[IMAGE_INITRD] = "an initrd",
		[IMAGE_FIRMWARE] = "firmware",
	};

	if (image->kind == IMAGE_FIRMWARE && !m->cfg->m_mode)
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_KIND, "NOT_IN_M_MODE"),
				 "image: the machine starts in S-mode on the "
				 "firmware model; other firmware needs a start "
				 "in M-mode");
	if (image->kind < sizeof(single) / sizeof(single[0]) &&
	    single[image->kind] && images_have(m->images, image->kind))
		return error_set(
			e, ERROR_INVALID, AT(PART_IMAGE_KIND, "IMAGE_TWICE"),
			"image: there is %s already", single[image->kind]);
	return true;
}

static bool load_kind(struct machine *m, const struct machine_image *image,
		      struct error *e)
{
	switch (image->kind) {
	case IMAGE_DTB:
		return load_dtb(m, image, e);
	case IMAGE_INITRD:
		return load_initrd(m, image, e);
	case IMAGE_ANY:
	case IMAGE_ELF:
	case IMAGE_FLAT:
	case IMAGE_KERNEL:
	case IMAGE_FIRMWARE:
		break;
	}
	return load_program(m, image, e);
}

bool machine_load(struct machine *m, const struct machine_image *image,
		  uint64_t *ret_entry, struct error *e)
{
	if (life_state(m->life) != MACHINE_NEW)
		return error_set(e, ERROR_NOT_NOW,
				 AT(PART_NONE, "ALREADY_STARTED"),
				 "image: the machine has started");
	if (images_are_full(m->images))
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_NONE, "IMAGES_LIMIT"),
				 "image: a machine takes at most %d images",
				 MACHINE_MAX_IMAGES);
	images_forget_last(m->images);
	if (!check_kind(m, image, e) || !load_kind(m, image, e))
		return false;
	*ret_entry = images_entry(m->images);
	return true;
}

uint64_t machine_image_bias(const struct machine *m)
{
	return images_bias(m->images);
}

const struct loader *machine_loaded(const struct machine *m)
{
	return images_loader(m->images);
}
