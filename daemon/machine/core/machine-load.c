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

#include "board/board.h"
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

static bool load_dtb(struct machine *m, const struct machine_image *image,
		     struct error *e)
{
	const struct pmu_hart_config *harts[PMU_MAX_HARTS];
	struct dt_config cfg = boot_dt_config(m, harts);
	struct dt_report report = { .warn = warn, .arg = m };
	void *dtb;

	if (m->images->dtb)
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("start.kind", "DEVICE_TREE_TWICE"),
				 "image: there is a device tree already");
	dtb = malloc(image->size + 1);
	if (!dtb)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT(NULL, "OUT_OF_MEMORY"), "out of memory");
	memcpy(dtb, image->bytes, image->size);
	if (dt_check(dtb, image->size, &cfg, &report) < 0) {
		free(dtb);
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("chunk", "BAD_DEVICE_TREE"),
				 "device tree: %s", report.error);
	}
	m->images->dtb = dtb;
	m->images->dtb_size = image->size;
	return true;
}

static int load_bytes(struct machine *m, const struct machine_image *image,
		      struct loader_image *got)
{
	bool flat = image->kind == IMAGE_FLAT;

	m->images->loader.entry = image->entry;
	if (flat && !m->images->have_entry && !image->entry)
		m->images->loader.entry = image->address;
	if (flat)
		return loader_flat(&m->images->loader, image->bytes,
				   image->size, image->address, got);
	return loader_elf(&m->images->loader, image->bytes, image->size, got);
}

static bool load_program(struct machine *m, const struct machine_image *image,
			 struct error *e)
{
	struct loader_image got = { 0 };

	if (image->kind == IMAGE_ANY &&
	    !loader_is_elf(image->bytes, image->size))
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("start.address", "NOT_AN_ELF_FILE"),
				 "image: not an ELF file; a flat one needs an "
				 "address");
	if (image->entry && m->images->fixed_entry)
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("start.entry", "ENTRY_TWICE"),
				 "entry: 0x%" PRIx64 ", but an earlier image "
				 "came with 0x%" PRIx64,
				 image->entry, m->images->entry);
	if (load_bytes(m, image, &got) < 0)
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT(image->kind == IMAGE_FLAT ? "start.address"
							      : "chunk",
				    "BAD_IMAGE"),
				 "image: %s", loader_error(&m->images->loader));
	if (got.tohost || got.fromhost)
		board_set_htif(m->board, got.tohost, got.fromhost);
	if (!m->images->have_entry || image->entry)
		m->images->entry = got.entry;
	m->images->have_entry = true;
	m->images->fixed_entry |= image->entry != 0;
	return true;
}

bool machine_load(struct machine *m, const struct machine_image *image,
		  uint64_t *ret_entry, struct error *e)
{
	if (life_state(m->life) != MACHINE_NEW)
		return error_set(e, STATUS_FAILED_PRECONDITION,
				 AT(NULL, "ALREADY_STARTED"),
				 "image: the machine has started");
	if (m->images->n >= MACHINE_MAX_IMAGES)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT(NULL, "IMAGES_LIMIT"), "image: at most %d",
				 MACHINE_MAX_IMAGES);
	m->images->loader.note[0] = 0;
	if (image->kind == IMAGE_DTB) {
		if (!load_dtb(m, image, e))
			return false;
	} else if (!load_program(m, image, e)) {
		return false;
	}
	*ret_entry = m->images->entry;
	m->images->n++;
	return true;
}

const struct loader *machine_loaded(const struct machine *m)
{
	return &m->images->loader;
}
