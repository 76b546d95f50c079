/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All owners give and take here, in one order. Of RAM go the pages that are not
 * zero.
 */
#include "machine-state.h"

#include <string.h>

#include <fw/fw.h>

#include "board/board.h"
#include "deliveries.h"
#include "ebb-session.h"
#include "images.h"
#include "injections.h"
#include "machine-boot.h"
#include "machine-console.h"
#include "machine-hart.h"
#include "machine-hold.h"
#include "machine-loop.h"
#include "machine-misses.h"
#include "machine-note.h"
#include "machine-reset.h"
#include "machine-sample.h"
#include "machine-uarch.h"
#include "machine-watch.h"
#include "plan.h"
#include "sample-sums.h"

struct state_page {
	uint64_t paddr;
	uint8_t bytes[BUS_PAGE];
};

static void give_ram(const struct machine *m, struct state *to)
{
	const struct bus *bus = board_bus(m->board);

	for (uint64_t at = 0; at < bus->ram_size; at += BUS_PAGE) {
		struct state_page page = { .paddr = bus->ram_base + at };

		if (bus_page_is_zero(bus, at))
			continue;
		memcpy(page.bytes, bus->ram + at, BUS_PAGE);
		state_put(to, "page", &page, sizeof(page));
	}
}

static void take_ram(struct machine *m, struct state *from)
{
	struct state_page page;

	bus_clear(board_bus(m->board)); /* of what is loaded already */
	while (state_is_next(from, "page")) {
		state_get(from, "page", &page, sizeof(page));
		if (!bus_write(board_bus(m->board), page.paddr, page.bytes,
			       BUS_PAGE))
			from->failed = "page";
	}
}

static void give_board(const struct machine *m, struct state *to)
{
	void *room = state_room(to, "board", board_state_size());

	if (room)
		board_give(m->board, room);
	state_put(to, "time", &m->timebase->offset,
		  sizeof(m->timebase->offset));
	give_ram(m, to);
}

static void take_board(struct machine *m, struct state *from)
{
	const void *state = state_take(from, "board", board_state_size());

	if (state)
		board_take(m->board, state);
	state_get(from, "time", &m->timebase->offset,
		  sizeof(m->timebase->offset));
	take_ram(m, from);
}

static void give_firmware(const struct machine *m, struct state *to)
{
	void *room;

	if (!m->fw)
		return;
	room = state_room(to, "firmware", fw_state_size(m->fw));
	if (room)
		fw_give(m->fw, room);
}

static bool take_firmware(struct machine *m, struct state *from,
			  struct error *e)
{
	const void *state;

	if (!state_is_next(from, "firmware"))
		return true;
	if (!machine_make_firmware(m, e))
		return false;
	state = state_take(from, "firmware", fw_state_size(m->fw));
	if (state && fw_take(m->fw, state) < 0)
		from->failed = "firmware";
	return true;
}

static void give_turn(const struct machine *m, struct state *to)
{
	const struct pmu_hart *harts[PMU_MAX_HARTS];

	for (unsigned i = 0; i < m->cfg->harts; i++)
		harts[i] = hart_of(m, i)->pmu;
	turn_give(m->turn, harts, to);
}

static void take_turn(struct machine *m, struct state *from)
{
	const struct pmu_hart *harts[PMU_MAX_HARTS];

	for (unsigned i = 0; i < m->cfg->harts; i++)
		harts[i] = hart_of(m, i)->pmu;
	turn_take(m->turn, harts, from);
}

/* What a guest can see of the settings that are not a hart's own. */
static bool same_settings(const struct settings *a, const struct settings *b)
{
	struct settings_row row;

	for (size_t i = 0; i < settings_count(); i++) {
		settings_row(i, &row);
		if (row.host_only || row.per_hart)
			continue;
		if (memcmp((const char *)a + row.offset,
			   (const char *)b + row.offset, sizeof(uint64_t)))
			return false;
	}
	return true;
}

static void give_config(const struct machine *m, struct state *to)
{
	struct machine_config cfg = *m->cfg;

	cfg.pacer = NULL;
	state_put(to, "config", &cfg, sizeof(cfg));
}

static void check_config(const struct machine *m, struct state *from)
{
	struct machine_config cfg = *m->cfg;

	state_get(from, "config", &cfg, sizeof(cfg));
	if (!from->failed &&
	    (cfg.harts != m->cfg->harts || cfg.memory != m->cfg->memory ||
	     cfg.m_mode != m->cfg->m_mode ||
	     strcmp(cfg.bootargs, m->cfg->bootargs) != 0 ||
	     !same_settings(&cfg.settings, &m->cfg->settings)))
		from->failed = "config";
}

bool machine_give(const struct machine *m, struct state *to, struct error *e)
{
	give_config(m, to);
	give_board(m, to);
	images_give(m->images, to);
	reset_give(m, to);
	give_firmware(m, to);
	harts_give(m, to);
	give_turn(m, to);
	plan_give(m->plan, to);
	injections_give(m->injections, to);
	hold_give(m->hold, to);
	watches_give(m->watches, to);
	console_give(m->console, to);
	loops_give(m->loops, to);
	notes_give(m->notes, to);
	inputs_give(m->inputs, to);
	ebb_give(m->ebb, to);
	deliveries_give(m->deliveries, to);
	samplers_give(m->samplers, to);
	sums_give(m->sums, to);
	misses_give(m->misses, to);
	uarchs_give(m, to);
	life_give(m->life, to);
	return !to->failed || error_no_memory_for(e, "state");
}

/* False: there can be no firmware. */
static bool take_all(struct machine *m, struct state *from, struct error *e)
{
	take_board(m, from);
	images_take(m->images, from);
	reset_take(m, from);
	if (!take_firmware(m, from, e))
		return false;
	harts_take(m, from);
	take_turn(m, from);
	plan_take(m->plan, from);
	injections_take_all(m->injections, from);
	hold_take(m, from);
	watches_take(m->watches, from);
	console_take(m->console, from);
	loops_take(m->loops, from);
	notes_take(m->notes, from);
	inputs_take_all(m->inputs, from);
	ebb_take(m->ebb, from);
	deliveries_take(m->deliveries, from);
	samplers_take(m->samplers, from);
	sums_take(m->sums, from);
	misses_take(m->misses, from);
	uarchs_take(m, from);
	life_take(m->life, from);
	return true;
}

bool machine_take(struct machine *m, struct state *from, struct error *e)
{
	if (life_state(m->life) != MACHINE_NEW)
		return error_set(e, ERROR_NOT_NOW,
				 AT(PART_NONE, "ALREADY_STARTED"),
				 "state: the machine has started");
	check_config(m, from);
	if (!from->failed && !take_all(m, from, e))
		return false;
	return !from->failed ||
	       error_set(e, ERROR_INVALID, AT(PART_NONE, "BAD_STATE"),
			 "state: its %s does not fit this machine",
			 from->failed);
}
