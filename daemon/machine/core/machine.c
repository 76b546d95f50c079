/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine's life: from a configuration to harts, board and engine, and their
 * end. What each setting means for a hart is decided here; loading is
 * machine-load.c's, starting machine-boot.c's, running machine-run.c's.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fw/fw.h>
#include <pmu/page.h>

#include "board/board.h"
#include "call-memory.h"
#include "deliveries.h"
#include "ebb-session.h"
#include "images.h"
#include "injections.h"
#include "machine-ebb.h"
#include "machine-console.h"
#include "machine-exit.h"
#include "machine-hart.h"
#include "machine-hold.h"
#include "machine-watch.h"
#include "machine-loop.h"
#include "machine-mem.h"
#include "machine-misses.h"
#include "machine-note.h"
#include "machine-reset.h"
#include "machine-sample.h"
#include "machine-uarch.h"
#include "pace.h"
#include "plan.h"
#include "sample-sums.h"

#include "settings/settings-fields.h"

static const struct engine_host_ops engine_ops = {
	.translate = mem_translate,
	.watched = mem_watched,
	.mmio = mem_access_device,
	.accessed = mem_accessed,
	.executed = uarch_executed,
	.on_exit = runner_on_exit,
	.quiet = runner_quiet,
};

static uint8_t sv_modes(const struct settings *s, const struct settings_hart *h)
{
	if (!(h->ext & PMU_EXT_S))
		return 0;
	switch ((enum settings_sv)h->sv) {
	case SETTINGS_SV_BARE:
		return 0;
	case SETTINGS_SV32:
		return PMU_SV32;
	case SETTINGS_SV39:
		return PMU_SV39;
	case SETTINGS_SV48:
		return PMU_SV39 | PMU_SV48;
	case SETTINGS_SV57:
	case SETTINGS_SV_LARGEST:
		break;
	}
	return s->xlen == 32 ? PMU_SV32 : PMU_SV39 | PMU_SV48 | PMU_SV57;
}

static uint32_t hpm_mask(const struct settings_hart *h)
{
	return h->ext & PMU_EXT_ZIHPM ? h->hpm_counters : 0;
}

/* The events of counter @n; the settings have the counters of an event. */
static uint64_t hpm_events(const struct settings_hart *h, unsigned n)
{
	uint64_t events = 0;

	for (unsigned e = 0; e < PMU_N_EVENTS; e++)
		if (h->hpm_events[e] >> n & 1)
			events |= UINT64_C(1) << e;
	return events;
}

static uint8_t pmp_entries(const struct settings_hart *h)
{
	static const uint8_t entries[] = {
		[SETTINGS_PMP_0] = 0,
		[SETTINGS_PMP_16] = 16,
		[SETTINGS_PMP_64] = 64,
	};

	return entries[h->pmp];
}

static void hart_config(const struct settings *s, unsigned hart,
			struct pmu_hart_config *ret)
{
	const struct settings_hart *h = &s->hart[hart];

	pmu_hart_config_init(ret, (unsigned)s->xlen);
	ret->hartid = hart;
	ret->ext = h->ext;
	ret->sv_modes = sv_modes(s, h);
	ret->asid_bits = (uint8_t)h->asid_bits;
	ret->hpm_mask = hpm_mask(h);
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		ret->hpm_width[n] = h->hpm_width[n];
		ret->hpm_events[n] = hpm_events(h, n) & settings_countable(s);
	}
	ret->pmp_entries = pmp_entries(h);
	ret->mvendorid = h->mvendorid;
	ret->marchid = h->marchid;
	ret->mimpid = h->mimpid;
	ret->cpi = (uint32_t)s->cpi;
	ret->trap_cycles = (uint32_t)s->trap_cycles;
	memcpy(ret->tick_hz, s->tick_hz, sizeof(ret->tick_hz));
}

static bool check_settings(const struct machine_config *cfg, struct error *e)
{
	char why[SETTINGS_ERROR];

	if (!settings_check(&cfg->settings, cfg->harts, why))
		return error_set(e, ERROR_INVALID,
				 AT(PART_SETTINGS, "SETTINGS_CONFLICT"), "%s",
				 why);
	for (unsigned i = 0; !cfg->m_mode && i < cfg->harts; i++)
		if (!(cfg->settings.hart[i].ext & PMU_EXT_S))
			return error_set(e, ERROR_INVALID,
					 AT(PART_START_MODE, "NO_S_MODE"),
					 "setting s: hart %u has no S-mode, "
					 "which a start in S-mode needs",
					 i);
	return true;
}

static bool check_config(struct machine_config *cfg, struct error *e)
{
	uint64_t most = cfg->settings.xlen == 32 ? BOARD_RAM_MAX_32
						 : MACHINE_MAX_MEMORY;

	if (cfg->harts == 0)
		cfg->harts = SETTINGS_DEFAULT_HARTS;
	if (cfg->memory == 0)
		cfg->memory = FOOTPRINT_DEFAULT_MEMORY;
	if (cfg->harts > PMU_MAX_HARTS)
		return error_set(e, ERROR_INVALID, AT(PART_HARTS, "BAD_VALUE"),
				 "harts: must be from 1 to %d, not %u",
				 PMU_MAX_HARTS, cfg->harts);
	if (cfg->memory % PMU_PAGE || cfg->memory < BOARD_RAM_MIN ||
	    cfg->memory > most)
		return error_set(e, ERROR_INVALID, AT(PART_MEMORY, "BAD_VALUE"),
				 "memory: must be a multiple of %d bytes up "
				 "to %" PRIu64 ", not %" PRIu64,
				 PMU_PAGE, most, cfg->memory);
	return check_settings(cfg, e);
}

static bool make_board(struct machine *m, struct error *e)
{
	struct board_config cfg = {
		.ram_size = m->cfg->memory,
		.n_harts = m->cfg->harts,
		.xlen = (uint8_t)m->cfg->settings.xlen,
		.kind = mem_board_kind(m->cfg),
		.serial = m->cfg->settings.serial,
		.rtc_base = m->cfg->settings.rtc_base * 1000000000,
		.firmware = !m->cfg->m_mode,
		.timebase = m->timebase,
	};

	if (board_new(&m->board, &cfg, &mem_board_ops, m) < 0)
		return error_set(
			e, ERROR_NO_ROOM, AT(PART_MEMORY, "OUT_OF_MEMORY"),
			"memory: the host cannot give %" PRIu64 " bytes",
			m->cfg->memory);
	m->images = images_new(board_bus(m->board), cfg.xlen, m->cfg->m_mode);
	return m->images || error_no_memory(e);
}

static bool make_engine(struct machine *m, struct error *e)
{
	const struct settings *s = &m->cfg->settings;
	struct bus *bus = board_bus(m->board);
	struct engine_config cfg = {
		.xlen = (uint8_t)s->xlen,
		.mode = (uint8_t)s->engine,
		.engines = (uint8_t)s->engines,
		.step_only = s->step_only,
		.native_minmax = s->fp_minmax == SETTINGS_MINMAX_NATIVE,
		.code_buffer = s->code_buffer,
	};

	if (engine_new(&m->engine, &cfg, &engine_ops, m) < 0 ||
	    engine_map_ram(m->engine, bus->ram_base, bus->ram_size, bus->ram) <
		    0)
		return error_set(e, ERROR_HOST, AT(PART_NONE, "HOST_FAILED"),
				 "engine: %s",
				 m->engine ? engine_error(m->engine)
					   : "cannot be opened");
	return true;
}

static bool make_harts(struct machine *m, struct error *e)
{
	struct pmu_hart_config cfg;

	for (unsigned i = 0; i < m->cfg->harts; i++) {
		hart_config(&m->cfg->settings, i, &cfg);
		if (!harts_make(m, i, &cfg))
			return error_no_memory_for(e, "harts");
	}
	return true;
}

/* The owners of everything but board, engine and images. */
static bool make_owners(struct machine *m, struct error *e)
{
	const struct settings *s = &m->cfg->settings;

	m->life = life_new(s->reboot);
	m->plan = plan_new();
	m->pace = pace_new(m->cfg->pacer);
	m->turn = turn_new(m->cfg->harts, s->quantum);
	m->harts = harts_new(m->cfg->harts);
	m->runner = runner_new();
	m->hold = hold_new();
	m->watches = watches_new();
	m->console = console_new();
	m->loops = loops_new();
	m->notes = notes_new();
	m->inputs = inputs_new();
	m->ebb = ebb_new();
	m->deliveries = deliveries_new();
	m->call_memory = call_memory_new();
	m->samplers = samplers_new();
	m->sums = sums_new();
	m->injections = injections_new();
	m->timebase = calloc(1, sizeof(*m->timebase));
	if (!misses_make(m) || !uarchs_make(m))
		return error_no_memory(e);
	if (!m->life || !m->plan || !m->pace || !m->turn || !m->harts ||
	    !m->runner || !m->hold || !m->watches || !m->console || !m->loops ||
	    !m->notes || !m->inputs || !m->ebb || !m->samplers || !m->sums ||
	    !m->injections || !m->deliveries || !m->call_memory || !m->timebase)
		return error_no_memory(e);
	m->clock = turn_clock(m->turn);
	m->timebase->clock_hz = s->clock_hz;
	m->timebase->time_hz = s->time_hz;
	return true;
}

bool machine_new(struct machine **ret, const struct machine_config *cfg,
		 struct recorder *recorder, struct error *e)
{
	struct machine *m = calloc(1, sizeof(*m));
	struct machine_config *mine = malloc(sizeof(*mine));

	if (!m || !mine) {
		free(m);
		free(mine);
		return error_no_memory(e);
	}
	*mine = *cfg;
	m->cfg = mine;
	m->recorder = recorder;
	if (!check_config(mine, e) || !make_owners(m, e) || !make_board(m, e) ||
	    !make_engine(m, e) || !make_harts(m, e)) {
		machine_free(m);
		return false;
	}
	*ret = m;
	return true;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	fw_free(m->fw);
	harts_free(m->harts, m->engine);
	engine_free(m->engine);
	reset_free(m->kept);
	images_free(m->images);
	board_free(m->board);
	life_free(m->life);
	plan_free(m->plan);
	pace_free(m->pace);
	turn_free(m->turn);
	runner_free(m->runner);
	hold_free(m->hold);
	watches_free(m->watches);
	console_free(m->console);
	loops_free(m->loops);
	notes_free(m->notes);
	inputs_free(m->inputs);
	ebb_free(m->ebb);
	deliveries_free(m->deliveries);
	call_memory_free(m->call_memory);
	samplers_free(m->samplers);
	sums_free(m->sums);
	uarchs_free(m->uarchs);
	misses_free(m->misses);
	injections_free(m->injections);
	free(m->timebase);
	free((void *)m->cfg);
	free(m);
}

const struct machine_config *machine_config(const struct machine *m)
{
	return m->cfg;
}

void machine_status(const struct machine *m, struct machine_status *ret)
{
	*ret = (struct machine_status){
		.state = life_state(m->life),
		.cause = life_cause(m->life),
		.exit_code = life_exit_code(m->life),
		.detail = life_detail(m->life),
		.cycle = machine_now(m),
		.insn = harts_insns(m),
		.hart = turn_upcoming(m->turn),
		.n_notes = notes_count(m->notes),
		.watched = watches_seen(m),
		.ebb = machine_frozen(m) ? ebb_holder(m->ebb) : NULL,
	};
}
