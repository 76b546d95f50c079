/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A second model of physical memory protection: registers and checks as the
 * manual's section words them, a byte at a time. It shares nothing with libpmu.
 */
#ifndef TESTS_PAGES_PMP_H
#define TESTS_PAGES_PMP_H

#include <stdbool.h>
#include <stdint.h>

struct pages_pmp {
	unsigned xlen, entries; /* 0, 16, 64 */
	uint8_t cfg[64];
	uint64_t addr[64]; /* the underlying values */
};

/* @csr: 0x3a0 to 0x3ef, one that exists. */
void pages_pmp_write(struct pages_pmp *p, unsigned csr, uint64_t value);
uint64_t pages_pmp_read(const struct pages_pmp *p, unsigned csr);
/* May @size bytes at @paddr be accessed: @type 'r', 'w' or 'x'? */
bool pages_pmp_allows(const struct pages_pmp *p, bool m_mode, uint64_t paddr,
		      unsigned size, char type);

#endif
