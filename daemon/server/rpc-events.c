/* SPDX-License-Identifier: BSD-2-Clause */
/* EventService's catalogue: what this build can count, machine or not. */
#include <stdlib.h>

#include <fw/event-name.h>
#include <fw/fw.h>
#include <pmu/event.h>
#include <pmu/model-events.h>

#include "rpc-services.h"
#include "settings/settings-parts.h"

enum {
	N_EVENTS = PMU_N_EVENTS + FW_N_EVENTS,
};

static void hardware(Pmu__V1__Event *e, enum pmu_event event)
{
	const struct pmu_event_desc *desc = pmu_event_desc(event);
	const char *settings = settings_of_event(event);

	e->name = (char *)desc->name;
	e->alias = (char *)(desc->alias ? desc->alias : "");
	e->selector = desc->selector;
	e->kind = PMU__V1__EVENT_KIND__EVENT_KIND_HARDWARE;
	e->counts = (char *)desc->counts;
	e->rule = (char *)desc->rule;
	e->explained = pmu_event_is_miss(event);
	e->settings = (char *)(settings ? settings : "");
	e->watched = pmu_event_is_model(event);
}

static void firmware(Pmu__V1__Event *e, unsigned event)
{
	const struct fw_event_desc *desc = fw_event_desc(event);

	e->name = (char *)desc->name;
	e->selector = FW_EVENT_FIRMWARE + desc->code;
	e->kind = PMU__V1__EVENT_KIND__EVENT_KIND_FIRMWARE;
	e->counts = (char *)desc->counts;
	e->rule = (char *)desc->rule;
}

void serve_list_events(struct rpc_call *call,
		       const Pmu__V1__ListEventsRequest *req)
{
	Pmu__V1__ListEventsResponse answer =
		PMU__V1__LIST_EVENTS_RESPONSE__INIT;
	Pmu__V1__Event events[N_EVENTS], *rows[N_EVENTS];

	for (unsigned i = 0; i < N_EVENTS; i++) {
		pmu__v1__event__init(&events[i]);
		if (i < PMU_N_EVENTS)
			hardware(&events[i], (enum pmu_event)i);
		else
			firmware(&events[i], i - PMU_N_EVENTS);
		rows[i] = &events[i];
	}
	answer.n_events = N_EVENTS;
	answer.events = rows;
	rpc_reply(call, &answer.base);
}
