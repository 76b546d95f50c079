/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The page tables and the memory of the translation tests. A table's entry
 * that a test did not make reads 0, that is, invalid.
 */
#include "translate-fixture.h"

#include <string.h>

static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

const struct scheme schemes[N_SCHEMES] = {
	{ "Sv32", 32, 1, 2, 10, 4, 22 },
	{ "Sv39", 64, 8, 3, 9, 8, 44 },
	{ "Sv48", 64, 9, 4, 9, 8, 44 },
	{ "Sv57", 64, 10, 5, 9, 8, 44 },
};

const uint8_t page_faults[3] = { 12, 13, 15 };
const uint8_t access_faults[3] = { 1, 5, 7 };

/* As ck_assert, which is too slow for millions of them. */
static void expect(bool condition)
{
	if (!condition)
		ck_abort_msg("translate-fixture: misused memory");
}

static uint64_t *find(struct memory *m, uint64_t paddr)
{
	for (unsigned i = 0; i < m->n; i++)
		if (m->word[i].paddr == paddr)
			return &m->word[i].value;
	return NULL;
}

void put(struct memory *m, uint64_t paddr, uint64_t value)
{
	expect(m->n < ARRAY_SIZE(m->word));
	m->word[m->n].paddr = paddr;
	m->word[m->n++].value = value;
}

static bool mem_read(void *mem, uint64_t paddr, unsigned size, uint64_t *ret)
{
	struct memory *m = mem;
	const uint64_t *found = find(m, paddr);

	expect(size == m->size && paddr % size == 0);
	if (paddr >= m->absent)
		return false;
	*ret = found ? *found : 0;
	return true;
}

static bool mem_write(void *mem, uint64_t paddr, unsigned size, uint64_t value)
{
	struct memory *m = mem;
	uint64_t *found = find(m, paddr);

	if (m->read_only)
		return false;
	expect(size == m->size && found);
	*found = value;
	m->writes++;
	return true;
}

void fixture_init(struct fixture *f, const struct scheme *s, uint64_t ext)
{
	struct pmu_hart_config cfg;
	unsigned mode_bit = s->xlen == 32 ? 31 : 60;

	memset(f, 0, sizeof(*f));
	f->scheme = s;
	pmu_hart_config_init(&cfg, s->xlen);
	cfg.ext |= ext;
	PREPARING(ck_assert_int_eq(pmu_hart_new(&f->h, &cfg, &timebase), 0));
	f->h->satp = (uint64_t)s->mode << mode_bit | ROOT;
	f->h->mode = S;
	f->mem.size = s->size;
	f->mem.absent = UINT64_MAX;
	f->ops = (struct pmu_pte_ops){ mem_read, mem_write, &f->mem };
}

void fixture_fini(struct fixture *f)
{
	pmu_hart_free(f->h);
}

unsigned shift_of(const struct scheme *s, unsigned level)
{
	return 12 + level * s->index_bits;
}

uint64_t *map(struct fixture *f, uint64_t vaddr, unsigned level, uint64_t pte)
{
	const struct scheme *s = f->scheme;
	uint64_t table = (uint64_t)ROOT << 12, next = NEXT;

	f->mem.n = 0;
	for (unsigned l = s->levels - 1;; l--) {
		uint64_t index =
			vaddr >> shift_of(s, l) & ((1u << s->index_bits) - 1);

		put(&f->mem, table + index * s->size,
		    l == level ? pte : next << 10 | V);
		if (l == level)
			return &f->mem.word[f->mem.n - 1].value;
		table = next++ << 12;
	}
}

struct answer ask_for(struct fixture *f, enum pmu_access access, uint64_t vaddr,
		      bool executes)
{
	struct pmu_walk walk = { .vaddr = vaddr,
				 .access = access,
				 .executes = executes };
	struct pmu_mapping mapping = { .perms = 0xff };
	struct pmu_fault fault = { .cause = 0xff };
	struct answer a;

	a.ok = pmu_translate(f->h, &walk, &f->ops, &mapping, &fault);
	a.cause = fault.cause;
	a.perms = mapping.perms;
	a.paddr = mapping.paddr;
	a.leaf_bits = mapping.leaf_bits;
	a.by_sum = mapping.by_sum;
	expect(a.ok ? a.cause == 0xff : a.perms == 0xff);
	return a;
}

struct answer ask(struct fixture *f, enum pmu_access access, uint64_t vaddr)
{
	return ask_for(f, access, vaddr, true);
}

uint64_t *map_guest(struct guest *g, uint64_t gpa, unsigned level, uint64_t pte)
{
	const struct scheme *s = g->f.scheme;
	uint64_t table = (uint64_t)GROOT << 12, addr;
	unsigned bits = s->index_bits + 2;

	for (unsigned l = s->levels - 1;; l--, bits = s->index_bits) {
		addr = table +
		       (gpa >> shift_of(s, l) & ((1u << bits) - 1)) * s->size;
		if (!find(&g->f.mem, addr))
			put(&g->f.mem, addr,
			    l == level ? pte : PPN(g->next++) | V);
		if (l == level)
			return find(&g->f.mem, addr);
		table = *find(&g->f.mem, addr) >> 10 << 12;
	}
}

void guest_init(struct guest *g, const struct scheme *s, uint64_t ext)
{
	unsigned mode_bit = s->xlen == 32 ? 31 : 60;
	struct pmu_hart *h;

	fixture_init(&g->f, s, PMU_EXT_H | ext);
	g->next = GNEXT;
	h = g->f.h;
	h->mode = VS;
	h->vsatp = h->satp;
	h->hgatp = (uint64_t)s->mode << mode_bit | GROOT;
	h->satp = 0; /* plays no part */
	g->vs_leaf = map(&g->f, VADDR, 0, PPN(FRAME) | LEAF);
	g->g_tables = map_guest(g, (uint64_t)ROOT << 12, s->size == 4 ? 1 : 2,
				PPN(0x80000) | GLEAF);
	g->g_leaf = map_guest(g, GPA, 0, PPN(SPA) | GLEAF);
}

void guest_fini(struct guest *g)
{
	fixture_fini(&g->f);
}

struct guest_answer ask_guest(struct guest *g, const struct pmu_walk *walk)
{
	struct guest_answer a = { .map = { .perms = 0xff } };

	a.ok = pmu_translate(g->f.h, walk, &g->f.ops, &a.map, &a.fault);
	return a;
}

struct guest_answer ask_plain(struct guest *g, enum pmu_access access,
			      uint64_t vaddr)
{
	struct pmu_walk walk = { .vaddr = vaddr,
				 .access = access,
				 .executes = true };

	return ask_guest(g, &walk);
}
