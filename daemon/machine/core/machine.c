/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine's life: from a configuration to harts, board and engine, and their
 * end. What each setting means for a hart is decided here; loading and starting
 * are machine-boot.c's, running is machine-run.c's.
 */
#include "machine-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct engine_host_ops engine_ops = {
	.translate = machine_translate,
	.mmio = machine_mmio,
	.stored = machine_stored,
	.on_exit = machine_on_exit,
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
static uint32_t hpm_events(const struct settings_hart *h, unsigned n)
{
	uint32_t events = 0;

	for (unsigned e = 0; e < PMU_N_EVENTS; e++)
		if (h->hpm_events[e] >> n & 1)
			events |= 1u << e;
	return events;
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
		ret->hpm_events[n] = hpm_events(h, n);
	}
	ret->mvendorid = h->mvendorid;
	ret->marchid = h->marchid;
	ret->mimpid = h->mimpid;
	ret->cpi = (uint32_t)s->cpi;
	ret->trap_cycles = (uint32_t)s->trap_cycles;
}

static bool check_settings(const struct machine_config *cfg, struct error *e)
{
	char why[SETTINGS_ERROR];

	if (!settings_check(&cfg->settings, cfg->harts, why))
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("config.settings", "SETTINGS_CONFLICT"),
				 "%s", why);
	for (unsigned i = 0; !cfg->m_mode && i < cfg->harts; i++)
		if (!(cfg->settings.hart[i].ext & PMU_EXT_S))
			return error_set(e, STATUS_INVALID_ARGUMENT,
					 AT("config.start_mode", "NO_S_MODE"),
					 "setting s: hart %u has no S-mode, "
					 "which a start in S-mode needs",
					 i);
	return true;
}

static bool check_config(struct machine_config *cfg, struct error *e)
{
	if (cfg->harts == 0)
		cfg->harts = 1;
	if (cfg->memory == 0)
		cfg->memory = FOOTPRINT_DEFAULT_MEMORY;
	if (cfg->harts > PMU_MAX_HARTS)
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("config.harts", "BAD_VALUE"),
				 "harts: %u, 1 to %d are accepted", cfg->harts,
				 PMU_MAX_HARTS);
	if (cfg->memory % 4096 || cfg->memory < BOARD_RAM_MIN ||
	    cfg->memory > MACHINE_MAX_MEMORY ||
	    (cfg->settings.xlen == 32 && cfg->memory > BOARD_RAM_MAX_32))
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("config.memory_bytes", "BAD_VALUE"),
				 "memory: %" PRIu64 " bytes, multiples of 4096 "
				 "up to %" PRIu64 " are accepted",
				 cfg->memory,
				 cfg->settings.xlen == 32
					 ? (uint64_t)BOARD_RAM_MAX_32
					 : (uint64_t)MACHINE_MAX_MEMORY);
	return check_settings(cfg, e);
}

static bool make_board(struct machine *m, struct error *e)
{
	struct board_config cfg = {
		.ram_size = m->cfg.memory,
		.n_harts = m->cfg.harts,
		.xlen = (uint8_t)m->cfg.settings.xlen,
		.clint = m->cfg.m_mode,
		.timebase = &m->timebase,
	};

	if (board_new(&m->board, &cfg, &machine_board_ops, m) < 0)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT("config.memory_bytes", "OUT_OF_MEMORY"),
				 "memory: %" PRIu64 " bytes cannot be had",
				 m->cfg.memory);
	m->loader.bus = board_bus(m->board);
	m->loader.xlen = cfg.xlen;
	return true;
}

static bool make_engine(struct machine *m, struct error *e)
{
	const struct settings *s = &m->cfg.settings;
	struct bus *bus = board_bus(m->board);
	struct engine_config cfg = {
		.xlen = (uint8_t)s->xlen,
		.engines = (uint8_t)s->engines,
		.step_only = s->step_only,
		.native_minmax = s->fp_minmax == SETTINGS_MINMAX_NATIVE,
		.code_buffer = s->code_buffer,
	};

	if (engine_new(&m->engine, &cfg, &engine_ops, m) < 0 ||
	    engine_map_ram(m->engine, bus->ram_base, bus->ram_size, bus->ram) <
		    0)
		return error_set(e, STATUS_INTERNAL, AT(NULL, "HOST_FAILED"),
				 "engine: %s",
				 m->engine ? engine_error(m->engine)
					   : "cannot be opened");
	return true;
}

static bool make_harts(struct machine *m, struct error *e)
{
	struct pmu_hart_config cfg;

	for (unsigned i = 0; i < m->cfg.harts; i++) {
		struct hart *h = &m->harts[i];

		hart_config(&m->cfg.settings, i, &cfg);
		if (pmu_hart_new(&h->pmu, &cfg, &m->timebase) < 0 ||
		    engine_ctx_new(m->engine, &h->ctx) < 0)
			return error_set(e, STATUS_RESOURCE_EXHAUSTED,
					 AT(NULL, "OUT_OF_MEMORY"),
					 "hart %u cannot be made", i);
	}
	return true;
}

bool machine_new(struct machine **ret, const struct machine_config *cfg,
		 struct recorder *recorder, struct error *e)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT(NULL, "OUT_OF_MEMORY"), "out of memory");
	m->cfg = *cfg;
	m->recorder = recorder;
	m->state = MACHINE_NEW;
	m->timebase.clock_hz = cfg->settings.clock_hz;
	m->timebase.time_hz = cfg->settings.time_hz;
	m->until = (struct until){ .insn = UINT64_MAX,
				   .cycle = UINT64_MAX,
				   .step_hart = STEP_NONE };
	if (!check_config(&m->cfg, e) || !make_board(m, e) ||
	    !make_engine(m, e) || !make_harts(m, e)) {
		machine_free(m);
		return false;
	}
	sched_init(&m->sched, m->cfg.harts, m->cfg.settings.quantum);
	*ret = m;
	return true;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	fw_free(m->fw);
	for (unsigned i = 0; i < m->cfg.harts && i < PMU_MAX_HARTS; i++) {
		if (m->harts[i].ctx)
			engine_ctx_free(m->engine, m->harts[i].ctx);
		pmu_hart_free(m->harts[i].pmu);
	}
	engine_free(m->engine);
	board_free(m->board);
	inputs_free(&m->inputs);
	free(m->dtb);
	free(m->out);
	free(m);
}

const struct machine_config *machine_config(const struct machine *m)
{
	return &m->cfg;
}

uint64_t machine_insns(const struct machine *m)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < m->cfg.harts; i++)
		sum += pmu_hart_insns(m->harts[i].pmu);
	return sum;
}

void machine_status(const struct machine *m, struct machine_status *ret)
{
	*ret = (struct machine_status){
		.state = m->state,
		.cause = m->cause,
		.exit_code = m->exit_code,
		.detail = m->detail,
		.cycle = machine_now(m),
		.insn = machine_insns(m),
		.hart = m->sched.cur >= 0 ? (unsigned)m->sched.cur
					  : (m->sched.last + 1) % m->cfg.harts,
		.n_notes = m->n_notes,
	};
}

void machine_crash(struct machine *m, const char *why)
{
	m->state = MACHINE_CRASHED;
	m->cause = CAUSE_CRASH;
	m->exit_code = EXIT_CRASH;
	snprintf(m->detail, sizeof(m->detail), "%s", why);
}
