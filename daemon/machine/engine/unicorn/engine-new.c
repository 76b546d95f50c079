/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine.h on Unicorn: making and freeing an engine, its RAM and breakpoints.
 */
#include "adapter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "zero-pages.h"

/*
 * Where no guest has RAM: the end of the physical address space, which for
 * Unicorn's TLB fills has 32 bits on RV32.
 */
static const uint64_t SCRATCH_BASE_64 = UINT64_C(0xfffffffffc0000);
static const uint64_t SCRATCH_BASE_32 = UINT64_C(0xfffc0000);

static const uint64_t BUFFER_MIN = UINT64_C(4) << 20;
static const uint64_t BUFFER_MAX = UINT64_C(1) << 30;

static bool config_valid(const struct engine_config *cfg)
{
	if (cfg->xlen != 32 && cfg->xlen != 64)
		return false;
	if (cfg->engines > 2)
		return false;
	if (cfg->mode > ENGINE_CHECK)
		return false;
	return cfg->code_buffer >= BUFFER_MIN &&
	       cfg->code_buffer <= BUFFER_MAX &&
	       cfg->step_buffer >= BUFFER_MIN && cfg->step_buffer <= BUFFER_MAX;
}

static int open_slots(struct engine *e)
{
	int err = slot_new(&e->slots[ENGINE_KERNEL], e, false);

	if (!err && e->cfg.engines == 2)
		err = slot_new(&e->slots[ENGINE_USER], e, false);
	if (!err)
		err = slot_new(&e->slots[2], e, true);
	e->step = e->slots[2];
	return err;
}

/* With a mode that wants all pieces. */
static int has_all(struct engine *e)
{
	const struct {
		const char *what, *off;
	} pieces[] = {
		{ "counting in generated code", e->slow_why },
		{ "exits inside generated code", e->raise_why },
		{ "fences of one page", e->pages.off },
		{ "translation of clean code", e->clean.off },
		{ "spaces with TLBs of their own",
		  e->cfg.engines == 2 ? NULL : e->spaces.off },
	};

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		if (pieces[i].off == NULL)
			continue;
		engine_fail(e, "no %s: %s", pieces[i].what, pieces[i].off);
		return -ENGINE_ESELFTEST;
	}
	return 0;
}

static int build(struct engine *e)
{
	bool rv32 = e->cfg.xlen == 32;
	int err;

	e->scratch_base = rv32 ? SCRATCH_BASE_32 : SCRATCH_BASE_64;
	e->scratch = aligned_alloc(PAGE_SIZE, SCRATCH_PAGES * PAGE_SIZE);
	e->breakpoints = calloc(MAX_BREAKPOINTS, sizeof(*e->breakpoints));
	e->was = zero_pages_new(MAX_DIRTY * PAGE_SIZE);
	if (e->scratch == NULL || e->breakpoints == NULL || e->was == NULL ||
	    !leaves_init(&e->leaves))
		return -ENGINE_ENOMEM;
	memset(e->scratch, 0, SCRATCH_PAGES * PAGE_SIZE);
	err = open_slots(e);
	if (!err)
		err = selftest_run(e);
	return err || e->cfg.mode < ENGINE_FAST ? err : has_all(e);
}

/*
 * On failure @ret still gets the engine, for engine_error(); NULL when there
 * was no memory for it.
 */
int engine_new(struct engine **ret, const struct engine_config *cfg,
	       const struct engine_host_ops *ops, void *host)
{
	struct engine *e = calloc(1, sizeof(*e));
	int err;

	*ret = e;
	if (e == NULL)
		return -ENGINE_ENOMEM;
	e->cfg = *cfg;
	e->serial = 1;
	if (e->cfg.code_buffer == 0)
		e->cfg.code_buffer = UINT64_C(64) << 20;
	if (e->cfg.step_buffer == 0)
		e->cfg.step_buffer = UINT64_C(16) << 20;
	if (!config_valid(&e->cfg)) {
		engine_fail(e, "engine configuration out of range");
		return -ENGINE_EINVAL;
	}
	err = build(e);
	e->ops = ops;
	e->host = host;
	return err;
}

void engine_free(struct engine *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < 3; i++)
		slot_free(e->slots[i]);
	for (size_t i = 0; i < e->n_ram; i++)
		free(e->ram[i].pages);
	if (e->template != NULL)
		uc_context_free(e->template);
	leaves_fini(&e->leaves);
	free(e->breakpoints);
	free(e->feed);
	zero_pages_free(e->was, MAX_DIRTY * PAGE_SIZE);
	free(e->scratch);
	free(e);
}

static bool ram_overlaps(const struct engine *e, uint64_t base, uint64_t size)
{
	uint64_t end = base + size - 1;

	if (end >= e->scratch_base)
		return true;
	for (size_t i = 0; i < e->n_ram; i++)
		if (base < e->ram[i].base + e->ram[i].size &&
		    e->ram[i].base <= end)
			return true;
	return false;
}

int engine_map_ram(struct engine *e, uint64_t paddr, uint64_t size, void *ram)
{
	struct ram r = { .base = paddr, .size = size, .host = ram };
	uc_err err = UC_ERR_OK;

	assert(e->running == NULL);
	if (size == 0 || (paddr | size | (uintptr_t)ram) % PAGE_SIZE != 0 ||
	    paddr + size < paddr || e->n_ram == MAX_RAM ||
	    ram_overlaps(e, paddr, size)) {
		engine_fail(e, "RAM at %#llx: not aligned, or overlaps",
			    (unsigned long long)paddr);
		return -ENGINE_EINVAL;
	}
	r.pages = calloc(size >> PAGE_BITS, sizeof(*r.pages));
	if (r.pages == NULL)
		return -ENGINE_ENOMEM;
	for (size_t i = 0; i < 3 && !err; i++)
		if (e->slots[i] != NULL)
			err = uc_mem_map_ptr(e->slots[i]->uc, paddr, size,
					     UC_PROT_ALL, ram);
	e->ram[e->n_ram++] = r;
	if (err)
		engine_fail(e, "mapping RAM: %s", uc_strerror(err));
	return err ? -ENGINE_ENOMEM : 0;
}

static int compare_pcs(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

int engine_set_breakpoints(struct engine *e, const uint64_t *pcs, size_t n)
{
	assert(e->running == NULL);
	if (n > MAX_BREAKPOINTS)
		return -ENGINE_EINVAL;
	if (n != 0)
		memcpy(e->breakpoints, pcs, n * sizeof(*pcs));
	qsort(e->breakpoints, n, sizeof(*pcs), compare_pcs);
	e->n_breakpoints = n;
	for (size_t i = 0; i < 3; i++)
		if (e->slots[i] != NULL) {
			slot_forget(e->slots[i]);
			fast_undo(e->slots[i]->fast);
		}
	return 0;
}
