/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The snapshot page: 64 values and a bitmap of overflown counters, indexed from
 * the base of the call (C69).
 */
#ifndef FIRMWARE_COUNTERS_SNAPSHOT_PAGE_H
#define FIRMWARE_COUNTERS_SNAPSHOT_PAGE_H

#include "sbi/sbi-call.h"

sbi_fn snapshot_set_shmem;
bool snapshot_available(const struct fw *fw);

/* The value of entry @i. False: the page cannot be read. */
bool snapshot_load(const struct fw *fw, const struct fw_hart *h, unsigned i,
		   uint64_t *ret);
/*
 * Writes the entries of the counters in @set, and the bitmap of those among
 * them that have overflown. False: the page cannot be written.
 */
bool snapshot_save(const struct fw *fw, const struct fw_hart *h, unsigned base,
		   uint64_t set);

#endif
