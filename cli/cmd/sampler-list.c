/* SPDX-License-Identifier: BSD-2-Clause */
/* What --event, --period and their kin ask to sample. */
#include "sampler-list.h"

#include <inttypes.h>
#include <string.h>

#include "args.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	STACK_MAX = 64 << 10 /* bytes that a machine copies */
};

static bool add(struct sampler_list *l, size_t i, const struct args *args)
{
	const struct event_choice *c = &l->events.item[i];
	Pmu__V1__Sampler *s = &l->sampler[i];

	if (!c->modes) {
		report_error("--event: %s is the firmware's and cannot be "
			     "sampled",
			     c->event->name);
		return false;
	}
	pmu__v1__sampler__init(s);
	s->event = c->event->name;
	s->name = (char *)c->name;
	s->period = args->exact ? 1 : args->period;
	s->summed = args->exact;
	s->callers = args->callers;
	s->registers = args->registers;
	s->stack_bytes = (uint32_t)args->stack;
	s->privileges = l->modes[i];
	for (unsigned m = 1; m <= SAMPLER_MODES; m++)
		if (c->modes >> m & 1)
			s->privileges[s->n_privileges++] =
				(Pmu__V1__Privilege)m;
	l->list[i] = s;
	return true;
}

int sampler_list_init(struct sampler_list *l, struct pmud *s,
		      const struct args *args)
{
	int code;

	memset(l, 0, sizeof(*l));
	if (args->stack > STACK_MAX) {
		report_error("--stack: must be at most 64KiB, not %" PRIu64
			     " bytes",
			     args->stack);
		return EXIT_USAGE;
	}
	code = event_list_init(&l->events, s, args);

	if (!code && l->events.n > SAMPLER_LIST_MAX) {
		report_error("--event: must be at most %d events, not %zu",
			     SAMPLER_LIST_MAX, l->events.n);
		code = EXIT_USAGE;
	}
	for (l->n = 0; l->n < l->events.n && !code; l->n++)
		code = add(l, l->n, args) ? EXIT_OK : EXIT_USAGE;
	return code;
}

void sampler_list_free(struct sampler_list *l)
{
	event_list_free(&l->events);
}
