/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A reboot. Images are kept as pages of RAM that they have changed, since what
 * was loaded is that and nothing else; the rest of RAM is zero again, so that a
 * run behind a reboot depends on nothing before it but on what goes on.
 */
#include "machine-reset.h"

#include <stdlib.h>
#include <string.h>

#include "board/board.h"
#include "engine/engine.h"
#include "images.h"
#include "injections.h"
#include "machine-boot.h"
#include "machine-ebb.h"
#include "machine-hart.h"
#include "machine-hold.h"
#include "machine-uarch.h"
#include "state-bytes.h"

struct kept {
	size_t n, room;
	uint64_t *at;		    /* of each page */
	uint8_t (*bytes)[BUS_PAGE]; /* of each page */
};

/* Each page of @r that is not zero; counts them where there is no room. */
static void keep_range(struct kept *k, const struct bus *bus,
		       const struct loader_range *r)
{
	uint64_t from = (r->start - bus->ram_base) / BUS_PAGE * BUS_PAGE;
	uint64_t to = r->start - bus->ram_base + r->size;

	for (uint64_t offset = from; offset < to; offset += BUS_PAGE) {
		if (bus_page_is_zero(bus, offset))
			continue;
		if (k->n < k->room) {
			k->at[k->n] = bus->ram_base + offset;
			memcpy(k->bytes[k->n], bus->ram + offset, BUS_PAGE);
		}
		k->n++;
	}
}

static void keep_all(struct kept *k, const struct bus *bus,
		     const struct loader *l)
{
	k->n = 0;
	for (unsigned i = 0; i < l->n_ranges; i++)
		keep_range(k, bus, &l->ranges[i]);
}

/* Room for as many pages as there are. */
static bool alloc(struct kept *k)
{
	k->at = calloc(k->n + 1, sizeof(*k->at));
	k->bytes = calloc(k->n + 1, sizeof(*k->bytes));
	k->room = k->n;
	return k->at && k->bytes;
}

static bool make_room(struct kept *k, struct error *e)
{
	if (k->n * BUS_PAGE > FOOTPRINT_MAX_KEPT)
		return error_set(
			e, ERROR_NO_ROOM, AT(PART_NONE, "IMAGES_LIMIT"),
			"start: the images take %zu MiB; for a reboot "
			"at most %llu MiB are kept (setting reboot=off "
			"keeps none)",
			(k->n * BUS_PAGE >> 20) + 1,
			(unsigned long long)(FOOTPRINT_MAX_KEPT >> 20));
	if (alloc(k))
		return true;
	return error_no_memory(e);
}

bool reset_keep(struct machine *m, struct error *e)
{
	struct bus *bus = board_bus(m->board);
	struct kept *k;

	if (!m->cfg->settings.reboot)
		return true;
	reset_free(m->kept);
	m->kept = k = calloc(1, sizeof(*k));
	if (!k)
		return error_no_memory(e);
	keep_all(k, bus, images_loader(m->images));
	if (!make_room(k, e))
		return false;
	keep_all(k, bus, images_loader(m->images));
	return true;
}

void reset_free(struct kept *k)
{
	if (!k)
		return;
	free(k->at);
	free(k->bytes);
	free(k);
}

static void restore_ram(struct machine *m)
{
	struct bus *bus = board_bus(m->board);
	const struct kept *k = m->kept;

	bus_clear(bus);
	for (size_t i = 0; i < k->n; i++)
		bus_write(bus, k->at[i], k->bytes[i], BUS_PAGE);
}

bool machine_reset(struct machine *m, enum reboot_kind kind, struct error *e)
{
	const struct hart *h = hart_present(m);
	struct record_at at = hart_at(m, h, hart_pc(m, h));

	record_reset(m->recorder, &at, kind);
	restore_ram(m);
	board_reset(m->board);
	harts_reset(m);
	uarchs_reset(m);
	machine_ebb_reset(m);
	engine_flush_tlb(m->engine);
	injections_reset(m->injections);
	hold_reset(m);
	return boot_again(m, e);
}

void reset_give(const struct machine *m, struct state *to)
{
	const struct kept *k = m->kept;

	if (!k)
		return;
	state_put(to, "kept", &k->n, sizeof(k->n));
	state_put(to, "kept at", k->at, k->n * sizeof(*k->at));
	state_put(to, "kept pages", k->bytes, k->n * sizeof(*k->bytes));
}

void reset_take(struct machine *m, struct state *from)
{
	struct kept *k;

	if (!state_is_next(from, "kept"))
		return;
	reset_free(m->kept);
	m->kept = k = calloc(1, sizeof(*k));
	if (k)
		state_get(from, "kept", &k->n, sizeof(k->n));
	if (!k || k->n > FOOTPRINT_MAX_KEPT / BUS_PAGE || !alloc(k)) {
		from->failed = "kept";
		return;
	}
	state_get(from, "kept at", k->at, k->n * sizeof(*k->at));
	state_get(from, "kept pages", k->bytes, k->n * sizeof(*k->bytes));
}
