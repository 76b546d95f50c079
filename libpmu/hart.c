/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making, checking and resetting a hart. What a configuration may be is decided
 * here; what its registers then do is decided by csr*.c and counter.c.
 */
#include "hart-state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/error.h>
#include <pmu/isa.h>

#include "counter-state.h"
#include "interrupt.h"

_Static_assert(PMU_N_EVENTS < 64,
	       "hpm_events has a bit for each, and one more");

void pmu_hart_config_init(struct pmu_hart_config *cfg, unsigned xlen)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->xlen = (uint8_t)xlen;
	cfg->sv_modes = xlen == 32 ? PMU_SV32 : PMU_SV39 | PMU_SV48 | PMU_SV57;
	cfg->asid_bits = xlen == 32 ? 9 : 16;
	cfg->ext = PMU_EXT_DEFAULT;
	cfg->hpm_mask = ~UINT32_C(7);
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		cfg->hpm_width[n] = 64;
		cfg->hpm_events[n] = pmu_event_set(NULL);
	}
	cfg->cpi = 1;
	cfg->trap_cycles = 1;
}

/* Each larger scheme of RV64 comes with the smaller ones. */
static bool sv_valid(const struct pmu_hart_config *cfg)
{
	if (cfg->sv_modes && !(cfg->ext & PMU_EXT_S))
		return false;
	if (cfg->xlen == 32)
		return !(cfg->sv_modes & ~PMU_SV32) && cfg->asid_bits <= 9;
	return (cfg->sv_modes == 0 || cfg->sv_modes == PMU_SV39 ||
		cfg->sv_modes == (PMU_SV39 | PMU_SV48) ||
		cfg->sv_modes == (PMU_SV39 | PMU_SV48 | PMU_SV57)) &&
	       cfg->asid_bits <= 16;
}

static bool counters_valid(const struct pmu_hart_config *cfg)
{
	if (cfg->hpm_mask & 7)
		return false;
	if (cfg->hpm_mask && !(cfg->ext & PMU_EXT_ZIHPM))
		return false;
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		if (!(cfg->hpm_mask >> n & 1))
			continue;
		if (cfg->hpm_width[n] < 1 || cfg->hpm_width[n] > 64)
			return false;
		if (cfg->hpm_events[n] >> PMU_N_EVENTS)
			return false;
	}
	return true;
}

static bool ids_valid(const struct pmu_hart_config *cfg)
{
	if (cfg->mvendorid > UINT32_MAX)
		return false;
	return cfg->xlen == 64 ||
	       (cfg->marchid <= UINT32_MAX && cfg->mimpid <= UINT32_MAX);
}

/* H needs page tables; the guests' interrupts are bits of a register. */
static bool hypervisor_valid(const struct pmu_hart_config *cfg)
{
	if (!(cfg->ext & PMU_EXT_H))
		return cfg->guest_irqs == 0;
	return cfg->sv_modes && cfg->guest_irqs < cfg->xlen;
}

static bool pmp_valid(const struct pmu_hart_config *cfg)
{
	return cfg->pmp_entries == 0 || cfg->pmp_entries == 16 ||
	       cfg->pmp_entries == PMP_ENTRIES;
}

static bool config_valid(const struct pmu_hart_config *cfg)
{
	return (cfg->xlen == 32 || cfg->xlen == 64) &&
	       pmu_ext_check(cfg->ext, NULL, NULL) && sv_valid(cfg) &&
	       hypervisor_valid(cfg) && counters_valid(cfg) && ids_valid(cfg) &&
	       pmp_valid(cfg) && cfg->cpi >= 1 && cfg->trap_cycles >= 1;
}

static bool timebase_valid(const struct pmu_timebase *tb)
{
	return tb->clock_hz && tb->time_hz && tb->time_hz <= tb->clock_hz;
}

static bool ticks_valid(const struct pmu_hart_config *cfg,
			const struct pmu_timebase *tb)
{
	for (unsigned t = 0; t < PMU_N_TICKS; t++)
		if (cfg->tick_hz[t] > tb->clock_hz)
			return false;
	return true;
}

static void init_counters(struct pmu_hart *h)
{
	h->counters[0].mask = h->counters[2].mask = UINT64_MAX;
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (h->cfg.hpm_mask >> n & 1)
			h->counters[n].mask =
				UINT64_MAX >> (64 - h->cfg.hpm_width[n]);
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++)
		h->counters[n].source = PMU_N_EVENTS;
}

int pmu_hart_new(struct pmu_hart **ret, const struct pmu_hart_config *cfg,
		 const struct pmu_timebase *tb)
{
	struct pmu_hart *h;

	if (!config_valid(cfg) || !timebase_valid(tb) || !ticks_valid(cfg, tb))
		return -PMU_EINVAL;
	h = calloc(1, sizeof(*h));
	if (!h)
		return -PMU_ENOMEM;
	h->cfg = *cfg;
	h->tb = tb;
	csr_init(h);
	init_counters(h);
	pmu_hart_reset(h);
	*ret = h;
	return 0;
}

void pmu_hart_free(struct pmu_hart *h)
{
	free(h);
}

/* State is what lies between these two, whatever it is. */
enum {
	STATE_AT = offsetof(struct pmu_hart, tb) + sizeof(const void *),
	STATE_SIZE = offsetof(struct pmu_hart, csr_row) - STATE_AT,
};

_Static_assert(sizeof(struct pmu_hart) - offsetof(struct pmu_hart, csr_row) -
			       sizeof((struct pmu_hart){ 0 }.csr_row) <
		       sizeof(uint64_t),
	       "nothing but padding stands behind csr_row");

/* As it is given: of which hart, then its state. */
struct given_hart {
	struct pmu_hart_config cfg;
	uint8_t state[STATE_SIZE];
};

size_t pmu_hart_state_size(void)
{
	return sizeof(struct given_hart);
}

void pmu_hart_give(const struct pmu_hart *h, void *ret_state)
{
	char *ret = ret_state;

	memcpy(ret + offsetof(struct given_hart, cfg), &h->cfg, sizeof(h->cfg));
	memcpy(ret + offsetof(struct given_hart, state),
	       (const char *)h + STATE_AT, STATE_SIZE);
}

/* What lies between the fields may differ. */
static bool same_config(const struct pmu_hart_config *a,
			const struct pmu_hart_config *b)
{
	return a->hartid == b->hartid && a->xlen == b->xlen &&
	       a->sv_modes == b->sv_modes && a->asid_bits == b->asid_bits &&
	       a->ext == b->ext && a->hpm_mask == b->hpm_mask &&
	       !memcmp(a->hpm_width, b->hpm_width, sizeof(a->hpm_width)) &&
	       !memcmp(a->hpm_events, b->hpm_events, sizeof(a->hpm_events)) &&
	       a->mvendorid == b->mvendorid && a->marchid == b->marchid &&
	       a->mimpid == b->mimpid && a->guest_irqs == b->guest_irqs &&
	       a->pmp_entries == b->pmp_entries && a->cpi == b->cpi &&
	       a->trap_cycles == b->trap_cycles &&
	       !memcmp(a->tick_hz, b->tick_hz, sizeof(a->tick_hz));
}

int pmu_hart_take(struct pmu_hart *h, const void *state)
{
	const char *given = state;
	struct pmu_hart_config cfg;

	memcpy(&cfg, given + offsetof(struct given_hart, cfg), sizeof(cfg));
	if (!same_config(&cfg, &h->cfg))
		return -PMU_EINVAL;
	memcpy((char *)h + STATE_AT, given + offsetof(struct given_hart, state),
	       STATE_SIZE);
	memset(h->slack, 0, sizeof(h->slack));
	return 0;
}

static void reset_traps(struct pmu_hart *h)
{
	/* MPP holds only modes that exist. */
	h->mstatus = has(h, PMU_EXT_U) ? 0 : MSTATUS_MPP;
	h->medeleg = h->mideleg = h->mie = h->mip_soft = 0;
	h->lcofi_by = h->lcofi_for = 0;
	h->mtvec = h->mscratch = h->mepc = h->mcause = h->mtval = 0;
	h->stvec = h->sscratch = h->sepc = h->scause = h->stval = 0;
	h->menvcfg = h->senvcfg = h->satp = h->stimecmp = 0;
	if (has(h, PMU_EXT_SVADU) && !has(h, PMU_EXT_SVADE))
		h->menvcfg = MENVCFG_ADUE;
}

static void reset_hypervisor(struct pmu_hart *h)
{
	h->mideleg = irq_of_guests(h);
	h->hstatus = h->hedeleg = h->hideleg = h->hvip = h->henvcfg = 0;
	h->htimedelta = h->htval = h->htinst = h->hgatp = h->hgeie = 0;
	h->mtval2 = h->mtinst = 0;
	h->vsstatus = h->vstvec = h->vsscratch = h->vsepc = 0;
	h->vscause = h->vstval = h->vsatp = h->vstimecmp = 0;
}

static void reset_access(struct pmu_hart *h)
{
	h->miselect = h->siselect = h->vsiselect = 0;
	memset(h->mstateen, 0, sizeof(h->mstateen));
	memset(h->hstateen, 0, sizeof(h->hstateen));
	h->sstateen0 = 0;
	h->mvien = h->mvip = h->hvien = h->sie_own = h->vsie_own = 0;
	h->hvictl = h->hviprio1 = h->hviprio2 = 0;
	memset(h->miprio, 0, sizeof(h->miprio));
	memset(h->siprio, 0, sizeof(h->siprio));
}

void pmu_hart_reset(struct pmu_hart *h)
{
	h->mode = PMU_MODE_M;
	h->author = (struct pmu_origin){ .by = PMU_BY_RESET };
	reset_traps(h);
	reset_hypervisor(h);
	reset_access(h);
	ebb_reset(h);
	memset(&h->pmp, 0, sizeof(h->pmp));
	h->mcounteren = h->scounteren = h->hcounteren = 0;
	h->mcountinhibit = 0;
	h->chose_model = false;
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		h->counters[n].event = 0;
		h->counters[n].hw_overflow = false;
		h->counters[n].delivery = PMU_DELIVER_LCOFI;
		counter_update(h, n);
		pmu_counter_set(h, n, 0);
		for (unsigned k = 0; k < PMU_N_CHANGES; k++)
			h->origin[n][k] = h->author;
	}
}

const struct pmu_hart_config *pmu_hart_config(const struct pmu_hart *h)
{
	return &h->cfg;
}

enum pmu_mode pmu_hart_mode(const struct pmu_hart *h)
{
	return h->mode;
}

void pmu_hart_set_mode(struct pmu_hart *h, enum pmu_mode mode)
{
	h->mode = mode;
}

uint64_t pmu_hart_cycles(const struct pmu_hart *h)
{
	return h->cycles;
}

uint64_t pmu_hart_insns(const struct pmu_hart *h)
{
	return h->retired;
}

uint64_t pmu_hart_traps(const struct pmu_hart *h)
{
	return h->traps;
}

uint64_t pmu_hart_total(const struct pmu_hart *h, enum pmu_event event,
			enum pmu_mode mode)
{
	return h->totals[event][mode];
}
