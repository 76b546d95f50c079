/* SPDX-License-Identifier: BSD-2-Clause */
/* What is loaded into a machine before it starts: of two files, load and boot.
 */
#ifndef CORE_MACHINE_BOOT_H
#define CORE_MACHINE_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/dt.h"
#include "board/loader.h"
#include "owners.h"
#include "state-bytes.h"

struct images {
	struct loader loader;
	unsigned n;
	bool have_entry, fixed_entry; /* by the first image, by one with it */
	uint64_t entry;		      /* of what is not firmware */
	uint64_t firmware;	      /* its entry, if kinds has one */
	uint64_t bias, firmware_bias; /* of what is position independent */
	unsigned kinds;		      /* bits of those that there is one of */
	uint64_t initrd_start, initrd_end; /* equal: none */
	void *dtb;			   /* the user's, or generated */
	size_t dtb_size;
	uint64_t dtb_at;  /* where the guest has it */
	uint64_t info_at; /* what firmware is told, 0: there is none */
};

struct images *images_new(struct bus *bus, uint8_t xlen); /* may be NULL */
void images_free(struct images *all);
/* All of it (state-bytes.h). */
void images_give(const struct images *all, struct state *to);
void images_take(struct images *all, struct state *from);
/* Is there firmware that the guest brings? It begins, and starts the rest. */
static inline bool images_have_firmware(const struct images *all)
{
	return all->kinds >> IMAGE_FIRMWARE & 1;
}
/* For the device tree that it has. */
bool machine_make_firmware(struct machine *m, struct error *e);

/* What the device tree is to say; @harts has room for PMU_MAX_HARTS. */
struct dt_config boot_dt_config(const struct machine *m,
				const struct pmu_hart_config **harts);

/*
 * Begins as at the start, on RAM and harts that are as they were then: with new
 * firmware, but for the totals of its events. False: nothing has changed.
 */
bool boot_again(struct machine *m, struct error *e);

#endif
