/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the words of each kind come from: tables of this program, or a list
 * that the daemon has.
 */
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "session/conn.h"
#include "explain.h"
#include "text/names.h"
#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "trace/record-filter.h"
#include "text/tty.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum {
	WORD_MAX = 80
};

enum words words_of(const char *place)
{
	static const struct {
		const char *place;
		enum words kind;
	} places[] = {
		{ "COMMAND", WORDS_COMMAND },
		{ "MACHINE", WORDS_MACHINE },
		{ "KEY=VALUE", WORDS_SETTING },
		{ "CSR", WORDS_CSR },
		{ "EVENT", WORDS_EVENT },
		{ "RULE", WORDS_RULE },
		{ "CALL", WORDS_SBI_CALL },
		{ "ERROR", WORDS_SBI_ERROR },
		{ "REGISTER", WORDS_REGISTER },
		{ "s|m", WORDS_START_MODE },
		{ "KIND", WORDS_RECORD_KIND },
		{ "auto|always|never", WORDS_COLOR },
	};
	const char *at = place + (*place == '[');

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		size_t len = strlen(places[i].place);

		if (!strncmp(at, places[i].place, len) &&
		    strchr("|[]. ", at[len]))
			return places[i].kind;
	}
	return WORDS_NONE;
}

enum words_from words_from(enum words kind)
{
	switch (kind) {
	case WORDS_MACHINE:
	case WORDS_CSR:
		return WORDS_OF_RUNNING;
	case WORDS_SETTING:
	case WORDS_EVENT:
		return WORDS_OF_ANY;
	case WORDS_NONE:
	case WORDS_COMMAND:
	case WORDS_RULE:
	case WORDS_SBI_CALL:
	case WORDS_SBI_ERROR:
	case WORDS_REGISTER:
	case WORDS_START_MODE:
	case WORDS_RECORD_KIND:
	case WORDS_COLOR:
		break;
	}
	return WORDS_OURS;
}

static void each_machine(struct conn *s, words_fn *fn, void *arg)
{
	Pmu__V1__ListMachinesRequest req = PMU__V1__LIST_MACHINES_REQUEST__INIT;
	Pmu__V1__ListMachinesResponse *r;

	if (!CONN_ASK(s, MachineService, ListMachines, list_machines, &req, &r))
		return;
	for (size_t i = 0; i < r->n_machines; i++)
		fn(arg, r->machines[i]->id);
	conn_free(r);
}

static void each_event(struct conn *s, words_fn *fn, void *arg)
{
	Pmu__V1__ListEventsRequest req = PMU__V1__LIST_EVENTS_REQUEST__INIT;
	Pmu__V1__ListEventsResponse *r;

	if (!CONN_ASK(s, EventService, ListEvents, list_events, &req, &r))
		return;
	for (size_t i = 0; i < r->n_events; i++)
		fn(arg, r->events[i]->name);
	conn_free(r);
}

static void each_setting(struct conn *s, words_fn *fn, void *arg)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;
	Pmu__V1__ListSettingsResponse *r;

	if (!CONN_ASK(s, MachineService, ListSettings, list_settings, &req, &r))
		return;
	for (size_t i = 0; i < r->n_settings; i++)
		fn(arg, r->settings[i]->key);
	conn_free(r);
}

void words_each_value(struct conn *s, const char *key, words_fn *fn, void *arg)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;
	Pmu__V1__ListSettingsResponse *r;

	if (!CONN_ASK(s, MachineService, ListSettings, list_settings, &req, &r))
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
	conn_free(r);
}

static void each_csr(struct conn *s, const struct args *args, words_fn *fn,
		     void *arg)
{
	Pmu__V1__ListCsrsRequest req = PMU__V1__LIST_CSRS_REQUEST__INIT;
	Pmu__V1__ListCsrsResponse *r;

	req.machine = args->machine ? (char *)args->machine : "";
	req.hart = (uint32_t)args->hart;
	if (!args->machine ||
	    !CONN_ASK(s, HartService, ListCsrs, list_csrs, &req, &r)) {
		csr_info_each(fn, arg);
		return;
	}
	for (size_t i = 0; i < r->n_csrs; i++)
		fn(arg, r->csrs[i]->name);
	conn_free(r);
}

/* First words of commands, each once. */
static void each_command(words_fn *fn, void *arg)
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

static void each_of_table(enum words kind, words_fn *fn, void *arg)
{
	static const char *const modes[] = { "s", "m", NULL };
	const char *word;
	char buf[NAME_MAX_LEN];

	for (size_t i = 0;; i++) {
		if (kind == WORDS_RULE)
			word = i < rule_infos_len ? rule_infos[i].name : NULL;
		else if (kind == WORDS_SBI_CALL)
			word = name_sbi_call_at(i, buf);
		else if (kind == WORDS_SBI_ERROR)
			word = name_sbi_error(-(int64_t)i);
		else if (kind == WORDS_REGISTER)
			word = name_register_at(i);
		else if (kind == WORDS_RECORD_KIND)
			word = record_kind_at(i);
		else if (kind == WORDS_COLOR)
			word = tty_color_at(i);
		else
			word = modes[i];
		if (!word)
			return;
		fn(arg, word);
	}
}

void words_each(struct conn *s, const struct args *args, enum words kind,
		words_fn *fn, void *arg)
{
	switch (kind) {
	case WORDS_NONE:
		return;
	case WORDS_COMMAND:
		each_command(fn, arg);
		return;
	case WORDS_MACHINE:
		each_machine(s, fn, arg);
		return;
	case WORDS_SETTING:
		each_setting(s, fn, arg);
		return;
	case WORDS_CSR:
		each_csr(s, args, fn, arg);
		return;
	case WORDS_EVENT:
		each_event(s, fn, arg);
		return;
	case WORDS_RULE:
	case WORDS_SBI_CALL:
	case WORDS_SBI_ERROR:
	case WORDS_REGISTER:
	case WORDS_START_MODE:
	case WORDS_RECORD_KIND:
	case WORDS_COLOR:
		each_of_table(kind, fn, arg);
		return;
	}
}
