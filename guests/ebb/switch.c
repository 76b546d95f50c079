/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a kernel does with the unit, in S-mode or M-mode: the switch of its
 * state, in the order of docs/EBB.md, and the claims of the process that runs.
 */
#include "ebb-kernel.h"

enum {
	UE = EBB_UE,
	FZ = EBB_FZ,
};

const unsigned long counter_event[N_COUNTERS] = {
	2, 2, 1, 5, 0x100000, 0x100001
};

void unit_save(struct unit *u)
{
	ebb_set(sebbcs, FZ);
	u->own = ebb_read(sebbown);
	u->hr = ebb_read(ebbhr);
	u->rr = ebb_read(ebbrr);
	u->cs = ebb_read(ebbcs);
	u->ctl = ebb_read(ebbctl);
	u->ovf = ebb_read(ebbovf);
	u->frz = ebb_read(ebbfrz);
	ebb_write(sebbown, COUNTERS);
	for (unsigned i = 0; i < N_COUNTERS; i++)
		u->value[i] = ebb_value(FIRST_COUNTER + i);
	ebb_clear(sebbcs, UE);
}

void unit_restore(const struct unit *u)
{
	ebb_set(sebbcs, FZ);
	ebb_write(sebbown, COUNTERS);
	ebb_write(ebbhr, u->hr);
	ebb_write(ebbrr, u->rr);
	ebb_write(ebbcs, u->cs);
	ebb_write(ebbctl, u->ctl);
	ebb_write(ebbfrz, u->frz);
	ebb_write(ebbovf, u->ovf);
	for (unsigned i = 0; i < N_COUNTERS; i++)
		ebb_set_value(FIRST_COUNTER + i, u->value[i]);
	/* What nobody here has claimed is the firmware's to give again. */
	ebb_write(sebbown, u->own);
	ebb_clear(sebbcs, FZ);
	ebb_set(sebbcs, UE);
}

/* All of @mask or none, which the read proves. */
long unit_claim(unsigned long mask)
{
	ebb_write(sebbclaim, mask);
	if (!mask || ebb_read(sebbclaim) != mask)
		return -1;
	return 0;
}

long unit_give_up(unsigned long mask)
{
	if (!mask || mask & ~ebb_read(sebbown))
		return -1;
	ebb_clear(ebbctl, EBB_AE | EBB_AO);
	ebb_clear(sebbown, mask);
	return 0;
}
