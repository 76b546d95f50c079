/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The places of harts: where a guest goes on behind an exception, in which
 * mode, with what in its registers and counters.
 */
#include "engine-guest-hart.h"

const uint8_t place_regs[N_PLACE_REGS] = {
	REG_DATA,    REG_DEVICE, REG_ALIAS, REG_PATCH,
	REG_NOWHERE, REG_VALUES, REG_TABLE, REG_ROOT,
};

/* Of status, what a place chooses. */
static const uint32_t level_bits[] = {
	[LEVEL_M] = STATUS_SPIE | STATUS_MPIE | STATUS_MPP | STATUS_FS |
		    STATUS_MPRV | STATUS_SUM | STATUS_MXR | STATUS_TVM |
		    STATUS_TSR,
	[LEVEL_S] =
		STATUS_SPIE | STATUS_SPP | STATUS_FS | STATUS_SUM | STATUS_MXR,
};

static uint64_t pick(struct making *m, const uint64_t *list, uint32_t n)
{
	return list[dice(m, n)];
}

/* Where the handlers' places are: words of the hart's page. */
static void hart_make(struct making *m, unsigned hart, enum level level)
{
	uint64_t at = hart_at(hart, level), base = m->g->base;
	uint64_t places = base + places_at(hart, level);
	unsigned size = word_size(m);

	put_word(m, at + NEXT * size, places);
	put_word(m, at + FIRST * size, places);
	put_word(m, at + END * size,
		 places + (uint64_t)N_PLACES * PLACE_WORDS * size);
	put_word(m, at + TIMER * size, 0x02004000 + 8 * hart);
	put_word(m, at + CLOCK * size, 0x0200bff8);
	put_word(m, at + SOFTWARE * size, 0x02000000 + 4 * hart);
	put_word(m, at + STATUS * size, ~(uint64_t)level_bits[level]);
}

enum place_mode {
	PLACE_U,
	PLACE_S,
	PLACE_M = 3
};

/* Data and code as a mode sees them. */
static uint64_t data_for(struct making *m, enum place_mode mode)
{
	uint64_t super = m->g->xlen == 32 ? m->g->base & 0x3fffff : 0;
	uint64_t page = 1 + dice(m, one_in(m, 4) ? N_DATA - 1 : 3),
		 in_window = AT_DATA + page;
	const uint64_t s[] = {
		S_WINDOW + in_window * PAGE,
		S_WINDOW + in_window * PAGE,
		S_SUPER + super + (DATA_PAGE + page) * PAGE,
		page_at(m, DATA_PAGE + (unsigned)page),
		U_WINDOW + in_window * PAGE,
		ANY_SUPER + super + (DATA_PAGE + page) * PAGE,
	};
	const uint64_t u[] = {
		U_WINDOW + in_window * PAGE,
		U_WINDOW + in_window * PAGE,
		U_SUPER + super + (DATA_PAGE + page) * PAGE,
		ANY_SUPER + super + (DATA_PAGE + page) * PAGE,
	};

	if (mode == PLACE_M)
		return page_at(m, DATA_PAGE + (unsigned)page);
	return mode == PLACE_S ? pick(m, s, 6) : pick(m, u, 4);
}

static uint64_t code_for(struct making *m, enum place_mode mode)
{
	uint64_t super = m->g->xlen == 32 ? m->g->base & 0x3fffff : 0;
	uint64_t off = dice(m, N_CODE * PAGE / 2) * UINT64_C(2);

	if (mode == PLACE_M)
		return page_at(m, CODE_PAGE) + off;
	if (one_in(m, 4))
		return X_SUPER + super + CODE_PAGE * PAGE + off;
	return (mode == PLACE_S ? S_WINDOW : U_WINDOW) + AT_CODE * PAGE + off;
}

static uint64_t bits_for(struct making *m, enum place_mode mode)
{
	uint64_t bits = STATUS_MPIE | STATUS_SPIE;

	bits |= (uint64_t)mode << 11 | (mode == PLACE_S ? STATUS_SPP : 0);
	bits |= one_in(m, 8) ? 0 : STATUS_FS;
	bits |= one_in(m, 2) ? STATUS_SUM : 0;
	bits |= one_in(m, 3) ? STATUS_MXR : 0;
	bits |= mode == PLACE_M && one_in(m, 3) ? STATUS_MPRV : 0;
	if (one_in(m, 40))
		bits &= ~(uint64_t)(STATUS_MPIE | STATUS_SPIE);
	if (one_in(m, 12) && !m->illegal_to_s)
		bits |= one_in(m, 2) ? STATUS_TVM : STATUS_TSR;
	return bits;
}

/* A register's value at a place of @hart. */
static uint64_t reg_for(struct making *m, uint8_t reg, enum place_mode mode,
			unsigned hart)
{
	uint64_t window = mode == PLACE_U ? U_WINDOW : S_WINDOW;
	bool bare = mode == PLACE_M;
	const uint64_t nowhere[] = { window + AT_NOWHERE * PAGE, 0, 0x90000000,
				     U_WINDOW + AT_DATA * PAGE };
	const uint64_t devices[] = { 0x10000000, 0x02004000, 0x02000000 };
	unsigned n = dice(m, 4);

	switch (reg) {
	case REG_DATA:
		return data_for(m, mode);
	case REG_DEVICE:
		if (bare)
			return pick(m, devices, 3);
		return window + (n ? AT_UART : AT_CLINT) * PAGE;
	case REG_ALIAS:
		return bare ? page_at(m, PATCH_PAGE + hart)
			    : window + (AT_ALIAS + hart) * PAGE;
	case REG_PATCH:
		return bare ? page_at(m, PATCH_PAGE + hart)
			    : window + (AT_PATCH + hart) * PAGE;
	case REG_NOWHERE:
		return nowhere[n];
	case REG_VALUES:
		return (bare ? page_at(m, VALUES_PAGE)
			     : window + AT_VALUES * PAGE) +
		       PAGE / 2;
	case REG_TABLE:
		return page_at(m, n % 2 ? S_TABLE : U_TABLE);
	default:
		return m->g->xlen == 64 ? page_at(m, WINDOW_TABLE)
					: page_at(m, ROOT_PAGE) + PAGE / 4;
	}
}

/* A value from which a counter overflows soon, or not. */
static uint64_t near_overflow(struct making *m)
{
	uint32_t n = one_in(m, 3) ? 3000 : 60;

	return one_in(m, 8) ? dice(m, 1000) : ~(uint64_t)dice(m, n);
}

static void counters_make(struct making *m, uint64_t at)
{
	unsigned size = word_size(m);

	put_word(m, at, one_in(m, 4) ? rng_next(&m->rng) & 0x3d : 0);
	for (unsigned i = 1; i <= N_COUNTERS; i++) {
		uint64_t event = some_event(m), value = near_overflow(m);

		put_word(m, at + i * size, event);
		put_word(m, at + (i + N_COUNTERS) * size, value);
		if (size == 8)
			continue;
		put_word(m, at + (i + 2 * N_COUNTERS) * size, event >> 32);
		put_word(m, at + (i + 3 * N_COUNTERS) * size, value >> 32);
	}
}

static void place_make(struct making *m, unsigned hart, enum level level,
		       uint64_t at)
{
	static const uint8_t modes[] = { PLACE_U, PLACE_U, PLACE_S, PLACE_M };
	unsigned size = word_size(m);
	enum place_mode mode =
		(enum place_mode)modes[dice(m, level == LEVEL_M ? 4 : 3)];
	uint64_t bits = bits_for(m, mode);

	put_word(m, at + PC * size, code_for(m, mode));
	put_word(m, at + SATP * size, some_satp(m));
	put_word(m, at + BITS * size, bits & level_bits[level]);
	/* data is S's or U's where M borrows their eyes */
	for (unsigned i = 0; i < N_PLACE_REGS; i++)
		put_word(m, at + (REGS + i) * size,
			 reg_for(m, place_regs[i],
				 bits & STATUS_MPRV && one_in(m, 2) ? PLACE_S
								    : mode,
				 hart));
	counters_make(m, at + COUNTERS * size);
}

void places_make(struct making *m)
{
	for (unsigned hart = 0; hart < m->g->harts; hart++)
		for (int level = LEVEL_M; level <= LEVEL_S; level++) {
			uint64_t at = places_at(hart, (enum level)level);

			hart_make(m, hart, (enum level)level);
			for (unsigned i = 0; i < N_PLACES; i++)
				place_make(m, hart, (enum level)level,
					   at + (uint64_t)i * PLACE_WORDS *
							   word_size(m));
		}
}
