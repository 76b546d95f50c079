/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The grammar of --event, which is perf's:
 *
 *	list  = item { "," item }
 *	item  = event [ ":" modes ] | "{" event... "}" [ ":" modes ]
 *	event = perf's or SBI's name | number | "r" hexadecimal digits
 *	modes = letters: m, s or k, u choose (none of them: all); v or G only
 *		those of guests, H only the others
 *
 * So :u is U and VU, :vs is VS.
 */
#include "event-list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "array.h"
#include "number.h"
#include "session/pmud.h"
#include "suggest.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/report.h"

#define BIT(mode) (1u << PMU__V1__PRIVILEGE__PRIVILEGE_##mode)

static unsigned modes_of_guests(void)
{
	unsigned modes = 0;

	for (int p = PMU__V1__PRIVILEGE__PRIVILEGE_M; EVENT_ALL_MODES >> p; p++)
		if (privilege_is_guest(p))
			modes |= 1u << p;
	return modes;
}

/* The modes that @letters choose; 0: they choose none, which was said. */
static unsigned parse_modes(const char *letters, size_t len)
{
	unsigned chosen = 0, within = EVENT_ALL_MODES;

	for (size_t i = 0; i < len; i++) {
		switch (letters[i]) {
		case 'm':
			chosen |= BIT(M);
			break;
		case 's':
		case 'k':
			chosen |= BIT(S) | BIT(VS);
			break;
		case 'u':
			chosen |= BIT(U) | BIT(VU);
			break;
		case 'v':
		case 'G':
			within &= modes_of_guests();
			break;
		case 'H':
			within &= ~modes_of_guests();
			break;
		default:
			report_error("--event: '%c' is no mode; there are m, "
				     "s or k, u, and v (G), H",
				     letters[i]);
			return 0;
		}
	}
	if (!chosen)
		chosen = EVENT_ALL_MODES;
	if (!len || !(chosen & within))
		report_error("--event: ':%.*s' chooses no mode", (int)len,
			     letters);
	return len ? chosen & within : 0;
}

static bool is_named(const Pmu__V1__Event *e, const char *word)
{
	char raw[EVENT_NAME_MAX];
	uint64_t number;

	if (!strcmp(e->name, word) || (*e->alias && !strcmp(e->alias, word)))
		return true;
	snprintf(raw, sizeof(raw), "r%x", e->selector);
	return !strcmp(raw, word) ||
	       (number_parse(word, &number) && number == e->selector);
}

static const Pmu__V1__Event *find(const struct event_list *list,
				  const char *word)
{
	for (size_t i = 0; i < list->catalogue->n_events; i++)
		if (is_named(list->catalogue->events[i], word))
			return list->catalogue->events[i];
	return NULL;
}

static bool unknown(const struct event_list *list, const char *word)
{
	struct suggest near;

	report_error("--event: '%s' is no event; `pmuctl list' has them all",
		     word);
	suggest_init(&near, word);
	for (size_t i = 0; i < list->catalogue->n_events; i++) {
		const Pmu__V1__Event *e = list->catalogue->events[i];

		suggest_consider(&near, e->name);
		if (*e->alias)
			suggest_consider(&near, e->alias);
	}
	suggest_say(&near);
	return false;
}

static bool is_of_firmware(const Pmu__V1__Event *e)
{
	return e->kind == PMU__V1__EVENT_KIND__EVENT_KIND_FIRMWARE;
}

static bool set_modes(struct event_choice *c, const char *letters, size_t len)
{
	size_t at = strlen(c->name);
	unsigned chosen;

	if (is_of_firmware(c->event)) {
		report_error("--event: %s is the firmware's and has no modes",
			     c->event->name);
		return false;
	}
	chosen = parse_modes(letters, len);
	if (chosen && !(c->modes & chosen))
		report_error("--event: ':%.*s' leaves %s no mode", (int)len,
			     letters, c->name);
	c->modes &= chosen;
	if (c->modes)
		snprintf(c->name + at, sizeof(c->name) - at, "%s%.*s",
			 strchr(c->name, ':') ? "" : ":", (int)len, letters);
	return c->modes;
}

/* @len bytes at @text are an event and perhaps its modes. */
static bool add(struct event_list *list, const char *text, size_t len,
		unsigned group)
{
	struct event_choice *c;
	const char *colon = memchr(text, ':', len);
	size_t name = colon ? (size_t)(colon - text) : len;
	char word[EVENT_NAME_MAX - 8];

	if (name >= sizeof(word)) {
		report_error("--event: a name longer than %d bytes",
			     (int)sizeof(word) - 1);
		return false;
	}
	if (!ARRAY_ROOM(list->item, &list->room, list->n)) {
		report_no_memory("--event");
		return false;
	}
	c = &list->item[list->n];
	snprintf(word, sizeof(word), "%.*s", (int)name, text);
	*c = (struct event_choice){ .event = find(list, word), .group = group };
	if (!c->event)
		return unknown(list, word);
	snprintf(c->name, sizeof(c->name), "%s", c->event->name);
	c->modes = is_of_firmware(c->event) ? 0 : EVENT_ALL_MODES;
	list->n++;
	return !colon || set_modes(c, colon + 1, len - name - 1);
}

/* "a,b", all in @group. */
static bool add_all(struct event_list *list, const char *text, size_t len,
		    unsigned group)
{
	for (size_t at = 0, n; at <= len; at += n + 1) {
		const char *comma = memchr(text + at, ',', len - at);

		n = comma ? (size_t)(comma - text) - at : len - at;
		if (!add(list, text + at, n, group))
			return false;
	}
	return true;
}

/* Takes the group that *@text begins with, which then moves behind it. */
static bool add_group(struct event_list *list, const char **text)
{
	const char *begin = *text + 1, *end = strchr(begin, '}');
	size_t first = list->n, len;

	if (!end) {
		report_error("--event: '%s' has no '}'", *text);
		return false;
	}
	if (!add_all(list, begin, (size_t)(end - begin), ++list->groups))
		return false;
	*text = end + 1;
	if (**text != ':')
		return true;
	len = strcspn(++*text, ",");
	for (size_t i = first; i < list->n; i++)
		if (!set_modes(&list->item[i], *text, len))
			return false;
	*text += len;
	return true;
}

static bool parse(struct event_list *list, const char *text)
{
	for (;; text++) {
		size_t len = strcspn(text, ",");

		if (*text != '{') {
			if (!add(list, text, len, 0))
				return false;
			text += len;
		} else if (!add_group(list, &text)) {
			return false;
		}
		if (!*text)
			return true;
		if (*text != ',') {
			report_error("--event: '%s' must be parted by ',' from "
				     "what is before",
				     text);
			return false;
		}
	}
}

static bool add_hardware(struct event_list *list)
{
	const Pmu__V1__ListEventsResponse *all = list->catalogue;

	for (size_t i = 0; i < all->n_events; i++) {
		const char *name = all->events[i]->name;

		if (!is_of_firmware(all->events[i]) &&
		    !add(list, name, strlen(name), 0))
			return false;
	}
	return true;
}

int event_list_init(struct event_list *list, struct pmud *s,
		    const struct args *args)
{
	Pmu__V1__ListEventsRequest req = PMU__V1__LIST_EVENTS_REQUEST__INIT;
	int code;

	memset(list, 0, sizeof(*list));
	code = PMUD_CALL(s, ListEvents, &req, &list->catalogue);
	if (code)
		return code;
	for (size_t i = 0; i < args->event.n; i++)
		if (!parse(list, args->event.item[i]))
			return EXIT_USAGE;
	return args->event.n || add_hardware(list) ? EXIT_OK : EXIT_USAGE;
}

void event_list_free(struct event_list *list)
{
	answer_free(list->catalogue);
	list->catalogue = NULL;
	free(list->item);
	list->item = NULL;
	list->n = list->room = 0;
}
