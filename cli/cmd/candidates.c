/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the words of each kind come from: tables of this program, or a list
 * that the daemon has.
 */
#include "candidates.h"

#include <stdio.h>
#include <string.h>

#include <fw/sbi-name.h>

#include "command.h"
#include "session/pmud.h"
#include "explain-facts.h"
#include "export/export.h"
#include "kernel-options.h"
#include "machine-options.h"
#include "text/names.h"
#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "trace/record-field.h"
#include "trace/record-filter.h"
#include "text/tty.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum {
	WORD_MAX = 80
};

enum candidates candidates_at(const char *place)
{
	static const struct {
		const char *place;
		enum candidates kind;
	} places[] = {
		{ "COMMAND", CANDIDATES_COMMAND },
		{ "MACHINE", CANDIDATES_MACHINE },
		{ "KEY=VALUE", CANDIDATES_SETTING },
		{ "CSR", CANDIDATES_CSR },
		{ "EVENT", CANDIDATES_EVENT },
		{ "RULE", CANDIDATES_RULE },
		{ "CALL", CANDIDATES_SBI_CALL },
		{ "ERROR", CANDIDATES_SBI_ERROR },
		{ "REGISTER", CANDIDATES_REGISTER },
		{ "s|m", CANDIDATES_START_MODE },
		{ "uart|dbcn", CANDIDATES_CONSOLE },
		{ "hold|rotate|end", CANDIDATES_WHEN_FULL },
		{ "KIND", CANDIDATES_RECORD_KIND },
		{ "WHAT", CANDIDATES_STORED },
		{ "auto|always|never", CANDIDATES_COLOR },
		{ "FORMAT", CANDIDATES_EXPORT },
		{ "EXPRESSION", CANDIDATES_FIELD },
	};
	const char *at = place + (*place == '[');

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		size_t len = strlen(places[i].place);

		if (!strncmp(at, places[i].place, len) &&
		    strchr("|[]. ", at[len]))
			return places[i].kind;
	}
	return CANDIDATES_NONE;
}

enum candidates_source candidates_source(enum candidates kind)
{
	switch (kind) {
	case CANDIDATES_MACHINE:
	case CANDIDATES_CSR:
		return FROM_RUNNING_PMUD;
	case CANDIDATES_SETTING:
	case CANDIDATES_EVENT:
		return FROM_ANY_PMUD;
	case CANDIDATES_NONE:
	case CANDIDATES_COMMAND:
	case CANDIDATES_RULE:
	case CANDIDATES_SBI_CALL:
	case CANDIDATES_SBI_ERROR:
	case CANDIDATES_REGISTER:
	case CANDIDATES_START_MODE:
	case CANDIDATES_CONSOLE:
	case CANDIDATES_WHEN_FULL:
	case CANDIDATES_RECORD_KIND:
	case CANDIDATES_STORED:
	case CANDIDATES_COLOR:
	case CANDIDATES_EXPORT:
	case CANDIDATES_FIELD:
		break;
	}
	return FROM_PMUCTL;
}

static void each_machine(struct pmud *s, candidates_fn *fn, void *arg)
{
	Pmu__V1__ListMachinesRequest req = PMU__V1__LIST_MACHINES_REQUEST__INIT;
	Pmu__V1__ListMachinesResponse *r;

	if (!PMUD_ASK(s, ListMachines, &req, &r))
		return;
	for (size_t i = 0; i < r->n_machines; i++)
		fn(arg, r->machines[i]->id);
	answer_free(r);
}

static void each_event(struct pmud *s, candidates_fn *fn, void *arg)
{
	Pmu__V1__ListEventsRequest req = PMU__V1__LIST_EVENTS_REQUEST__INIT;
	Pmu__V1__ListEventsResponse *r;

	if (!PMUD_ASK(s, ListEvents, &req, &r))
		return;
	for (size_t i = 0; i < r->n_events; i++)
		fn(arg, r->events[i]->name);
	answer_free(r);
}

static void each_setting(struct pmud *s, candidates_fn *fn, void *arg)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;
	Pmu__V1__ListSettingsResponse *r;

	if (!PMUD_ASK(s, ListSettings, &req, &r))
		return;
	for (size_t i = 0; i < r->n_settings; i++)
		fn(arg, r->settings[i]->key);
	answer_free(r);
}

void candidates_each_value(struct pmud *s, const char *key, candidates_fn *fn,
			   void *arg)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;
	Pmu__V1__ListSettingsResponse *r;

	if (!PMUD_ASK(s, ListSettings, &req, &r))
		return;
	for (size_t i = 0; i < r->n_settings; i++) {
		char *save = NULL;

		if (strcmp(r->settings[i]->key, key) ||
		    strpbrk(r->settings[i]->values, " ,"))
			continue;
		for (char *word = strtok_r(r->settings[i]->values, "|", &save);
		     word; word = strtok_r(NULL, "|", &save))
			fn(arg, word);
	}
	answer_free(r);
}

static void each_csr(struct pmud *s, const struct args *args, candidates_fn *fn,
		     void *arg)
{
	Pmu__V1__ListCsrsRequest req = PMU__V1__LIST_CSRS_REQUEST__INIT;
	Pmu__V1__ListCsrsResponse *r;

	req.machine = args->machine ? (char *)args->machine : "";
	req.hart = (uint32_t)args->hart;
	if (!args->machine || !PMUD_ASK(s, ListCsrs, &req, &r)) {
		csr_info_each(fn, arg);
		return;
	}
	for (size_t i = 0; i < r->n_csrs; i++)
		fn(arg, r->csrs[i]->name);
	answer_free(r);
}

/* First words of commands, each once. */
static void each_command(candidates_fn *fn, void *arg)
{
	char last[WORD_MAX] = "", word[WORD_MAX];
	const struct command *c;

	for (size_t i = 0; (c = command_at(i)); i++) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(c->name, " "),
			 c->name);
		if (strcmp(word, last))
			fn(arg, word);
		strcpy(last, word);
	}
}

static const char *export_name_at(size_t i)
{
	const struct export_format *format = export_format_at(i);

	return format ? format->name : NULL;
}

static void each_of_table(enum candidates kind, candidates_fn *fn, void *arg)
{
	static const char *const modes[] = { "s", "m", NULL };
	const char *word;

	for (size_t i = 0;; i++) {
		if (kind == CANDIDATES_RULE)
			word = i < rule_infos_len ? rule_infos[i].name : NULL;
		else if (kind == CANDIDATES_SBI_CALL)
			word = sbi_name_at(i) ? sbi_name_at(i)->name : NULL;
		else if (kind == CANDIDATES_SBI_ERROR)
			word = sbi_error_name(-(int64_t)i);
		else if (kind == CANDIDATES_REGISTER)
			word = name_register_at(i);
		else if (kind == CANDIDATES_RECORD_KIND)
			word = record_kind_at(i);
		else if (kind == CANDIDATES_STORED)
			word = machine_stored_at(i);
		else if (kind == CANDIDATES_COLOR)
			word = tty_color_at(i);
		else if (kind == CANDIDATES_CONSOLE)
			word = kernel_console_at(i);
		else if (kind == CANDIDATES_WHEN_FULL)
			word = machine_when_full_at(i);
		else if (kind == CANDIDATES_EXPORT)
			word = export_name_at(i);
		else if (kind == CANDIDATES_FIELD)
			word = record_field_at(i);
		else
			word = modes[i];
		if (!word)
			return;
		fn(arg, word);
	}
}

void candidates_each(struct pmud *s, const struct args *args,
		     enum candidates kind, candidates_fn *fn, void *arg)
{
	switch (kind) {
	case CANDIDATES_NONE:
		return;
	case CANDIDATES_COMMAND:
		each_command(fn, arg);
		return;
	case CANDIDATES_MACHINE:
		each_machine(s, fn, arg);
		return;
	case CANDIDATES_SETTING:
		each_setting(s, fn, arg);
		return;
	case CANDIDATES_CSR:
		each_csr(s, args, fn, arg);
		return;
	case CANDIDATES_EVENT:
		each_event(s, fn, arg);
		return;
	case CANDIDATES_RULE:
	case CANDIDATES_SBI_CALL:
	case CANDIDATES_SBI_ERROR:
	case CANDIDATES_REGISTER:
	case CANDIDATES_START_MODE:
	case CANDIDATES_CONSOLE:
	case CANDIDATES_WHEN_FULL:
	case CANDIDATES_RECORD_KIND:
	case CANDIDATES_STORED:
	case CANDIDATES_COLOR:
	case CANDIDATES_EXPORT:
	case CANDIDATES_FIELD:
		each_of_table(kind, fn, arg);
		return;
	}
}
