/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses as a hart translates them, for instruments. */
#ifndef CORE_MACHINE_ADDRESS_H
#define CORE_MACHINE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/event.h>
#include <pmu/translate.h>

struct board;

/* Of struct pmu_pte_ops, whose mem is the board. */
bool address_read_pte(void *board, uint64_t paddr, unsigned size,
		      uint64_t *ret);

/*
 * The physical address behind a virtual one, in the present mode of @h: no A,
 * no D is set. False: the access of @walk would fault.
 */
bool address_find(struct board *board, const struct pmu_hart *h,
		  const struct pmu_walk *walk, uint64_t *ret);

/* Could @h execute at @vaddr, in its present mode? */
bool address_is_code(struct board *board, const struct pmu_hart *h,
		     uint64_t vaddr);

/*
 * Which address space a pc of @mode is of: the guest's word for it, satp or
 * vsatp of a user's mode, else 0.
 */
uint64_t address_space(const struct pmu_hart *h, enum pmu_mode mode,
		       uint64_t now);

#endif
