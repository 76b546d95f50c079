/* SPDX-License-Identifier: BSD-2-Clause */
/* Slow and literal on purpose. G is 10: regions of 4 KiB. */
#include "../../guests/common/csr-short.h"
#include "pages-pmp.h"

enum {
	OFF,
	TOR,
	NA4,
	NAPOT,
	G = 10,
};

static unsigned a_field(uint8_t cfg)
{
	return cfg >> 3 & 3;
}

static bool locked(uint8_t cfg)
{
	return cfg >> 7;
}

/* The address register as software reads it. */
static uint64_t shown(const struct pages_pmp *p, unsigned i)
{
	uint64_t addr = p->addr[i];

	for (unsigned bit = 0; bit < G; bit++) {
		if (a_field(p->cfg[i]) != NAPOT)
			addr &= ~(UINT64_C(1) << bit);
		else if (bit <= G - 2)
			addr |= UINT64_C(1) << bit;
	}
	return addr;
}

static void write_cfg(struct pages_pmp *p, unsigned i, uint8_t value)
{
	bool r = value & 1, w = value >> 1 & 1;

	if (i >= p->entries || locked(p->cfg[i]))
		return;
	value &= 0x9f;
	if (w && !r)
		value &= 0xf8;
	if (a_field(value) == NA4)
		value &= 0xe7;
	p->cfg[i] = value;
}

static void write_addr(struct pages_pmp *p, unsigned i, uint64_t value)
{
	if (i >= p->entries || locked(p->cfg[i]))
		return;
	if (i < 63 && locked(p->cfg[i + 1]) && a_field(p->cfg[i + 1]) == TOR)
		return;
	p->addr[i] = p->xlen == 32 ? value % (UINT64_C(1) << 32)
				   : value % (UINT64_C(1) << 54);
}

void pages_pmp_write(struct pages_pmp *p, unsigned csr, uint64_t value)
{
	if (csr >= PMPADDR0) {
		write_addr(p, csr - PMPADDR0, value);
		return;
	}
	for (unsigned i = 0; i < p->xlen / 8; i++)
		write_cfg(p, (csr - PMPCFG0) * 4 + i,
			  (uint8_t)(value >> 8 * i));
}

uint64_t pages_pmp_read(const struct pages_pmp *p, unsigned csr)
{
	uint64_t value = 0;

	if (csr >= PMPADDR0)
		return csr - PMPADDR0 < p->entries ? shown(p, csr - PMPADDR0)
						   : 0;
	for (unsigned i = p->xlen / 8; i-- > 0;)
		value = value << 8 | p->cfg[(csr - PMPCFG0) * 4 + i];
	return value;
}

/* Does entry @i match the byte at @paddr? */
static bool matches(const struct pages_pmp *p, unsigned i, uint64_t paddr)
{
	uint64_t word = paddr >> 2, addr = shown(p, i), low = 0;
	unsigned ones = 0;

	switch (a_field(p->cfg[i])) {
	case TOR:
		if (i > 0) /* bits below the grain do not affect it */
			low = p->addr[i - 1] >> G << G;
		return low <= word && word < addr;
	case NAPOT:
		while (ones < 64 && addr >> ones & 1)
			ones++;
		/* 2^(ones + 3) bytes */
		return word >> (ones + 1) == addr >> (ones + 1);
	default:
		return false;
	}
}

static bool entry_allows(uint8_t cfg, bool m_mode, char type)
{
	if (m_mode && !locked(cfg))
		return true;
	return cfg >> (type == 'r' ? 0 : type == 'w' ? 1 : 2) & 1;
}

bool pages_pmp_allows(const struct pages_pmp *p, bool m_mode, uint64_t paddr,
		      unsigned size, char type)
{
	unsigned hit;

	for (unsigned i = 0; i < p->entries; i++) {
		hit = 0;
		for (unsigned byte = 0; byte < size; byte++)
			hit += matches(p, i, paddr + byte);
		if (hit)
			return hit == size &&
			       entry_allows(p->cfg[i], m_mode, type);
	}
	return m_mode || p->entries == 0;
}
