/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Commands that a debugger has none of: counters, overflows, why a counter
 * counts, input for the guest. What they print is what pmuctl's own commands
 * print.
 */
#include "gdb-monitor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat-print.h"
#include "explain-counter.h"
#include "gdb/gdb-stub.h"
#include "number.h"
#include "session/pmud.h"
#include "text/names.h"
#include "text/plain-text.h"
#include "trace/record-text.h"

enum {
	DEFAULT_RECORDS = 20,
	MAX_RECORDS = 1000,
};

static bool stat(struct gdb_stub *s, char *word, FILE *out)
{
	struct gdb_target *t = s->target;

	return !stat_print(t->pmud, t->machine, false, out);
}

static bool explain(struct gdb_stub *s, char *word, FILE *out)
{
	Pmu__V1__ExplainCounterRequest req =
		PMU__V1__EXPLAIN_COUNTER_REQUEST__INIT;
	Pmu__V1__ExplainCounterResponse *r = NULL;
	bool good;

	if (!word || !explain_counter_parse(word, &req)) {
		fputs("explain needs HART:COUNTER, as in 0:3\n", out);
		return false;
	}
	req.machine = (char *)s->target->machine;
	good = !explain_counter_ask(s->target->pmud, &req, &r) &&
	       !explain_counter_print(out, r, NULL);
	answer_free(r);
	return good;
}

/* The last @wanted lines of all that come. */
struct last {
	char *line[MAX_RECORDS];
	size_t wanted, n;
};

static void keep(struct last *last, const struct record_style *style,
		 const Pmu__V1__Record *record)
{
	char **line = &last->line[last->n++ % last->wanted];
	size_t size;
	FILE *out;

	free(*line);
	*line = NULL;
	out = open_memstream(line, &size);
	if (!out)
		return;
	record_line(out, style, record);
	fclose(out);
}

static void print_last(const struct last *last,
		       const struct record_style *style, FILE *out)
{
	size_t first = last->n > last->wanted ? last->n - last->wanted : 0;

	record_heading(out, style);
	for (size_t i = first; i < last->n; i++)
		if (last->line[i % last->wanted])
			fputs(last->line[i % last->wanted], out);
	if (first)
		fprintf(out, "%zu came before these\n", first);
}

/* Reads all of the stream. */
static bool collect(struct pmud *pmud, struct pmuclient_stream *stream,
		    const struct record_style *style, struct last *last)
{
	Pmu__V1__QueryRecordsResponse *r;
	int n;

	while ((n = pmuclient_next(stream, pmud_timeout(pmud),
				   (ProtobufCMessage **)&r)) == 1) {
		for (size_t i = 0; i < r->n_records; i++)
			keep(last, style, r->records[i]);
		answer_free(r);
	}
	pmuclient_close(stream);
	return n == 0;
}

static bool print_overflows(struct gdb_target *t, struct last *last, FILE *out)
{
	const struct record_style style = { .xlen = t->xlen };
	Pmu__V1__QueryRecordsRequest req = PMU__V1__QUERY_RECORDS_REQUEST__INIT;
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	struct pmuclient_stream *stream;

	filter.overflows = true;
	req.machine = (char *)t->machine;
	req.filter = &filter;
	if (pmuclient_open(pmud_client(t->pmud), METHOD_PATH(QueryRecords),
			   &req.base, METHOD_ANSWER(QueryRecords), &stream) ||
	    !collect(t->pmud, stream, &style, last)) {
		fprintf(out, "%s\n", gdb_target_error(t));
		return false;
	}
	print_last(last, &style, out);
	return true;
}

static bool overflows(struct gdb_stub *s, char *word, FILE *out)
{
	uint64_t wanted = DEFAULT_RECORDS;
	struct last *last;
	bool good;

	if (word &&
	    (!number_parse(word, &wanted) || !wanted || wanted > MAX_RECORDS)) {
		fprintf(out, "overflows: '%s' is not 1 to %d\n", word,
			MAX_RECORDS);
		return false;
	}
	last = calloc(1, sizeof(*last));
	if (!last)
		return false;
	last->wanted = (size_t)wanted;
	good = print_overflows(s->target, last, out);
	for (size_t i = 0; i < MAX_RECORDS; i++)
		free(last->line[i]);
	free(last);
	return good;
}

static bool state(struct gdb_stub *s, char *word, FILE *out)
{
	struct gdb_target *t = s->target;
	char state[NAME_MAX_LEN], cause[NAME_MAX_LEN];
	Pmu__V1__MachineInfo *m;

	if (pmuclient_control(pmud_client(t->pmud), t->machine, PMUCLIENT_GET,
			      0, &m)) {
		fprintf(out, "%s\n", gdb_target_error(t));
		return false;
	}
	name_enum(&pmu__v1__machine_state__descriptor, (int)m->state, state);
	name_enum(&pmu__v1__stop_cause__descriptor, (int)m->cause, cause);
	fprintf(out,
		"machine %s: %s, %s\ncycle %" PRIu64 ", %" PRIu64
		" instructions of all harts, hart %u is next\n",
		m->id, state, cause, m->cycle, m->insn, m->hart);
	answer_free(m);
	return true;
}

/* One of two words, or none: which it is now is said. */
static bool choose(bool *chosen, char *word, const char *const names[2],
		   FILE *out)
{
	if (word && strcmp(word, names[0]) && strcmp(word, names[1])) {
		fprintf(out, "'%s' is not %s or %s\n", word, names[0],
			names[1]);
		return false;
	}
	if (word)
		*chosen = strcmp(word, names[1]) == 0;
	else
		fprintf(out, "%s\n", names[*chosen]);
	return true;
}

static bool physical(struct gdb_stub *s, char *word, FILE *out)
{
	static const char *const names[] = { "off", "on" };

	return choose(&s->target->physical, word, names, out);
}

static bool on_detach(struct gdb_stub *s, char *word, FILE *out)
{
	static const char *const names[] = { "run", "pause" };

	return choose(&s->stays_paused, word, names, out);
}

static bool write_console(struct gdb_stub *s, const char *text, bool eof,
			  FILE *out)
{
	Pmu__V1__WriteConsoleRequest req = PMU__V1__WRITE_CONSOLE_REQUEST__INIT;
	Pmu__V1__WriteConsoleResponse *r = NULL;
	char line[GDB_MONITOR_LINE + 1];

	snprintf(line, sizeof(line), "%s\n", text);
	req.machine = (char *)s->target->machine;
	req.data.data = (uint8_t *)line;
	req.data.len = eof ? 0 : strlen(line);
	req.eof = eof;
	if (!GDB_CALL(s->target, WriteConsole, &req, &r)) {
		fprintf(out, "%s\n", gdb_target_error(s->target));
		return false;
	}
	answer_free(r);
	return true;
}

static bool input(struct gdb_stub *s, char *word, FILE *out)
{
	return write_console(s, word ? word : "", false, out);
}

static bool eof(struct gdb_stub *s, char *word, FILE *out)
{
	return write_console(s, "", true, out);
}

static bool help(struct gdb_stub *s, char *word, FILE *out);

static const struct monitor_row {
	const char *name, *argument, *help;
	bool (*run)(struct gdb_stub *s, char *word, FILE *out);
} rows[] = {
	{ "help", "", "These commands", help },
	{ "state", "", "Why the machine stands, its clock", state },
	{ "stat", "", "Events per hart and privilege, the guest's counters",
	  stat },
	{ "overflows", "[N]", "The last overflows of counters (20)",
	  overflows },
	{ "explain", "HART:COUNTER", "Why the counter counts or not", explain },
	{ "physical", "[on|off]", "Memory by physical addresses", physical },
	{ "on-detach", "[run|pause]", "What the machine does then", on_detach },
	{ "input", "[TEXT]", "A line for the guest's console", input },
	{ "eof", "", "No more input will follow", eof },
};

static bool help(struct gdb_stub *s, char *word, FILE *out)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		fprintf(out, "%-10s%-14s%s\n", rows[i].name, rows[i].argument,
			rows[i].help);
	return true;
}

static bool run(struct gdb_stub *s, char *line, FILE *out)
{
	size_t len = strcspn(line, " ");
	char *word = line[len] ? line + len + 1 : NULL;

	line[len] = '\0';
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strcmp(rows[i].name, line) == 0)
			return rows[i].run(s, word, out);
	fprintf(out, "there is no command '%s'; try `monitor help'\n", line);
	return false;
}

/*
 * Lines that were printed, for a debugger that hands them to its terminal:
 * there are names in them that the daemon or the debugger gave.
 */
static void print_lines(struct gdb_stub *s, char *lines)
{
	char *text = NULL, *end;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	for (; (end = strchr(lines, '\n')); lines = end + 1) {
		*end = '\0';
		plain_printf(out, "%s\n", lines);
	}
	plain_put(out, lines);
	if (fclose(out) == 0)
		gdb_stub_print(s, text, size);
	free(text);
}

bool gdb_monitor(struct gdb_stub *s, char *line)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool good;

	if (!out)
		return false;
	good = run(s, line, out);
	if (fclose(out) == 0)
		print_lines(s, text);
	free(text);
	return good;
}
