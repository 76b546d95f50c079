/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One fixed pattern of accesses, either made, for cachegrind to see, or shown
 * to a model: "run", or "model SIZE WAYS LINE", which prints reads, those that
 * miss, writes, those that miss (uarch-cachegrind.py).
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/uarch.h>

enum {
	REGION = 4 << 20, /* larger than any first level */
	STEP = 16,
	ACCESSES = 200000,
};

static uint64_t next(uint64_t x)
{
	return x * UINT64_C(6364136223846793005) + 1442695040888963407u;
}

/* Of varying locality, and over the ends of lines. */
static uint64_t offset(uint64_t x)
{
	static const uint64_t mask = 0x3ffff;
	uint64_t reach = mask >> (x >> 60);

	return x >> 20 & reach;
}

/* Is it a store? */
static int is_store(uint64_t x)
{
	return x >> 10 & 1;
}

/*
 * All in registers: no access but the pattern's, between call and return. What
 * is loaded is summed up, because valgrind drops a load into a register that
 * the next one overwrites, as in a loop that the compiler unrolled.
 */
__attribute__((noinline)) static uint64_t pattern(volatile char *base)
{
	uint64_t x = 1, sum = 0;

	for (int i = 0; i < REGION; i += STEP)
		sum += (uint64_t)base[i];
	for (int i = 0; i < ACCESSES; i++) {
		volatile uint64_t *at;

		x = next(x);
		at = (volatile uint64_t *)(void *)(base + offset(x));
		if (is_store(x))
			*at = x;
		else
			sum += *at;
	}
	return sum;
}

struct count {
	struct pmu_uarch *u;
	unsigned n[PMU_N_UARCH_EVENTS];
};

static void show(struct count *c, uint64_t addr, unsigned size, int store)
{
	const struct pmu_space bare = { 0 };
	const struct pmu_uarch_insn insn = {
		.code = { 0, { 0 }, 4 },
		/* pages are next to each other, as cachegrind has them */
		.data = { addr, { addr, (addr | 4095) + 1 }, (uint8_t)size },
		.load = !store,
		.store = store,
	};
	struct pmu_uarch_found found;

	pmu_uarch_see(c->u, &insn, &bare, &bare, &found);
	for (unsigned i = 0; i < found.n; i++)
		c->n[found.event[i]]++;
}

static int model(char **args)
{
	const struct pmu_uarch_config
		cfg = { .l1d = {
				.size = (uint32_t)strtoul(args[0], NULL, 0),
				.ways = (uint8_t)strtoul(args[1], NULL, 0),
				.line = (uint32_t)strtoul(args[2], NULL, 0),
			} };
	struct count c = { .n = { 0 } };
	uint64_t x = 1;

	if (pmu_uarch_fault(&cfg))
		return 1;
	c.u = pmu_uarch_new(&cfg);
	if (!c.u)
		return 1;
	for (int i = 0; i < REGION; i += STEP)
		show(&c, (uint64_t)i, 1, 0);
	for (int i = 0; i < ACCESSES; i++) {
		x = next(x);
		show(&c, offset(x), 8, is_store(x));
	}
	printf("%u %u %u %u\n", c.n[PMU_UA_L1D_LOADS],
	       c.n[PMU_UA_L1D_LOAD_MISSES], c.n[PMU_UA_L1D_STORES],
	       c.n[PMU_UA_L1D_STORE_MISSES]);
	pmu_uarch_free(c.u);
	return 0;
}

static int run(void)
{
	char *base = aligned_alloc(REGION, REGION);

	if (!base)
		return 1;
	/* unused, the sum would not be made */
	printf("%" PRIu64 "\n", pattern(base));
	free(base);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "run"))
		return run();
	return argc == 5 && !strcmp(argv[1], "model") ? model(argv + 2) : 2;
}
