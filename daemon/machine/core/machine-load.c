/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The images that a machine takes before it starts, one after the other, and
 * what they say of where execution begins.
 */
#include "machine-load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fw/quirk.h>

#include "board/board.h"
#include "board/dt-ranges.h"
#include "machine-boot.h"

struct images *images_new(struct bus *bus, uint8_t xlen)
{
	struct images *all = calloc(1, sizeof(*all));

	if (!all)
		return NULL;
	all->loader.bus = bus;
	all->loader.xlen = xlen;
	return all;
}

void images_free(struct images *all)
{
	if (all)
		free(all->dtb);
	free(all);
}

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
	size_t n = dt_ranges(m->images->dtb, ranges);

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
	void *dtb;

	if (m->images->dtb)
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
	m->images->dtb = dtb;
	m->images->dtb_size = image->size;
	set_vacant(m);
	return true;
}

static bool loads_flat(const struct machine_image *image)
{
	return image->kind == IMAGE_FLAT ||
	       (image->kind == IMAGE_FIRMWARE &&
		!loader_is_elf(image->bytes, image->size));
}

/*
 * A position-independent file goes where a flat one would, by itself; firmware
 * that is there already has the base of RAM.
 */
static uint64_t pie_place(const struct machine *m,
			  const struct machine_image *image)
{
	uint64_t base = m->images->loader.bus->ram_base;

	if (image->kind == IMAGE_FIRMWARE)
		return base;
	if (image->kind == IMAGE_KERNEL)
		return 0;
	return m->cfg->m_mode && !m->images->loader.firmware ? BOARD_M_ENTRY
							     : BOARD_S_ENTRY;
}

static int load_bytes(struct machine *m, const struct machine_image *image,
		      struct loader_image *got)
{
	struct loader *l = &m->images->loader;
	uint64_t address = image->kind == IMAGE_FIRMWARE ? l->bus->ram_base
							 : image->address;

	l->entry = image->entry;
	l->pie = pie_place(m, image);
	l->moves_itself = image->kind == IMAGE_FIRMWARE;
	if (image->kind == IMAGE_KERNEL)
		return loader_kernel(l, image->bytes, image->size, got);
	if (!loads_flat(image))
		return loader_elf(l, image->bytes, image->size, got);
	if ((image->kind == IMAGE_FIRMWARE || !m->images->have_entry) &&
	    !image->entry)
		l->entry = address;
	return loader_flat(l, image->bytes, image->size, address, got);
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

/* Said where the firmware would have offered them to another guest. */
static void note_snapshot(struct machine *m)
{
	const struct settings *s = &m->cfg->settings;
	struct fw_quirks quirks =
		fw_profile_quirks((enum fw_profile)s->profile);
	char *note = m->images->loader.note;

	if (m->cfg->m_mode || s->snapshot != SETTINGS_SNAPSHOT_AUTO ||
	    quirks.no_snapshot || s->sbi < SETTINGS_SBI_2_0 || *note)
		return;
	snprintf(note, LOADER_TEXT,
		 "snapshot=auto is off for a kernel: with snapshots, Linux "
		 "starts no counter again after its first overflow (C77)");
}

static bool load_program(struct machine *m, const struct machine_image *image,
			 struct error *e)
{
	struct loader_image got = { 0 };

	if (image->kind == IMAGE_ANY &&
	    !loader_is_elf(image->bytes, image->size))
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_ADDRESS, "NOT_AN_ELF_FILE"),
				 "image: not an ELF file; a flat one needs an "
				 "address");
	if (image->entry && m->images->fixed_entry &&
	    image->kind != IMAGE_FIRMWARE)
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_ENTRY, "ENTRY_TWICE"),
				 "entry: 0x%" PRIx64 ", but an earlier image "
				 "came with 0x%" PRIx64,
				 image->entry, m->images->entry);
	if (load_bytes(m, image, &got) < 0)
		return error_set(e, ERROR_INVALID,
				 AT(image->kind == IMAGE_FLAT
					    ? PART_IMAGE_ADDRESS
					    : PART_IMAGE,
				    "BAD_IMAGE"),
				 "image: %s", loader_error(&m->images->loader));
	if (got.tohost || got.fromhost)
		board_set_htif(m->board, got.tohost, got.fromhost);
	take_entry(m->images, image, &got);
	if (image->kind == IMAGE_KERNEL)
		note_snapshot(m);
	return true;
}

static bool load_initrd(struct machine *m, const struct machine_image *image,
			struct error *e)
{
	struct images *all = m->images;
	uint64_t start;

	if (image->entry)
		return error_set(e, ERROR_INVALID,
				 AT(PART_IMAGE_ENTRY, "BAD_VALUE"),
				 "entry: 0x%" PRIx64 ", but nothing begins in "
				 "an initrd",
				 image->entry);
	all->loader.entry = 0;
	if (loader_initrd(&all->loader, image->bytes, image->size, &start) < 0)
		return error_set(e, ERROR_INVALID, AT(PART_IMAGE, "BAD_IMAGE"),
				 "image: %s", loader_error(&all->loader));
	all->initrd_start = start;
	all->initrd_end = start + image->size;
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
	    m->images->kinds >> image->kind & 1)
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
	if (m->images->n >= MACHINE_MAX_IMAGES)
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_NONE, "IMAGES_LIMIT"),
				 "image: at most %d", MACHINE_MAX_IMAGES);
	m->images->loader.note[0] = 0;
	m->images->loader.bias = 0;
	if (!check_kind(m, image, e) || !load_kind(m, image, e))
		return false;
	if (image->kind >= IMAGE_KERNEL)
		m->images->kinds |= 1u << image->kind;
	*ret_entry = images_have_firmware(m->images) ? m->images->firmware
						     : m->images->entry;
	m->images->n++;
	return true;
}

uint64_t machine_image_bias(const struct machine *m)
{
	return m->images->have_entry ? m->images->bias
				     : m->images->firmware_bias;
}

const struct loader *machine_loaded(const struct machine *m)
{
	return &m->images->loader;
}

void images_give(const struct images *all, struct state *to)
{
	struct images given = *all;

	given.loader.bus = NULL;
	given.dtb = NULL;
	state_put(to, "images", &given, sizeof(given));
	if (all->dtb)
		state_put(to, "device tree", all->dtb, all->dtb_size);
}

void images_take(struct images *all, struct state *from)
{
	struct bus *bus = all->loader.bus;
	const void *dtb;

	state_get(from, "images", all, sizeof(*all));
	all->loader.bus = bus;
	all->dtb = NULL;
	if (!state_is_next(from, "device tree"))
		return;
	dtb = state_take(from, "device tree", all->dtb_size);
	all->dtb = dtb ? malloc(all->dtb_size) : NULL;
	if (all->dtb)
		memcpy(all->dtb, dtb, all->dtb_size);
	else
		from->failed = "device tree";
}
