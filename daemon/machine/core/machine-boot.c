/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From what is loaded to the first instruction: the device tree, the firmware,
 * where harts begin and with what in their registers.
 */
#include "machine-boot.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fw/fw.h>

#include "images.h"
#include "machine-fw.h"
#include "machine-hart.h"
#include "machine-hold.h"
#include "machine-mem.h"
#include "machine-reset.h"
#include "plan.h"

enum {
	/* What firmware may let the tree grow by in its place: OpenSBI adds to
	 * harts and reserved-memory.
	 */
	DTB_ROOM = 64 << 10,
};

/*
 * What firmware that takes it (OpenSBI's fw_dynamic) is told in a2: where it
 * goes next and in which mode. Words of XLEN.
 */
enum {
	INFO_MAGIC = 0x4942534f,
	INFO_VERSION = 2, /* with the hart that boots */
	INFO_NEXT_U = 0,
	INFO_NEXT_S = 1,
	INFO_WORDS = 6,
	INFO_REG = ENGINE_X0 + 12, /* a2 */
};

struct dt_config boot_dt_config(const struct machine *m,
				const struct pmu_hart_config **harts)
{
	const uint8_t *seed;
	uint64_t initrd, initrd_end;
	size_t seed_size;

	images_initrd(m->images, &initrd, &initrd_end);
	for (unsigned i = 0; i < m->cfg->harts; i++)
		harts[i] = pmu_hart_config(hart_of(m, i)->pmu);
	seed_size = settings_seed(&m->cfg->settings, &seed);
	return (struct dt_config){
		.harts = harts,
		.n_harts = m->cfg->harts,
		.board = mem_board_kind(m->cfg),
		.serial = m->cfg->settings.serial,
		.clint = m->cfg->m_mode,
		.ram_size = m->cfg->memory,
		.time_hz = m->timebase->time_hz,
		.bootargs = m->cfg->bootargs,
		.initrd_start = initrd,
		.initrd_end = initrd_end,
		.rng_seed = seed,
		.rng_seed_size = seed_size,
	};
}

/* The generated tree, to be freed. */
static bool build_dtb(const struct machine *m, void **ret, size_t *ret_size,
		      struct error *e)
{
	const struct pmu_hart_config *harts[PMU_MAX_HARTS];
	struct dt_config cfg = boot_dt_config(m, harts);

	if (dt_build(ret, ret_size, &cfg) == 0)
		return true;
	return error_set(e, ERROR_HOST, AT(PART_NONE, "HOST_FAILED"),
			 "device tree: cannot be built");
}

static bool make_dtb(struct machine *m, struct error *e)
{
	size_t size;
	void *dtb;

	if (images_tree(m->images, &size))
		return true;
	if (!build_dtb(m, &dtb, &size, e))
		return false;
	images_make_tree(m->images, dtb, size);
	return true;
}

/* Linux restarts counters with a base that only a wrong answer suits (C77). */
static enum fw_snapshot snapshot(const struct machine *m)
{
	switch ((enum settings_snapshot)m->cfg->settings.snapshot) {
	case SETTINGS_SNAPSHOT_ON:
		return FW_SNAPSHOT_ON;
	case SETTINGS_SNAPSHOT_OFF:
		return FW_SNAPSHOT_OFF;
	case SETTINGS_SNAPSHOT_AUTO:
		break;
	}
	return images_have(m->images, IMAGE_KERNEL) ? FW_SNAPSHOT_OFF
						    : FW_SNAPSHOT_AUTO;
}

bool machine_make_firmware(struct machine *m, struct error *e)
{
	static const uint32_t versions[] = {
		[SETTINGS_SBI_1_0] = FW_SBI_1_0,
		[SETTINGS_SBI_2_0] = FW_SBI_2_0,
		[SETTINGS_SBI_3_0] = FW_SBI_3_0,
	};
	const struct settings *s = &m->cfg->settings;
	struct pmu_hart *harts[PMU_MAX_HARTS];
	struct fw_config cfg = {
		.quirks = fw_profile_quirks((enum fw_profile)s->profile),
		.spec_version = versions[s->sbi],
		.snapshot = snapshot(m),
		.sse = s->sse,
		.fw_counters = (unsigned)s->fw_counters,
	};
	struct fw_machine machine = {
		.harts = harts,
		.n_harts = m->cfg->harts,
		.timebase = m->timebase,
		.ops = &fw_ops,
		.host = m,
	};
	char *why = NULL;
	int err;

	cfg.dtb = images_tree(m->images, &cfg.dtb_size);
	for (unsigned i = 0; i < m->cfg->harts; i++)
		harts[i] = hart_of(m, i)->pmu;
	err = fw_new(&m->fw, &cfg, &machine, &why);
	if (!err)
		return true;
	if (err == -FW_ENOMEM || !why) /* nor for saying what it was */
		error_no_memory_for(e, "firmware");
	else
		error_set(e, ERROR_INVALID, AT(PART_MACHINE, "BAD_FIRMWARE"),
			  "firmware: %s", why);
	free(why);
	return false;
}

/* Makes of the tree what S-mode may see (C104). */
static bool fix_dtb(const struct machine *m, void *dtb)
{
	uint32_t lcofi[PMU_MAX_HARTS];
	size_t n = 0;

	for (unsigned i = 0; i < m->cfg->harts; i++) {
		const struct pmu_hart_config *h =
			pmu_hart_config(hart_of(m, i)->pmu);

		if (h->ext & PMU_EXT_SSCOFPMF)
			lcofi[n++] = h->hartid;
	}
	return fw_dt_fixup(dtb, lcofi, n) == 0;
}

/* @dtb with what the machine adds to the user's; to be freed. */
static bool copy_dtb(const struct machine *m, const void *dtb, void **ret,
		     size_t *ret_size, struct error *e)
{
	const struct pmu_hart_config *harts[PMU_MAX_HARTS];
	struct dt_config cfg = boot_dt_config(m, harts);
	size_t size = *ret_size;
	void *copy = malloc(size);
	int err;

	if (!copy)
		return error_no_memory(e);
	memcpy(copy, dtb, size);
	err = dt_set_chosen(&copy, &size, &cfg);
	if (!err) {
		*ret = copy;
		*ret_size = size;
		return true;
	}
	free(copy);
	if (err == -DT_ENOMEM)
		return error_no_memory(e);
	return error_set(e, ERROR_INVALID, AT(PART_MACHINE, "BAD_DEVICE_TREE"),
			 "device tree: /chosen cannot be changed");
}

/*
 * A tree that is yet to be made goes through copy_dtb(), too: so it has the
 * bytes that a start will place.
 */
static bool get_dtb(const struct machine *m, void **ret, size_t *ret_size,
		    struct error *e)
{
	const void *dtb = images_tree(m->images, ret_size);
	void *built;
	bool good;

	if (dtb)
		return copy_dtb(m, dtb, ret, ret_size, e);
	if (!build_dtb(m, &built, ret_size, e))
		return false;
	good = copy_dtb(m, built, ret, ret_size, e);
	free(built);
	return good;
}

bool machine_device_tree(const struct machine *m, bool guest, void **ret,
			 size_t *ret_size, struct error *e)
{
	void *dtb;

	if (!get_dtb(m, &dtb, ret_size, e))
		return false;
	if (guest && !m->cfg->m_mode && !fix_dtb(m, dtb)) {
		free(dtb);
		return error_set(e, ERROR_HOST, AT(PART_NONE, "HOST_FAILED"),
				 "device tree: riscv,pmu cannot be fixed up");
	}
	*ret = dtb;
	return true;
}

/* The tree as the guest sees it, in its memory. */
static bool place_dtb(struct machine *m, struct error *e)
{
	size_t size = 0,
	       room = images_have(m->images, IMAGE_FIRMWARE) ? DTB_ROOM : 0;
	void *dtb = NULL, *copy;
	int rc;

	if (!machine_device_tree(m, true, &dtb, &size, e))
		return false;
	assert(dtb);
	copy = calloc(1, size + room);
	if (copy)
		memcpy(copy, dtb, size);
	free(dtb);
	if (!copy)
		return error_no_memory(e);
	rc = images_place_tree(m->images, copy, size + room);
	free(copy);
	if (rc == 0)
		return true;
	return error_set(e, ERROR_INVALID, AT(PART_MACHINE, "BAD_DEVICE_TREE"),
			 "device tree: %s", images_error(m->images));
}

static bool place_info(struct machine *m, struct error *e)
{
	const struct pmu_hart_config *h = pmu_hart_config(hart_of(m, 0)->pmu);
	const uint64_t words[INFO_WORDS] = {
		INFO_MAGIC,
		INFO_VERSION,
		images_program_entry(m->images),
		h->ext & PMU_EXT_S ? INFO_NEXT_S : INFO_NEXT_U,
		0, /* options */
		h->hartid,
	};
	size_t size = h->xlen / 8u;
	uint8_t bytes[sizeof(words)];

	for (unsigned i = 0; i < INFO_WORDS; i++) /* little-endian */
		memcpy(bytes + i * size, &words[i], size);
	if (images_place_info(m->images, bytes, INFO_WORDS * size) == 0)
		return true;
	return error_set(e, ERROR_INVALID, AT(PART_MACHINE, "BAD_IMAGE"),
			 "firmware: %s", images_error(m->images));
}

/*
 * S-mode: hart 0 begins, the others wait for the guest to start them. M-mode:
 * all begin, as after a reset.
 */
static void begin(struct machine *m)
{
	const struct images *all = m->images;
	bool firmware = images_have(all, IMAGE_FIRMWARE);
	unsigned n = m->fw ? 1 : m->cfg->harts;

	for (unsigned i = 0; i < n; i++) {
		pmu_hart_reset(hart_of(m, i)->pmu);
		if (m->fw)
			fw_hart_boot(m->fw, i);
		hart_start(m, hart_of(m, i), images_entry(all),
			   images_tree_place(all));
		if (firmware)
			engine_set(m->engine, hart_of(m, i)->ctx, INFO_REG,
				   images_info_place(all));
	}
	plan_turn_changed(m->plan);
}

/* What a start makes, until it begins: all of it, or nothing. */
static bool make_start(struct machine *m, struct error *e)
{
	if (make_dtb(m, e) && (m->cfg->m_mode || machine_make_firmware(m, e)) &&
	    place_dtb(m, e) &&
	    (!images_have(m->images, IMAGE_FIRMWARE) || place_info(m, e)) &&
	    reset_keep(m, e))
		return true;
	fw_free(m->fw);
	m->fw = NULL;
	images_drop_made_tree(m->images);
	return false;
}

bool machine_start(struct machine *m, bool paused, struct error *e)
{
	if (life_state(m->life) != MACHINE_NEW)
		return error_set(e, ERROR_NOT_NOW,
				 AT(PART_NONE, "ALREADY_STARTED"),
				 "start: the machine has started");
	if (!images_can_begin(m->images))
		return error_set(e, ERROR_NOT_NOW, AT(PART_NONE, "NO_IMAGE"),
				 "start: no image is loaded");
	if (!make_start(m, e))
		return false;
	if (m->fw)
		fputs(fw_dt_warnings(m->fw), stderr);
	begin(m);
	life_start(m->life);
	if (paused)
		hold_still(m, CAUSE_PAUSE);
	return true;
}

bool boot_again(struct machine *m, struct error *e)
{
	struct fw *old = m->fw;

	m->fw = NULL;
	if (old && !machine_make_firmware(m, e)) {
		m->fw = old;
		return false;
	}
	if (old)
		fw_event_totals_take(m->fw, old);
	fw_free(old);
	begin(m);
	return true;
}
