/* SPDX-License-Identifier: BSD-2-Clause */
/* Catalogues: events, settings, and the CSRs of a hart. */
#include <inttypes.h>

#include "command.h"
#include "show-answer.h"
#include "text/names.h"
#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "text/table.h"

static int print_events(const void *answer)
{
	const Pmu__V1__ListEventsResponse *r = answer;
	static const struct column columns[] = {
		{ "EVENT", COLUMN_TEXT },  { "SELECTOR", COLUMN_WIDE },
		{ "KIND", COLUMN_TEXT },   { "SBI NAME", COLUMN_TEXT },
		{ "COUNTS", COLUMN_LAST },
	};
	struct table *t = table_new("events", columns, 5, false);
	char name[NAME_MAX_LEN];

	for (size_t i = 0; i < r->n_events; i++) {
		const Pmu__V1__Event *e = r->events[i];

		table_row(t);
		table_cell(t, "%s", e->name);
		table_cell(t, "%#x", e->selector);
		table_cell(t, "%s",
			   name_enum(&pmu__v1__event_kind__descriptor,
				     (int)e->kind, name));
		table_cell(t, "%s", *e->alias ? e->alias : "-");
		table_cell(t, "%s", e->counts);
	}
	return table_print(t, stdout);
}

static int list_events(struct pmud *s, struct args *args)
{
	Pmu__V1__ListEventsRequest req = PMU__V1__LIST_EVENTS_REQUEST__INIT;

	return SHOW_ANSWER(s, args, ListEvents, &req, print_events);
}

static void print_setting(struct table *t, const char *prefix,
			  const Pmu__V1__SettingInfo *info)
{
	table_row(t);
	table_cell(t, "%s%s", prefix, info->key);
	table_cell(t, "%s", info->default_value);
	table_cell(t, "%s", info->values);
	table_cell(t, "%s", info->host_only ? "no" : "yes");
	table_cell(t, "%s", info->help);
}

/* What has an option of its own, and then the keys of --set. */
static int print_settings(const void *answer)
{
	const Pmu__V1__ListSettingsResponse *r = answer;
	static const struct column columns[] = {
		{ "KEY", COLUMN_TEXT },	   { "DEFAULT", COLUMN_TEXT },
		{ "VALUES", COLUMN_TEXT }, { "GUEST SEES IT", COLUMN_TEXT },
		{ "HELP", COLUMN_LAST },
	};
	struct table *t = table_new("settings", columns, 5, false);

	for (size_t i = 0; i < r->n_fields; i++)
		print_setting(t, "--", r->fields[i]);
	for (size_t i = 0; i < r->n_settings; i++)
		print_setting(t, "", r->settings[i]);
	return table_print(t, stdout);
}

static int list_settings(struct pmud *s, struct args *args)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;

	return SHOW_ANSWER(s, args, ListSettings, &req, print_settings);
}

const struct command list_commands[] = {
	{ "list", NULL, "List the events that can be counted", 0, 0, 0,
	  MAY_START_DAEMON, list_events },
	{ "list events", NULL, "The same", 0, 0, 0, MAY_START_DAEMON,
	  list_events },
	{ "list settings", NULL, "List the settings of machines, for --set", 0,
	  0, 0, MAY_START_DAEMON, list_settings },
	{ "list csrs", NULL, "List the CSRs of a hart and their values",
	  WITH(MACHINE) | WITH(HART), 0, 0, NEEDS_DAEMON, csr_list },
	{ 0 },
};
