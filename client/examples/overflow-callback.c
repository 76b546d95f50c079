/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls back on every overflow of a counter, in C: overflow-callback ADDRESS
 * IMAGE COUNTER. It starts the image, holds all overflows until the guest has
 * ended, and then prints them: late, but none lost.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <pmuclient/overflows.h>
#include <pmuclient/machine.h>

#include "example-image.h"

static void on_overflow(void *data, const struct pmuclient_overflow *o)
{
	unsigned *n = data;

	printf("%u: hart %u counter %u (%s) at %#" PRIx64 ", next %#" PRIx64
	       ", mode %c, insn %" PRIu64 ", cycle %" PRIu64 "\n",
	       ++*n, o->hart, o->counter, o->event, o->last_pc, o->pc,
	       o->privilege, o->insn, o->cycle);
}

/* 0, or a negated enum pmuclient_errno. */
static int run(struct pmuclient *c, const char *path, unsigned counter)
{
	struct pmuclient_overflows *held;
	Pmu__V1__WatchMachineResponse *end;
	char id[PMUCLIENT_ID];
	unsigned n = 0;
	int err;

	err = pmuclient_create(c, NULL, id);
	if (!err)
		err = example_image_load(c, id, path);
	if (!err)
		err = pmuclient_overflows_open(c, id, 0, counter, &held);
	if (err)
		return err;
	pmuclient_overflows_set_callback(held, on_overflow, &n);
	err = pmuclient_start(c, id, false);
	if (!err)
		err = pmuclient_wait(c, id, -1, &end);
	if (!err) {
		pmuclient_free_message(&end->base);
		pmuclient_overflows_enable(held);
		do /* its end is the end of what was held: nothing is guessed */
			err = pmuclient_overflows_dispatch(held, -1);
		while (err >= 0);
		if (err == -PMUCLIENT_ELOST)
			err = 0;
		printf("%u overflows\n", n);
	}
	pmuclient_overflows_close(held);
	return err;
}

int main(int argc, char **argv)
{
	struct pmuclient *c = NULL;
	int err;

	if (argc != 4) {
		fprintf(stderr, "usage: %s ADDRESS IMAGE COUNTER\n", argv[0]);
		return 2;
	}
	err = pmuclient_connect(&c, argv[1]);
	if (!err)
		err = run(c, argv[2], (unsigned)strtoul(argv[3], NULL, 0));
	if (err)
		fprintf(stderr, "%s: %s\n", argv[0],
			c ? pmuclient_error(c) : "out of memory");
	pmuclient_free(c);
	return err ? 1 : 0;
}
