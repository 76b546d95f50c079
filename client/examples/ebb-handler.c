/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A handler of event-based branches: ebb-handler ADDRESS IMAGE COUNTER PERIOD
 * N [EVENT]. It claims a counter for instructions, or EVENT, is called every
 * PERIOD of them while the machine stands, N times, and prints where that was.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmuclient/ebb-client.h>
#include <pmuclient/machine.h>

#include "example-image.h"

/* With mhpmevent's selectors. */
static const struct event {
	const char *name;
	uint64_t selector;
} events[] = {
	{ "cycles", 1 },
	{ "instructions", 2 },
};

struct handler {
	unsigned counter;
	uint64_t event, period;
	unsigned calls, times;
	int err;
};

static void on_overflow(void *data, struct pmuclient_ebb *e,
			const struct pmuclient_ebb_call *call)
{
	struct handler *h = data;

	printf("%u: hart %u counters %#x next %#" PRIx64 ", insn %" PRIu64
	       ", cycle %" PRIu64 "\n",
	       ++h->calls, call->hart, (unsigned)call->counters, call->pc,
	       call->insn, call->cycle);
	h->err = h->calls < h->times
			 ? pmuclient_ebb_rearm(e, h->counter, h->period)
			 : pmuclient_ebb_mask(e, true);
}

/* A machine that stands before its first instruction. */
static int prepare(struct pmuclient *c, const char *path, char *ret_id)
{
	int err = pmuclient_create(c, NULL, ret_id);

	if (!err)
		err = example_image_load(c, ret_id, path);
	return err ? err : pmuclient_start(c, ret_id, true);
}

static int open_group(struct pmuclient *c, const char *id, struct handler *h,
		      struct pmuclient_ebb **ret)
{
	const struct pmuclient_ebb_config config = {
		.size = sizeof(config),
		.machine = id,
		.freezes = true,
	};
	const struct pmuclient_ebb_attr attr = {
		.size = sizeof(attr),
		.config = PMUCLIENT_EBB_EVENT | h->event,
		.counter = h->counter,
		.period = h->period,
		.pinned = true,
		.exclusive = true,
	};
	const struct pmuclient_ebb_attr *attrs[] = { &attr };

	return pmuclient_ebb_open(c, &config, attrs, 1, ret);
}

static int run(struct pmuclient *c, struct pmuclient_ebb *e, const char *id,
	       struct handler *h)
{
	uint64_t junk;
	int err;

	pmuclient_ebb_set_callback(e, on_overflow, h);
	err = pmuclient_ebb_enable(e);
	if (!err)
		err = pmuclient_ebb_read(e, &junk);
	if (err <= 0) {
		if (!err)
			fputs("the counter is in use\n", stderr);
		return err ? err : -PMUCLIENT_ESTATE;
	}
	err = pmuclient_ebb_mask(e, false);
	if (!err)
		err = pmuclient_resume(c, id);
	while (err >= 0 && !h->err && h->calls < h->times)
		err = pmuclient_ebb_dispatch(e, -1);
	return err < 0 ? err : h->err;
}

/* 0 if there is none of that name. */
static uint64_t event_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (!strcmp(events[i].name, name))
			return events[i].selector;
	return 0;
}

int main(int argc, char **argv)
{
	struct pmuclient_ebb *e = NULL;
	struct pmuclient *c = NULL;
	struct handler h = { 0 };
	char id[PMUCLIENT_ID];
	int err;

	h.event = event_by_name(argc == 7 ? argv[6] : "instructions");
	if (argc < 6 || argc > 7 || !h.event) {
		fprintf(stderr,
			"usage: %s ADDRESS IMAGE COUNTER PERIOD N "
			"[cycles|instructions]\n",
			argv[0]);
		return 2;
	}
	h.counter = (unsigned)strtoul(argv[3], NULL, 0);
	h.period = strtoull(argv[4], NULL, 0);
	h.times = (unsigned)strtoul(argv[5], NULL, 0);
	err = pmuclient_connect(&c, argv[1]);
	if (!err)
		err = prepare(c, argv[2], id);
	if (!err)
		err = open_group(c, id, &h, &e);
	if (!err)
		err = run(c, e, id, &h);
	if (err)
		fprintf(stderr, "%s: %s\n", argv[0],
			c ? pmuclient_error(c) : "out of memory");
	pmuclient_ebb_close(e);
	pmuclient_free(c);
	return err ? 1 : 0;
}
