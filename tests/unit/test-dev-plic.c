/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interrupt controller, row by row over the PLIC specification 1.0.0: each
 * row is a sequence of what devices and harts do, and what they then find.
 */
#include <string.h>

#include "board/dev-plic.h"
#include "unit.h"

enum {
	N_HARTS = 3,
	STEPS = 14
};

static struct plic plic;
static bool lines[2 * N_HARTS];
static unsigned n_driven;

static void on_irq(void *host, unsigned hart, enum pmu_irq irq, bool level)
{
	bool *line = &lines[2 * hart + (irq == PMU_IRQ_SEI)];

	ck_assert(irq == PMU_IRQ_MEI || irq == PMU_IRQ_SEI);
	ck_assert(hart < N_HARTS && *line != level);
	*line = level;
	n_driven++;
}

static void begin(uint8_t threshold)
{
	memset(lines, 0, sizeof(lines));
	n_driven = 0;
	plic_init(&plic, N_HARTS, threshold);
	plic.irq = on_irq;
}

static void setup(void)
{
	PREPARING(begin(0));
}

static bool access_size(uint64_t offset, uint8_t size, bool write,
			uint64_t *value)
{
	struct bus_access a = {
		.offset = offset, .size = size, .write = write, .value = *value
	};
	bool answered = plic_access(&plic, &a);

	*value = a.value;
	return answered;
}

static void wr(uint64_t offset, uint64_t value)
{
	ck_assert(access_size(offset, 4, true, &value));
}

static uint64_t rd(uint64_t offset)
{
	uint64_t value = 0xdeadbeefdeadbeef;

	ck_assert(access_size(offset, 4, false, &value));
	return value;
}

/* Registers, at the addresses of the specification's memory map. */
#define PRIORITY(id)	  (4u * (id))
#define PENDING(word)	  (0x1000u + 4 * (word))
#define ENABLE(ctx, word) (0x2000u + 0x80 * (ctx) + 4 * (word))
#define THRESHOLD(ctx)	  (0x200000u + 0x1000 * (ctx))
#define CLAIM(ctx)	  (0x200004u + 0x1000 * (ctx))

enum op {
	DONE,
	LINE, /* a source's line */
	WR,
	RD,
	EIP, /* what a context is told */
};

struct step {
	enum op op;
	uint32_t where, value;
};

#define UP(id)                                                                 \
	{                                                                      \
		LINE, id, 1                                                    \
	}
#define DOWN(id)                                                               \
	{                                                                      \
		LINE, id, 0                                                    \
	}
#define PRIO(id, v)                                                            \
	{                                                                      \
		WR, PRIORITY(id), v                                            \
	}
#define ON(ctx, id)                                                            \
	{                                                                      \
		WR, ENABLE(ctx, (id) / 32), 1u << (id) % 32                    \
	}
#define OFF(ctx, id)                                                           \
	{                                                                      \
		WR, ENABLE(ctx, (id) / 32), 0                                  \
	}
#define MASK(ctx, v)                                                           \
	{                                                                      \
		WR, THRESHOLD(ctx), v                                          \
	}
#define CLAIMS(ctx, id)                                                        \
	{                                                                      \
		RD, CLAIM(ctx), id                                             \
	}
#define COMPLETE(ctx, id)                                                      \
	{                                                                      \
		WR, CLAIM(ctx), id                                             \
	}
#define PENDS(id)                                                              \
	{                                                                      \
		RD, PENDING((id) / 32), 1u << (id) % 32                        \
	}
#define NOTHING_PENDS(id)                                                      \
	{                                                                      \
		RD, PENDING((id) / 32), 0                                      \
	}
#define TOLD(ctx)                                                              \
	{                                                                      \
		EIP, ctx, 1                                                    \
	}
#define NOT_TOLD(ctx)                                                          \
	{                                                                      \
		EIP, ctx, 0                                                    \
	}

static const struct row {
	const char *section, *why;
	struct step step[STEPS];
} rows[] = {
	{ "Memory Map",
	  "at reset everything is 0",
	  { { RD, PRIORITY(1), 0 },
	    { RD, PENDING(0), 0 },
	    { RD, ENABLE(0, 0), 0 },
	    { RD, THRESHOLD(5), 0 },
	    CLAIMS(0, 0) } },
	{ "Memory Map",
	  "source 0 does not exist",
	  { PRIO(0, 7), { RD, PRIORITY(0), 0 } } },
	{ "Memory Map",
	  "what is reserved reads as 0 and ignores writes",
	  { PRIO(96, 7),
	    { RD, PRIORITY(96), 0 },
	    { WR, PENDING(3), 1 },
	    { RD, PENDING(3), 0 },
	    { WR, ENABLE(0, 3), 1 },
	    { RD, ENABLE(0, 3), 0 },
	    { WR, ENABLE(2 * N_HARTS, 0), 2 },
	    { RD, ENABLE(2 * N_HARTS, 0), 0 },
	    { WR, THRESHOLD(0) + 8, 5 },
	    { RD, THRESHOLD(0) + 8, 0 },
	    { WR, THRESHOLD(2 * N_HARTS), 5 },
	    { RD, THRESHOLD(2 * N_HARTS), 0 },
	    { RD, CLAIM(2 * N_HARTS), 0 },
	    { RD, 0x5ffffc, 0 } } },
	{ "Memory Map",
	  "contexts' registers are their own",
	  { ON(0, 1),
	    ON(5, 95),
	    MASK(1, 3),
	    { RD, ENABLE(0, 0), 2 },
	    { RD, ENABLE(1, 0), 0 },
	    { RD, ENABLE(5, 0), 0 },
	    { RD, ENABLE(5, 2), 1u << 31 },
	    { RD, THRESHOLD(0), 0 },
	    { RD, THRESHOLD(1), 3 } } },
	{ "Interrupt Priorities",
	  "three bits are variable, all of them valid",
	  { PRIO(1, UINT32_MAX),
	    { RD, PRIORITY(1), 7 },
	    PRIO(95, 5),
	    { RD, PRIORITY(95), 5 },
	    PRIO(95, 8),
	    { RD, PRIORITY(95), 0 } } },
	{ "Interrupt Priorities",
	  "priority 0 never interrupts",
	  { ON(1, 10), UP(10), NOT_TOLD(1), PENDS(10), CLAIMS(1, 0), PENDS(10),
	    PRIO(10, 1), TOLD(1) } },
	{ "Interrupt Priorities",
	  "the higher priority goes first",
	  { { WR, ENABLE(0, 0), 0xc00 },
	    PRIO(10, 1),
	    PRIO(11, 2),
	    UP(10),
	    UP(11),
	    CLAIMS(0, 11),
	    CLAIMS(0, 10),
	    CLAIMS(0, 0) } },
	{ "Interrupt Identifiers",
	  "of one priority, the lowest goes first",
	  { { WR, ENABLE(0, 0), 0xc00 },
	    ON(0, 64),
	    PRIO(10, 3),
	    PRIO(11, 3),
	    PRIO(64, 3),
	    UP(64),
	    UP(11),
	    UP(10),
	    CLAIMS(0, 10),
	    CLAIMS(0, 11),
	    CLAIMS(0, 64) } },
	{ "Interrupt Pending Bits",
	  "a bit for each source, in words of 32",
	  { UP(1),
	    UP(32),
	    UP(95),
	    { RD, PENDING(0), 2 },
	    { RD, PENDING(1), 1 },
	    { RD, PENDING(2), 1u << 31 } } },
	{ "Interrupt Pending Bits",
	  "they are read-only",
	  { UP(1),
	    { WR, PENDING(0), 0 },
	    { RD, PENDING(0), 2 },
	    { WR, PENDING(0), 4 },
	    { RD, PENDING(0), 2 } } },
	{ "Interrupt Enables",
	  "bit 0 of word 0 is hardwired to 0",
	  { { WR, ENABLE(0, 0), UINT32_MAX },
	    { RD, ENABLE(0, 0), UINT32_MAX - 1 },
	    { WR, ENABLE(0, 1), UINT32_MAX },
	    { RD, ENABLE(0, 1), UINT32_MAX } } },
	{ "Interrupt Enables",
	  "who has not enabled it is not told",
	  { PRIO(10, 1), ON(1, 10), UP(10), TOLD(1), NOT_TOLD(0), NOT_TOLD(3),
	    CLAIMS(0, 0), OFF(1, 10), NOT_TOLD(1), PENDS(10), ON(1, 10),
	    TOLD(1) } },
	{ "Priority Thresholds",
	  "what is not above it is masked",
	  { PRIO(10, 3), ON(1, 10), MASK(1, 3), UP(10), NOT_TOLD(1), MASK(1, 2),
	    TOLD(1), MASK(1, 7), NOT_TOLD(1), MASK(1, 0), TOLD(1) } },
	{ "Priority Thresholds",
	  "three bits, too",
	  { MASK(4, 0xfffffffe), { RD, THRESHOLD(4), 6 } } },
	{ "Interrupt Claim Process",
	  "a claim is not affected by the threshold",
	  { PRIO(10, 3), ON(1, 10), MASK(1, 7), UP(10), NOT_TOLD(1),
	    CLAIMS(1, 10), NOTHING_PENDS(10) } },
	{ "Interrupt Claim Process",
	  "it clears the pending bit at once",
	  { PRIO(10, 1), ON(1, 10), UP(10), TOLD(1), CLAIMS(1, 10), NOT_TOLD(1),
	    NOTHING_PENDS(10), CLAIMS(1, 0) } },
	{ "Interrupt Claim Process",
	  "what else pends is told still",
	  { PRIO(10, 1),
	    PRIO(11, 1),
	    { WR, ENABLE(1, 0), 0xc00 },
	    UP(10),
	    UP(11),
	    CLAIMS(1, 10),
	    TOLD(1),
	    CLAIMS(1, 11),
	    NOT_TOLD(1) } },
	{ "Interrupt Completion",
	  "the last source, too",
	  { PRIO(95, 1), ON(1, 95), UP(95), CLAIMS(1, 95), CLAIMS(1, 0),
	    COMPLETE(1, 95), CLAIMS(1, 95) } },
	{ "Interrupt Claim Process",
	  "without any, the answer is 0",
	  { ON(1, 10), PRIO(10, 1), CLAIMS(1, 0), NOT_TOLD(1) } },
	{ "Interrupt Notifications",
	  "all who enabled it are told, one claims",
	  { PRIO(10, 1), ON(0, 10), ON(1, 10), ON(5, 10), UP(10), TOLD(0),
	    TOLD(1), TOLD(5), CLAIMS(5, 10), NOT_TOLD(0), NOT_TOLD(1),
	    CLAIMS(0, 0) } },
	{ "Interrupt Gateways",
	  "a level is forwarded once until completion",
	  { PRIO(10, 1), ON(1, 10), UP(10), CLAIMS(1, 10), DOWN(10), UP(10),
	    NOT_TOLD(1), NOTHING_PENDS(10), COMPLETE(1, 10), TOLD(1),
	    PENDS(10) } },
	{ "Interrupt Gateways",
	  "a level that stands pends again on completion",
	  { PRIO(10, 1), ON(1, 10), UP(10), CLAIMS(1, 10), NOT_TOLD(1),
	    COMPLETE(1, 10), TOLD(1), CLAIMS(1, 10), DOWN(10), COMPLETE(1, 10),
	    NOT_TOLD(1), UP(10), TOLD(1) } },
	{ "Interrupt Gateways",
	  "a request is never retracted",
	  { PRIO(10, 1), ON(1, 10), UP(10), DOWN(10), TOLD(1), PENDS(10),
	    CLAIMS(1, 10), COMPLETE(1, 10), NOT_TOLD(1), NOTHING_PENDS(10) } },
	{ "Interrupt Completion",
	  "another's completion is as good",
	  { PRIO(10, 1), ON(1, 10), ON(3, 10), UP(10), CLAIMS(1, 10),
	    COMPLETE(3, 10), TOLD(1), TOLD(3) } },
	{ "Interrupt Completion",
	  "of what is not enabled it is ignored",
	  { PRIO(10, 1), ON(1, 10), UP(10), CLAIMS(1, 10), COMPLETE(3, 10),
	    OFF(1, 10), COMPLETE(1, 10), NOTHING_PENDS(10), ON(1, 10),
	    COMPLETE(1, 10), PENDS(10) } },
	{ "Interrupt Completion",
	  "of no source it is ignored",
	  { { WR, ENABLE(1, 0), UINT32_MAX },
	    PRIO(10, 1),
	    UP(10),
	    CLAIMS(1, 10),
	    COMPLETE(1, 0),
	    COMPLETE(1, 96),
	    COMPLETE(1, UINT32_MAX),
	    COMPLETE(1, 42),
	    NOTHING_PENDS(10) } },
	{ "Interrupt Completion",
	  "without a claim it changes nothing",
	  { PRIO(10, 1), ON(1, 10), UP(10), COMPLETE(1, 10), TOLD(1),
	    CLAIMS(1, 10), NOT_TOLD(1), CLAIMS(1, 0) } },
};

TEST_ROWS(the_specification_is_kept, rows)
{
	const struct row *row = &rows[_i];

	for (unsigned i = 0; i < STEPS && row->step[i].op != DONE; i++) {
		const struct step *s = &row->step[i];

		if (s->op == LINE)
			plic_set(&plic, s->where, s->value);
		else if (s->op == WR)
			wr(s->where, s->value);
		else if (s->op == RD)
			ck_assert_msg(rd(s->where) == s->value,
				      "%s: %s: step %u", row->section, row->why,
				      i);
		else
			ck_assert_msg(lines[s->where] == s->value,
				      "%s: %s: step %u", row->section, row->why,
				      i);
	}
}

/* "The bits are accessed atomically with LW and SW instructions." */
TEST(only_words_are_answered)
{
	uint64_t value = 7;

	ck_assert(!access_size(PRIORITY(1), 1, true, &value));
	ck_assert(!access_size(PRIORITY(1), 2, true, &value));
	ck_assert(!access_size(PRIORITY(2), 8, true, &value));
	ck_assert_uint_eq(rd(PRIORITY(1)), 0);
	ck_assert_uint_eq(rd(PRIORITY(2)), 0);
	wr(PRIORITY(10), 1);
	wr(ENABLE(0, 0), 1u << 10);
	plic_set(&plic, 10, true);
	ck_assert(!access_size(CLAIM(0), 1, false, &value));
	ck_assert(!access_size(CLAIM(0) - 4, 8, false, &value));
	ck_assert_uint_eq(rd(CLAIM(0)), 10);
}

TEST(every_source_reaches_every_context)
{
	for (unsigned id = 1; id <= PLIC_SOURCES; id++)
		for (unsigned ctx = 0; ctx < 2 * N_HARTS; ctx++) {
			begin(0);
			wr(PRIORITY(id), 7);
			wr(ENABLE(ctx, id / 32), 1u << id % 32);
			plic_set(&plic, id, true);
			for (unsigned i = 0; i < 2 * N_HARTS; i++)
				ck_assert_int_eq(lines[i], i == ctx);
			ck_assert_uint_eq(rd(CLAIM(ctx)), id);
			ck_assert_uint_eq(n_driven, 2);
		}
}

TEST(thresholds_begin_as_the_firmware_leaves_them)
{
	begin(PLIC_MAX_PRIORITY);
	for (unsigned ctx = 0; ctx < 2 * N_HARTS; ctx++)
		ck_assert_uint_eq(rd(THRESHOLD(ctx)), 7);
}

TEST(the_largest_machine_has_contexts_for_all)
{
	plic_init(&plic, PMU_MAX_HARTS, 0);
	wr(THRESHOLD(127), 5);
	wr(THRESHOLD(128), 5);
	ck_assert_uint_eq(rd(THRESHOLD(127)), 5);
	ck_assert_uint_eq(rd(THRESHOLD(128)), 0);
}

SUITE("dev-plic", .setup = setup);
