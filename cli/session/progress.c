/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The line comes and goes between lines of the guest: while the guest is in
 * the middle of one on the same terminal, nothing is shown.
 */
#include "progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pmud.h"
#include "number.h"
#include "pmu/v1/machines.pb-c.h"
#include "text/now.h"
#include "text/report.h"
#include "text/tty.h"

enum {
	PERIOD_MS = 1000
};

struct progress {
	struct pmud *pmud;
	const char *machine;
	uint64_t next;	    /* ms: when it is time */
	uint64_t was, insn; /* when it was looked, what it was then */
	uint64_t clock_hz;  /* 0: not known yet */
	bool shared;	    /* the guest writes to a terminal, too, */
	bool in_line;	    /* and stands in the middle of a line */
};

struct progress *progress_new(struct pmud *s, const char *machine)
{
	struct progress *p;

	if (report_is_quiet() || !tty_width(stderr))
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->pmud = s;
	p->machine = machine;
	p->shared = tty_width(stdout) != 0;
	p->was = now_ms();
	p->next = p->was + PERIOD_MS;
	return p;
}

void progress_free(struct progress *p)
{
	tty_status_clear();
	free(p);
}

void progress_output(struct progress *p, const uint8_t *bytes, size_t len)
{
	if (!p || !p->shared || !len)
		return;
	tty_status_clear();
	p->in_line = bytes[len - 1] != '\n';
}

int progress_timeout(const struct progress *p)
{
	uint64_t now;

	if (!p || p->in_line)
		return -1;
	now = now_ms();
	return now < p->next ? (int)(p->next - now) : 0;
}

/* The clock's default, as pmud has it. */
static uint64_t default_clock(struct progress *p)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;
	Pmu__V1__ListSettingsResponse *r;
	uint64_t hz = 0;

	if (!PMUD_ASK(p->pmud, ListSettings, &req, &r))
		return 0;
	for (size_t i = 0; i < r->n_settings; i++) {
		if (!strcmp(r->settings[i]->key, "clock-hz"))
			number_parse(r->settings[i]->default_value, &hz);
	}
	answer_free(r);
	return hz;
}

static uint64_t clock_of(struct progress *p, const Pmu__V1__MachineInfo *m)
{
	uint64_t hz = 0;

	for (size_t i = 0; m->config && i < m->config->n_settings; i++) {
		if (!strcmp(m->config->settings[i]->key, "clock-hz"))
			number_parse(m->config->settings[i]->value, &hz);
	}
	return hz ? hz : default_clock(p);
}

static void show(struct progress *p, const Pmu__V1__MachineInfo *m)
{
	uint64_t now = now_ms(), ms = now - p->was;
	char text[160], guest[40] = "";

	if (!p->clock_hz)
		p->clock_hz = clock_of(p, m);
	if (p->clock_hz)
		snprintf(guest, sizeof(guest), ", %.3f s of guest time",
			 (double)m->cycle / (double)p->clock_hz);
	snprintf(text, sizeof(text), "%" PRIu64 " instructions, %.1f MIPS%s",
		 m->insn,
		 ms ? (double)(m->insn - p->insn) / (double)ms / 1000.0 : 0.0,
		 guest);
	tty_status(text);
	p->was = now;
	p->insn = m->insn;
}

void progress_show(struct progress *p)
{
	/* the one call that does not go to the machine's own process */
	Pmu__V1__ListMachinesRequest req = PMU__V1__LIST_MACHINES_REQUEST__INIT;
	Pmu__V1__ListMachinesResponse *r;

	if (progress_timeout(p) != 0)
		return;
	p->next = now_ms() + PERIOD_MS;
	if (!PMUD_ASK(p->pmud, ListMachines, &req, &r))
		return;
	for (size_t i = 0; i < r->n_machines; i++) {
		if (!strcmp(r->machines[i]->id, p->machine))
			show(p, r->machines[i]);
	}
	answer_free(r);
}
