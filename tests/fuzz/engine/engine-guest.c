/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest's memory and the machine that it is for: page tables, values, data,
 * code, settings.
 */
#include "engine-guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/board-map.h"
#include "engine-guest-inside.h"
#include "fuzz/seeds.h"

enum {
	V = 1,
	R = 2,
	W = 4,
	X = 8,
	U = 16,
	A = 64,
	D = 128,
	N_ASIDS = 3,
};

void put_word(struct making *m, uint64_t at, uint64_t value)
{
	memcpy(m->g->image + at, &value, word_size(m));
}

int value_at(struct making *m, uint64_t value)
{
	uint8_t *page = m->g->image + VALUES_PAGE * PAGE;
	unsigned size = word_size(m), n = PAGE / size;

	for (unsigned i = 0; i < m->n_values; i++)
		if (!memcmp(page + i * size, &value, size))
			return (int)(i * size) - PAGE / 2;
	if (m->n_values == n)
		return (int)(dice(m, n) * size) - PAGE / 2;
	memcpy(page + m->n_values * size, &value, size);
	return (int)(m->n_values++ * size) - PAGE / 2;
}

/* Page tables */

static uint64_t entry(uint64_t paddr, unsigned flags)
{
	return paddr >> 12 << 10 | flags;
}

uint64_t some_satp(struct making *m)
{
	uint64_t root = page_at(m, ROOT_PAGE) >> 12,
		 asid = one_in(m, 3) ? dice(m, N_ASIDS) : 0;

	if (m->g->xlen == 32)
		return UINT64_C(1) << 31 | asid << 22 | root;
	return UINT64_C(8) << 60 | asid << 44 | root;
}

static unsigned frame_of(struct making *m, unsigned page)
{
	if (page < N_CODE)
		return CODE_PAGE + (one_in(m, 4) ? dice(m, N_CODE) : page);
	if (page >= AT_PATCH && page < AT_DATA)
		return PATCH_PAGE + page % (AT_ALIAS - AT_PATCH);
	return DATA_PAGE + dice(m, N_DATA);
}

/* What is executed is never written, but through the pages for that. */
uint64_t some_entry(struct making *m, unsigned page, bool user)
{
	unsigned flags = V | R | A | (user ? U : 0);

	if (page == AT_UART)
		return entry(BOARD_UART_BASE, flags | W | D);
	if (page == AT_CLINT)
		return entry(BOARD_CLINT_BASE + 0x4000, flags | W | D);
	if (page == AT_VALUES)
		return entry(page_at(m, VALUES_PAGE), flags);
	if (page > AT_VALUES && page < AT_NOWHERE)
		return 0;
	if (page < AT_ALIAS)
		flags |= X;
	else
		flags |= W | D;
	if (one_in(m, 8))
		flags &= ~(1u << dice(m, 8));
	if (one_in(m, 4))
		flags &= ~(unsigned)(one_in(m, 2) ? A | D : D);
	return entry(page_at(m, frame_of(m, page)), flags);
}

uint64_t some_super(struct making *m)
{
	static const uint8_t rights[] = { R | W,     R,	    R | X,    X,
					  R | W | U, R | U, R | X | U };
	uint64_t ram = m->g->xlen == 32 ? m->g->base >> 22 << 22 : m->g->base;
	unsigned flags = V | A | D | rights[dice(m, sizeof(rights))];

	if (one_in(m, 8))
		return entry(page_at(m, one_in(m, 2) ? S_TABLE : U_TABLE), V);
	if (one_in(m, 6))
		flags &= ~(unsigned)(one_in(m, 2) ? A : V);
	return entry(ram, flags);
}

static void put_entry(struct making *m, unsigned table, uint64_t i,
		      uint64_t pte)
{
	put_word(m, (uint64_t)table * PAGE + i * word_size(m), pte);
}

/* The entry of the 4 or 2 MiB at @vaddr. */
static void put_big(struct making *m, uint64_t vaddr, uint64_t pte)
{
	if (m->g->xlen == 32)
		put_entry(m, ROOT_PAGE, vaddr >> 22, pte);
	else
		put_entry(m, vaddr >> 31 ? RAM_TABLE_ROOT : WINDOW_TABLE,
			  vaddr >> 21 & 511, pte);
}

/*
 * All RAM of the guest where it is, for handlers; but for data, which S sees in
 * another order than M.
 */
static void map_ram(struct making *m)
{
	uint64_t first = m->g->base >> 12 & (m->g->xlen == 32 ? 1023 : 511);

	put_big(m, m->g->base, entry(page_at(m, RAM_TABLE), V));
	for (unsigned i = 0; i < ENGINE_GUEST_PAGES; i++) {
		unsigned to = i - DATA_PAGE < N_DATA ? i ^ 1 : i;

		put_entry(m, RAM_TABLE, first + i,
			  entry(page_at(m, to), i < PATCH_PAGE
							? V | R | X | A
							: V | R | W | A | D));
	}
}

static void tables_make(struct making *m)
{
	uint64_t ram = m->g->xlen == 32 ? m->g->base >> 22 << 22 : m->g->base;
	unsigned user = one_in(m, 2) ? U : 0;

	if (m->g->xlen == 64) {
		put_entry(m, ROOT_PAGE, 1, entry(page_at(m, WINDOW_TABLE), V));
		put_entry(m, ROOT_PAGE, 2,
			  entry(page_at(m, RAM_TABLE_ROOT), V));
	}
	map_ram(m);
	put_big(m, S_WINDOW, entry(page_at(m, S_TABLE), V));
	put_big(m, U_WINDOW, entry(page_at(m, U_TABLE), V));
	put_big(m, S_SUPER, entry(ram, V | R | W | A | D));
	put_big(m, U_SUPER, entry(ram, V | R | W | U | A | D));
	put_big(m, X_SUPER, entry(ram, V | R | X | A | user));
	put_big(m, ANY_SUPER, some_super(m));
	for (unsigned i = 0; i < AT_NOWHERE; i++) {
		put_entry(m, S_TABLE, i, some_entry(m, i, false));
		put_entry(m, U_TABLE, i, some_entry(m, i, true));
	}
}

uint64_t some_page(struct making *m)
{
	uint64_t window = one_in(m, 2) ? S_WINDOW : U_WINDOW;
	unsigned page = AT_DATA + dice(m, one_in(m, 4) ? N_DATA : 3);

	if (one_in(m, 4))
		page = dice(m, N_CODE);
	if (one_in(m, 8))
		page = AT_NOWHERE + dice(m, AT_END - AT_NOWHERE);
	return window + (uint64_t)page * PAGE;
}

uint64_t some_code(struct making *m)
{
	uint64_t off = dice(m, N_CODE * PAGE / 2) * UINT64_C(2);

	switch (dice(m, 3)) {
	case 0:
		return S_WINDOW + AT_CODE * PAGE + off;
	case 1:
		return U_WINDOW + AT_CODE * PAGE + off;
	default:
		return m->g->m_mode ? page_at(m, CODE_PAGE) + off
				    : S_WINDOW + AT_CODE * PAGE + off;
	}
}

uint64_t some_event(struct making *m)
{
	enum pmu_event event = (enum pmu_event)dice(m, PMU_EV_INTERRUPTS + 1);
	uint64_t filters = one_in(m, 2) ? 0 : dice(m, 8);

	return pmu_event_desc(event)->selector | filters << 60;
}

/* The machine */

static void settings_make(struct making *m)
{
	static const char *const some[] = {
		"cpi=3",
		"trap-cycles=17",
		"fp-minmax=native",
		"wfi-cycles=stop",
		"yield=off",
		"svadu=off",
		"svade=off",
		"hpm-width=20",
		"sum-pages=off",
		"",
	};
	struct engine_guest *g = m->g;
	static const unsigned quanta[] = { 50, 331, 2000, 200000 };

	m->handling = one_in(m, 2) ? 15 : 2;
	snprintf(g->settings, sizeof(g->settings),
		 "xlen=%u quantum=%u time-hz=%u max-insns=%u max-cycles=400000 "
		 "trap-loop=stop sstc=on %s",
		 g->xlen, quanta[dice(m, 4)],
		 m->handling > 2 ? 100000000 : 10000000, 1000 + dice(m, 24000),
		 some[dice(m, sizeof(some) / sizeof(some[0]))]);
}

static void samplers_make(struct making *m)
{
	static const uint32_t periods[] = { 1, 2, 7, 50, 1000 };
	struct engine_guest *g = m->g;

	g->n_samplers = dice(m, 2) * dice(m, ENGINE_GUEST_SAMPLERS + 1);
	for (unsigned i = 0; i < g->n_samplers; i++) {
		enum pmu_event event =
			(enum pmu_event)dice(m, PMU_EV_INTERRUPTS + 1);

		g->samplers[i] = (struct machine_sampler){
			.event = event,
			.modes = 1 + dice(m, 7),
			.period = periods[dice(m, 5)],
			.callers = one_in(m, 4),
			.registers = one_in(m, 4),
		};
		snprintf(g->samplers[i].name, sizeof(g->samplers[i].name), "%s",
			 pmu_event_desc(event)->name);
	}
}

static void code_make(struct making *m)
{
	struct program_more more = { .make = privileged_make, .arg = m };

	for (unsigned i = 0; i < MAX_HARTS; i++)
		program_make(&(struct program){
			.rng = &m->rng,
			.xlen = m->g->xlen,
			.code = m->g->image + CODE_PAGE * PAGE,
			.size = N_CODE * PAGE,
			.patch = m->g->image + (PATCH_PAGE + i) * PAGE,
			.more = &more,
		});
	for (unsigned i = 0; i < N_DATA * PAGE; i += 8)
		put_word(m, DATA_PAGE * PAGE + i, rng_next(&m->rng));
	for (unsigned i = 0; i < sizeof(m->g->pcs) / sizeof(m->g->pcs[0]); i++)
		m->g->pcs[i] = some_code(m);
}

void engine_guest_make(struct engine_guest *g, unsigned seed)
{
	uint64_t random = fuzz_seed(seed);
	struct making m = { .g = g, .rng = { fuzz_random(&random) } };

	*g = (struct engine_guest){
		.xlen = dice(&m, 2) ? 64 : 32,
		.m_mode = dice(&m, 3),
		.harts = one_in(&m, 2) ? 1 : 1 + dice(&m, MAX_HARTS),
		.image = calloc(1, ENGINE_GUEST_SIZE),
	};
	g->base = g->m_mode ? BOARD_M_ENTRY : BOARD_S_ENTRY;
	settings_make(&m);
	samplers_make(&m);
	entry_make(&m);
	code_make(&m);
	tables_make(&m);
	places_make(&m);
}

void engine_guest_free(struct engine_guest *g)
{
	free(g->image);
}
