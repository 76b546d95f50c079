/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How fast a handler outside is told: bench-ebb ADDRESS IMAGE [RUN]. By calls
 * and by a ring: the median time from a handler's return to its next call while
 * the machine stands for it, which is more than from an overflow to the
 * handler; how many of these a second; and how many a second are told by a
 * machine that runs on. IMAGE computes and never ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pmuclient/ebb-client.h>
#include <pmuclient/machine.h>

enum {
	COUNTER = 9,
	INSTRUCTIONS = 2, /* mhpmevent's selector */
	PERIOD = 1000
};

struct run {
	const char *name;
	enum pmuclient_ebb_transport transport;
	bool freezes;
	unsigned times;
};

static const struct run runs[] = {
	{ "frozen, by calls", PMUCLIENT_EBB_CALLS, true, 10000 },
	{ "frozen, by a ring", PMUCLIENT_EBB_RING, true, 100000 },
	{ "running on, by calls", PMUCLIENT_EBB_CALLS, false, 100000 },
	{ "running on, by a ring", PMUCLIENT_EBB_RING, false, 500000 },
};

struct state {
	const struct run *run;
	double *gaps, last;
	unsigned n;
	int err;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(struct pmuclient *c, int err)
{
	if (err >= 0)
		return;
	fprintf(stderr, "bench-ebb: %s\n",
		c ? pmuclient_error(c) : "no memory");
	exit(1);
}

static void on_overflow(void *data, struct pmuclient_ebb *e,
			const struct pmuclient_ebb_call *call)
{
	struct state *s = data;

	if (s->n == s->run->times)
		return; /* told before it was masked */
	s->gaps[s->n++] = now() - s->last;
	if (s->n == s->run->times)
		s->err = pmuclient_ebb_mask(e, true);
	else if (s->run->freezes)
		s->err = pmuclient_ebb_rearm(e, COUNTER, PERIOD);
	s->last = now();
}

static void load(struct pmuclient *c, const char *path, char *ret_id)
{
	static char bytes[1 << 20];
	struct pmuclient_image image = { .size = sizeof(image),
					 .bytes = bytes };
	FILE *f = fopen(path, "rb");

	if (f) {
		image.len = fread(bytes, 1, sizeof(bytes), f);
		fclose(f);
	}
	check(c, pmuclient_create(c, NULL, ret_id));
	check(c, pmuclient_load(c, ret_id, &image, NULL));
	check(c, pmuclient_start(c, ret_id, true));
}

static struct pmuclient_ebb *open_group(struct pmuclient *c, const char *id,
					const struct run *run)
{
	const struct pmuclient_ebb_config config = {
		.size = sizeof(config),
		.machine = id,
		.freezes = run->freezes,
		.reloads = !run->freezes,
		.transport = run->transport,
	};
	const struct pmuclient_ebb_attr attr = {
		.size = sizeof(attr),
		.config = PMUCLIENT_EBB_EVENT | INSTRUCTIONS,
		.counter = COUNTER,
		.period = PERIOD,
		.pinned = true,
		.exclusive = true,
	};
	const struct pmuclient_ebb_attr *attrs[] = { &attr };
	struct pmuclient_ebb *e;

	check(c, pmuclient_ebb_open(c, &config, attrs, 1, &e));
	check(c, pmuclient_ebb_enable(e));
	return e;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void print(const struct state *s, double seconds)
{
	printf("%s: %.0f a second", s->run->name, s->n / seconds);
	if (s->run->freezes) {
		qsort(s->gaps, s->n, sizeof(*s->gaps), by_size);
		printf(", p50 %.1f us p99 %.1f us", s->gaps[s->n / 2] * 1e6,
		       s->gaps[s->n * 99 / 100] * 1e6);
	}
	putchar('\n');
}

static void measure(struct pmuclient *c, const char *path,
		    const struct run *run)
{
	struct state s = { .run = run };
	char id[PMUCLIENT_ID];
	struct pmuclient_ebb *e;
	double start;

	s.gaps = calloc(run->times + 1, sizeof(*s.gaps));
	if (!s.gaps)
		exit(1);
	load(c, path, id);
	e = open_group(c, id, run);
	pmuclient_ebb_set_callback(e, on_overflow, &s);
	check(c, pmuclient_ebb_mask(e, false));
	start = s.last = now();
	check(c, pmuclient_resume(c, id));
	while (s.n < run->times) {
		check(c, pmuclient_ebb_dispatch(e, -1));
		check(c, s.err);
	}
	print(&s, now() - start);
	pmuclient_ebb_close(e);
	check(c, pmuclient_delete(c, id));
	free(s.gaps);
}

int main(int argc, char **argv)
{
	struct pmuclient *c = NULL;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: %s ADDRESS IMAGE [RUN]\n", argv[0]);
		return 2;
	}
	check(c, pmuclient_connect(&c, argv[1]));
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		if (argc == 3 || !strcmp(argv[3], runs[i].name))
			measure(c, argv[2], &runs[i]);
	pmuclient_free(c);
	return 0;
}
