/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a slot: one Unicorn instance with its hooks, code buffer and TLB. What
 * its hooks do is blocks.c's, step.c's, exits.c's and fill.c's.
 */
#include "adapter.h"

#include <string.h>

#include "zero-pages.h"

/* Unicorn takes hooks as pointers to objects. */
union callback {
	void (*function)(void);
	void *object;
};

static uc_err hook(struct slot *s, int type, void (*function)(void))
{
	union callback callback = { .function = function };
	uc_hook unused;

	/* begin > end: everywhere */
	return uc_hook_add(s->uc, &unused, type, callback.object, s, 1, 0);
}

static uc_err add_hooks(struct slot *s)
{
	uc_err err = hook(s, UC_HOOK_TLB_FILL, (void (*)(void))slot_fill);

	if (!err)
		err = hook(s, UC_HOOK_INTR, (void (*)(void))exits_hook);
	if (!err)
		err = hook(s, UC_HOOK_EDGE_GENERATED,
			   (void (*)(void))translated_hook);
	if (!err && s->is_step)
		err = hook(s, UC_HOOK_CODE, (void (*)(void))step_hook);
	if (!err && !s->is_step)
		err = hook(s, UC_HOOK_BLOCK, (void (*)(void))blocks_hook);
	return err;
}

static uc_err open_unicorn(struct slot *s, uint64_t buffer)
{
	struct engine *e = s->e;
	int mode = e->cfg.xlen == 32 ? UC_MODE_RISCV32 : UC_MODE_RISCV64;
	uc_err err = uc_open(UC_ARCH_RISCV, (uc_mode)mode, &s->uc);

	if (!err)
		err = uc_ctl_set_tcg_buffer_size(s->uc, (uint32_t)buffer);
	if (!err)
		err = uc_ctl_tlb_mode(s->uc, UC_TLB_VIRTUAL);
	/* no address ends a run, or each end would fill a TLB entry */
	if (!err)
		err = uc_ctl_exits_enable(s->uc);
	if (!err)
		err = uc_mem_map_ptr(s->uc, e->scratch_base,
				     SCRATCH_PAGES * PAGE_SIZE, UC_PROT_ALL,
				     e->scratch);
	if (!err)
		err = add_hooks(s);
	return err;
}

int slot_new(struct slot **ret, struct engine *e, bool is_step)
{
	size_t entries = is_step ? STEP_ENTRIES : BLOCK_ENTRIES;
	uint64_t buffer = is_step ? e->cfg.step_buffer : e->cfg.code_buffer;
	/* mapped, as code buffers are: near them, for fast/ */
	struct slot *s = zero_pages_new(sizeof(*s));
	uc_err err;

	*ret = s;
	if (s == NULL)
		return -ENGINE_ENOMEM;
	*s = (struct slot){ .e = e, .is_step = is_step };
	s->epoch = UINT64_C(1) << 32;
	s->spaces.n = 1;
	memset(s->spaces.of, 0xff, sizeof(s->spaces.of)); /* SPACE_NONE */
	s->tb_limit = buffer / 8 * 7;
	s->block_mask = (uint32_t)entries - 1;
	s->blocks = zero_pages_new(slot_table_size(s));
	if (s->blocks == NULL)
		return -ENGINE_ENOMEM;
	err = open_unicorn(s, buffer);
	if (err) {
		engine_fail(e, "opening Unicorn: %s", uc_strerror(err));
		return -ENGINE_ENOMEM;
	}
	return 0;
}

void slot_free(struct slot *s)
{
	if (s == NULL)
		return;
	if (s->uc != NULL)
		uc_close(s->uc);
	fast_free(s->fast);
	zero_pages_free(s->blocks, slot_table_size(s));
	zero_pages_free(s, sizeof(*s));
}
