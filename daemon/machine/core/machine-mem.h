/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory as the engine and the board see it: what a virtual address leads to,
 * accesses to devices, and what devices cause.
 */
#ifndef CORE_MACHINE_MEM_H
#define CORE_MACHINE_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/translate.h>

#include "board/board.h"
#include "engine/engine-host.h"
#include "owners.h"

/* For engine_host_ops. */
bool mem_translate(void *host, struct engine_walk *walk);
uint8_t mem_watched(void *host, uint64_t vaddr);
bool mem_access_device(void *host, struct engine_mmio *access);
void mem_accessed(void *host, const struct engine_access *access);
/* For the board; its host is the machine. */
extern const struct board_ops mem_board_ops;
/* Which one a machine has. */
enum board_kind mem_board_kind(const struct machine_config *cfg);
/* Page tables, in RAM. */
struct pmu_pte_ops mem_ptes(struct machine *m);

#endif
