/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the engine costs: speed of loops, of exits, of limit stops, and whether
 * a counter that stands one short of an event that never comes costs anything.
 * Each line is the best of several rounds; ratios compare lines of one run, as
 * the speed of a shared machine changes from run to run.
 *
 * bench-engine [fast|portable [ROW]], ROW being a part of a line's name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "asm.h"
#include "engine/engine-pieces.h"
#include "rig.h"

enum {
	ROUNDS = 5,
	CODE = 0,
	DATA = 8
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct bench {
	const char *name;
	uint32_t code[12];
	uint64_t insns;
	uint64_t every; /* a limit each so many instructions, 0: none */
	bool one_store_left;
	bool switches; /* of the regime, at each limit */
	uint64_t f;    /* in all floating-point registers */
	const char *unit;
};

#define SINGLE_ONE UINT64_C(0xffffffff3f800000)
#define DOUBLE_ONE UINT64_C(0x3ff0000000000000)

/* x10 += x11 * x12 ... and a store that is never reached */
#define WORK                                                                   \
	ADD(10, 10, 11), MUL(12, 12, 11), ADD(13, 13, 10), ADDI(11, 11, 3),    \
		ADD(14, 14, 12), MUL(15, 15, 13)

static const struct bench benches[] = {
	{ .name = "a loop of 8, computing",
	  .code = { WORK, ADDI(16, 16, 1), JAL(0, -28) },
	  .insns = 400000000,
	  .unit = "MIPS" },
	{ .name = "the same, one store short of a limit",
	  .code = { WORK, ADDI(16, 16, 1), JAL(0, -28) },
	  .insns = 400000000,
	  .one_store_left = true,
	  .unit = "MIPS" },
	{ .name = "a loop of 2",
	  .code = { ADDI(10, 10, 1), JAL(0, -4) },
	  .insns = 100000000,
	  .unit = "MIPS" },
	{ .name = "a loop of 8, single precision",
	  .code = { FMUL_S(2, 0, 1), FADD_S(3, 3, 2), FMUL_S(4, 2, 1),
		    FADD_S(5, 5, 4), FMUL_S(6, 2, 2), FADD_S(7, 7, 6),
		    ADDI(16, 16, 1), JAL(0, -28) },
	  .insns = 40000000,
	  .f = SINGLE_ONE,
	  .unit = "MIPS" },
	{ .name = "a loop of 4, single precision, a load",
	  .code = { FLW(2, 5, 0), FMUL_S(2, 2, 1), FADD_S(3, 3, 2),
		    JAL(0, -12) },
	  .insns = 40000000,
	  .f = SINGLE_ONE,
	  .unit = "MIPS" },
	{ .name = "a loop of 8, double precision",
	  .code = { FMUL_D(2, 0, 1), FADD_D(3, 3, 2), FMUL_D(4, 2, 1),
		    FADD_D(5, 5, 4), FMUL_D(6, 2, 2), FADD_D(7, 7, 6),
		    ADDI(16, 16, 1), JAL(0, -28) },
	  .insns = 40000000,
	  .f = DOUBLE_ONE,
	  .unit = "MIPS" },
	{ .name = "a loop of 4, a load and fmax.s",
	  .code = { FLW(2, 5, 0), FMAX_S(3, 3, 2), ADDI(16, 16, 1),
		    JAL(0, -12) },
	  .insns = 4000000,
	  .f = SINGLE_ONE,
	  .unit = "MIPS" },
	{ .name = "a loop of 4, load and store",
	  .code = { LD(10, 5, 0), ADDI(10, 10, 1), SD(10, 5, 0), JAL(0, -12) },
	  .insns = 100000000,
	  .unit = "MIPS" },
	{ .name = "an intercepted CSR read and back",
	  .code = { CSRRS(10, PMU_CSR_MSTATUS, 0), JAL(0, -4) },
	  .insns = 4000000,
	  .unit = "ns per exit" },
	{ .name = "a read of a user counter",
	  .code = { CSRRS(10, PMU_CSR_CYCLE, 0), JAL(0, -4) },
	  .insns = 4000000,
	  .unit = "ns per exit" },
	{ .name = "a limit inside a block",
	  .code = { WORK, ADDI(16, 16, 1), JAL(0, -28) },
	  .insns = 4000000,
	  .every = 20,
	  .unit = "ns per stop" },
	{ .name = "a limit at a block's end",
	  .code = { WORK, ADDI(16, 16, 1), JAL(0, -28) },
	  .insns = 4000000,
	  .every = 16,
	  .unit = "ns per stop" },
	{ .name = "a limit and a change of regime",
	  .code = { WORK, ADDI(16, 16, 1), JAL(0, -28) },
	  .insns = 4000000,
	  .every = 16,
	  .switches = true,
	  .unit = "ns per stop" },
};

static enum engine_next go_on(struct rig *r, const struct engine_exit *exit)
{
	rig_retire(r, exit, 1);
	return ENGINE_RESUME;
}

static void prepare(struct rig *r, const struct bench *b)
{
	rig_reset(r);
	rig_code(r, CODE, b->code, sizeof(b->code) / sizeof(b->code[0]));
	rig_set_x(r, 5, RIG_AT(DATA));
	for (unsigned i = 0; i < 32; i++)
		engine_set(r->e, r->ctx[0], ENGINE_F0 + i, b->f);
	memcpy(r->ram + DATA * RIG_PAGE, &b->f, 4);
	r->script = go_on;
	if (b->one_store_left)
		r->budget.limit.n[PMU_EV_STORES] = 1;
	engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
}

/* Seconds of one round; @ret_stops: how often it stopped. */
static double run(struct rig *r, const struct bench *b, uint64_t *ret_stops)
{
	struct pmu_progress *done = &r->budget.done;
	double start;

	prepare(r, b);
	*ret_stops = 0;
	start = now();
	while (done->n[PMU_EV_INSNS] < b->insns) {
		r->budget.limit.n[PMU_EV_INSNS] =
			done->n[PMU_EV_INSNS] +
			(b->every ? b->every : b->insns);
		if (b->switches)
			r->regime = (enum engine_regime)(1 - (int)r->regime);
		rig_run(r, UINT64_MAX);
		(*ret_stops)++;
	}
	return now() - start;
}

static double measure(struct rig *r, const struct bench *b)
{
	double best = 1e9;
	uint64_t stops = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		double t = run(r, b, &stops);

		best = t < best ? t : best;
	}
	if (strcmp(b->unit, "MIPS") == 0)
		return (double)b->insns / best * 1e-6;
	return best * 1e9 / (double)(b->every ? stops : r->n_exits);
}

static void print_piece(const struct engine *e, unsigned n)
{
	struct engine_piece p;

	engine_get_piece(e, n, &p);
	printf("%s: %s, %.2f %% of %llu %s\n", p.name, p.off ? p.off : "on",
	       p.all ? 100.0 * (double)p.taken / (double)p.all : 0.0,
	       (unsigned long long)p.all, p.of);
}

/* Measures the rows whose names have @part. Returns how many these are. */
static unsigned print_rows(struct rig *r, const char *part)
{
	double first = 0;
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		const struct bench *b = &benches[i];
		double value;

		if (!strstr(b->name, part))
			continue;
		n++;
		value = measure(r, b);
		printf("%-40s %8.0f %s", b->name, value, b->unit);
		if (i == 0)
			first = value;
		if (b->one_store_left && first > 0)
			printf(", %.2f of the above", value / first);
		printf("\n");
	}
	return n;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "fast";
	const char *part = argc > 2 ? argv[2] : "";
	bool portable = !strcmp(mode, "portable");
	const struct engine_config cfg = {
		.xlen = 64,
		.engines = 2,
		.mode = portable ? ENGINE_PORTABLE : ENGINE_FAST,
	};
	struct rig *r;
	unsigned n;

	if (!strcmp(mode, "--version")) {
		puts(engine_version());
		return EXIT_SUCCESS;
	}
	if (argc > 3 || (!portable && strcmp(mode, "fast") != 0)) {
		fputs("usage: bench-engine [--version | fast | portable "
		      "[ROW]]\n",
		      stderr);
		return 2;
	}
	r = rig_new_config(&cfg);
	printf("%s, blocks counted %s\n", engine_version(),
	       portable ? "by a hook" : "in generated code");
	n = print_rows(r, part);
	if (n == 0)
		fprintf(stderr, "bench-engine: no row has '%s' in its name\n",
			part);
	for (unsigned i = 0; n && i < ENGINE_PIECES; i++)
		print_piece(r->e, i);
	rig_free(r);
	return n ? EXIT_SUCCESS : 2;
}
