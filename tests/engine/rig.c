/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rig's callbacks and helpers; see rig.h.
 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine-feed.h"

/* Blocks count by themselves here, or no engine can be had. */
#if defined(__x86_64__) && PMU_MORE_ENGINE_EVENTS == 0 &&                      \
	!defined(SHARED_UNICORN)
#define RIG_CHECK ENGINE_CHECK
#else
#define RIG_CHECK ENGINE_AUTO
#endif

bool rig_is_made_for(void)
{
#if defined(__x86_64__) && !defined(SHARED_UNICORN)
	return strcmp(engine_version(), "unicorn 2.1.1") == 0;
#else
	return false;
#endif
}

const struct rig_mode rig_modes[RIG_MODES] = {
	{ "two engines", 2, false, RIG_CHECK },
	{ "one engine", 1, false, RIG_CHECK },
	{ "two engines, portable", 2, false, ENGINE_PORTABLE },
	{ "steps only", 2, true, ENGINE_PORTABLE },
};

static uint8_t page_fault(enum pmu_access access)
{
	static const uint8_t causes[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_PAGE,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_PAGE,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_PAGE,
	};

	return causes[access];
}

static uint8_t needed(enum pmu_access access)
{
	static const uint8_t perms[] = {
		[PMU_ACCESS_FETCH] = PMU_PERM_X,
		[PMU_ACCESS_LOAD] = PMU_PERM_R,
		[PMU_ACCESS_STORE] = PMU_PERM_W,
	};

	return perms[access];
}

/* The page of the window, or RIG_PAGES and more: none. */
static uint64_t page_number(const struct rig *r, uint64_t vaddr)
{
	uint64_t end = r->xlen == 32 ? UINT32_MAX : UINT64_MAX;

	if (r->edges && vaddr / RIG_PAGE == 0)
		return RIG_FIRST;
	if (r->edges && vaddr / RIG_PAGE == end / RIG_PAGE)
		return RIG_LAST;
	return (vaddr - RIG_BASE) / RIG_PAGE;
}

static bool translate(void *host, struct engine_walk *walk)
{
	struct rig *r = host;
	uint64_t n = page_number(r, walk->vaddr);
	struct rig_page *p = &r->page[n % RIG_PAGES];

	walk->cause = page_fault(walk->access);
	if (n >= RIG_PAGES || !(p->perms & needed(walk->access)))
		return false;
	if (!walk->executes && !p->accessed)
		return false;
	p->accessed = true;
	p->dirty |= walk->access == PMU_ACCESS_STORE;
	walk->paddr = RIG_RAM + p->to * RIG_PAGE;
	if (r->regime == ENGINE_USER)
		walk->paddr += p->user * RIG_PAGE;
	walk->paddr += (uint64_t)r->room * p->room * RIG_PAGE;
	if (p->device)
		walk->paddr = RIG_DEVICE;
	walk->device = p->device;
	walk->watched = 0;
	walk->perms = p->perms;
	walk->leaf_bits = p->leaf_bits;
	walk->by_sum = p->by_sum;
	if (!p->dirty)
		walk->perms &= (uint8_t)~PMU_PERM_W;
	if (r->split)
		walk->perms &= walk->access == PMU_ACCESS_FETCH
				       ? PMU_PERM_X
				       : PMU_PERM_R | PMU_PERM_W;
	return true;
}

static uint8_t watched(void *host, uint64_t vaddr)
{
	struct rig *r = host;

	return r->page[page_number(r, vaddr) % RIG_PAGES].watched;
}

static bool mmio(void *host, struct engine_mmio *access)
{
	struct rig *r = host;

	if (r->mmio_refuses)
		return false;
	if (!access->write)
		access->value = r->mmio_answer;
	if (r->n_mmio < RIG_EXITS) {
		r->mmio[r->n_mmio] = *access;
		r->mmio_done[r->n_mmio] = r->budget.done.n[PMU_EV_INSNS];
	}
	r->n_mmio++;
	return true;
}

static void accessed(void *host, const struct engine_access *a)
{
	struct rig *r = host;
	struct rig_stored *list = a->store ? r->stored : r->loaded;
	unsigned *n = a->store ? &r->n_stored : &r->n_loaded;

	if (*n < RIG_EXITS)
		list[*n] = (struct rig_stored){
			.paddr = a->paddr,
			.size = a->size,
			.insns = r->budget.done.n[PMU_EV_INSNS],
			.vaddr = a->vaddr,
			.loads = r->budget.done.n[PMU_EV_LOADS],
			.stores = r->budget.done.n[PMU_EV_STORES],
		};
	++*n;
}

static bool executed(void *host, const struct pmu_uarch_insn *insn, bool over)
{
	struct rig *r = host;

	if (r->n_told < RIG_EXITS) {
		r->told[r->n_told] = *insn;
		r->told_over[r->n_told] = over;
	}
	r->n_told++;
	return r->on_told && r->on_told(r);
}

static enum engine_next on_exit_(void *host, const struct engine_exit *exit)
{
	struct rig *r = host;

	if (r->n_exits < RIG_EXITS) {
		r->exit[r->n_exits] = *exit;
		r->exit_done[r->n_exits] = r->budget.done.n[PMU_EV_INSNS];
	}
	r->n_exits++;
	return r->script ? r->script(r, exit) : ENGINE_STOP;
}

static bool quiet(void *host, struct pmu_csr_req *req, uint64_t *ret_old)
{
	struct rig *r = host;

	if (!r->quiet || !r->quiet(r, req, ret_old))
		return false;
	r->n_quiet++;
	return true;
}

static const struct engine_host_ops ops = {
	.translate = translate,
	.watched = watched,
	.mmio = mmio,
	.accessed = accessed,
	.executed = executed,
	.on_exit = on_exit_,
	.quiet = quiet,
};

struct engine_config rig_config(enum engine_mode mode, enum fast_spoil spoil,
				uint8_t xlen)
{
	return (struct engine_config){
		.xlen = xlen,
		.engines = 2,
		.mode = (uint8_t)mode,
		.spoil = (uint8_t)spoil,
	};
}

struct rig *rig_new_config(const struct engine_config *cfg)
{
	struct rig *r = calloc(1, sizeof(*r));

	r->xlen = cfg->xlen;
	r->ram = aligned_alloc(RIG_PAGE, RIG_PAGES * RIG_PAGE);
	if (engine_new(&r->e, cfg, &ops, r) ||
	    engine_map_ram(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE, r->ram) ||
	    engine_ctx_new(r->e, &r->ctx[0]) ||
	    engine_ctx_new(r->e, &r->ctx[1])) {
		fprintf(stderr, "%s\n", engine_error(r->e));
		abort();
	}
	rig_reset(r);
	return r;
}

/* The code of other versions is not known: whatever they allow. */
static uint8_t usable(uint8_t mode)
{
	bool known = strcmp(engine_version(), "unicorn 2.1.1") == 0;

	return known || mode == ENGINE_PORTABLE ? mode : ENGINE_AUTO;
}

struct rig *rig_new(const struct rig_mode *mode, uint8_t xlen)
{
	const struct engine_config cfg = {
		.xlen = xlen,
		.mode = usable(mode->mode),
		.engines = mode->engines,
		.step_only = mode->step_only,
		.code_buffer = UINT64_C(64) << 20,
	};

	return rig_new_config(&cfg);
}

void rig_free(struct rig *r)
{
	engine_ctx_free(r->e, r->ctx[0]);
	engine_ctx_free(r->e, r->ctx[1]);
	engine_free(r->e);
	free(r->ram);
	free(r);
}

static struct rig *rigs[RIG_KINDS];

void rigs_open(void)
{
	for (unsigned i = 0; i < RIG_KINDS; i++) {
		const struct rig_mode *mode = &rig_modes[i % RIG_MODES];

		rigs[i] = rig_new(mode, i < RIG_MODES ? 32 : 64);
		rigs[i]->name = mode->name;
	}
}

void rigs_close(void)
{
	for (unsigned i = 0; i < RIG_KINDS; i++)
		rig_free(rigs[i]);
}

struct rig *rig_pick(unsigned n)
{
	struct rig *r = rigs[n % RIG_KINDS];

	rig_reset(r);
	return r;
}

const char *rig_name(const struct rig *r)
{
	static char name[32];

	snprintf(name, sizeof(name), "rv%u, %s", r->xlen, r->name);
	return name;
}

void rig_reset(struct rig *r)
{
	static const struct hart_state zero = { .fp_on = true };

	memset(r->ram, 0, RIG_PAGES * RIG_PAGE);
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
	for (unsigned i = 0; i < RIG_PAGES; i++)
		r->page[i] = (struct rig_page){
			.to = i,
			.perms = PMU_PERM_R | PMU_PERM_W | PMU_PERM_X,
		};
	for (unsigned i = 0; i < RIG_CTXS; i++)
		engine_ctx_load(r->e, r->ctx[i], &zero);
	engine_set_breakpoints(r->e, NULL, 0);
	engine_flush_tlb(r->e);
	r->cur = 0;
	r->regime = ENGINE_KERNEL;
	r->split = r->edges = false;
	r->room = 0;
	engine_feed(r->e, 0);
	r->n_exits = r->n_mmio = r->n_stored = r->n_loaded = r->n_told = 0;
	r->mmio_answer = 0;
	r->mmio_refuses = false;
	r->script = NULL;
	r->on_told = NULL;
	r->quiet = NULL;
	r->n_quiet = 0;
	rig_open(r);
}

void rig_code(struct rig *r, unsigned page, const uint32_t *words, size_t n)
{
	memcpy(r->ram + page * RIG_PAGE, words, n * sizeof(*words));
	engine_ram_written(r->e, RIG_RAM + page * RIG_PAGE, n * sizeof(*words));
}

uint32_t rig_word(const struct rig *r, unsigned page, unsigned off)
{
	uint32_t word;

	memcpy(&word, r->ram + page * RIG_PAGE + off, sizeof(word));
	return word;
}

void rig_open(struct rig *r)
{
	memset(&r->budget, 0, sizeof(r->budget));
	memset(&r->budget.limit, 0xff, sizeof(r->budget.limit));
	r->budget.soft = UINT64_MAX;
}

void rig_enter_space(struct rig *r)
{
	uint8_t fetch = (uint8_t)(r->regime + 4 * r->room);

	engine_set_space(r->e, fetch, (uint8_t)(fetch + (r->split ? 2 : 0)));
}

int rig_run(struct rig *r, uint64_t pc)
{
	struct engine_ctx *ctx = r->ctx[r->cur];

	if (pc != UINT64_MAX)
		engine_set(r->e, ctx, ENGINE_PC, pc);
	rig_enter_space(r);
	return engine_run(r->e, ctx, r->regime, &r->budget);
}

uint64_t rig_x(struct rig *r, unsigned n)
{
	return engine_get(r->e, r->ctx[r->cur], ENGINE_X0 + n);
}

void rig_set_x(struct rig *r, unsigned n, uint64_t value)
{
	engine_set(r->e, r->ctx[r->cur], ENGINE_X0 + n, value);
}

uint64_t rig_pc(struct rig *r)
{
	return engine_get(r->e, r->ctx[r->cur], ENGINE_PC);
}

void rig_skip(struct rig *r, const struct engine_exit *exit)
{
	unsigned len = exit->kind == ENGINE_EXIT_INSN ? exit->len : 4;

	engine_set(r->e, r->ctx[r->cur], ENGINE_PC, exit->pc + len);
}

void rig_retire(struct rig *r, const struct engine_exit *exit, uint64_t value)
{
	r->budget.done.n[PMU_EV_INSNS]++;
	rig_set_x(r, exit->insn >> 7 & 31, value);
	rig_skip(r, exit);
}
