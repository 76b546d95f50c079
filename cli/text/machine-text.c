/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How machines, totals and counters are laid out. Values of counters are
 * hexadecimal, because one that is to overflow soon is best read so.
 */
#include "machine-text.h"

#include <inttypes.h>
#include <string.h>

#include "exit-codes.h"
#include "json.h"
#include "names.h"
#include "plain-text.h"
#include "table.h"

static const char *detail_of(const Pmu__V1__MachineInfo *m)
{
	if (*m->held)
		return m->held;
	return *m->detail || !m->n_notes ? m->detail : m->notes[0];
}

int machine_text_list(Pmu__V1__MachineInfo *const *machines, size_t n,
		      const char *harts, FILE *out)
{
	static const struct column columns[] = {
		{ "MACHINE", COLUMN_TEXT }, { "STATE", COLUMN_TEXT },
		{ "CAUSE", COLUMN_TEXT },   { "CODE", COLUMN_NUMBER },
		{ "HARTS", COLUMN_NUMBER }, { "INSNS", COLUMN_WIDE },
		{ "CYCLE", COLUMN_WIDE },   { "LEASE", COLUMN_TEXT },
		{ "DETAIL", COLUMN_LAST },
	};
	struct table *t = table_new("machines", columns, 9, false);
	char name[NAME_MAX_LEN];

	for (size_t i = 0; i < n; i++) {
		const Pmu__V1__MachineInfo *m = machines[i];

		table_row(t);
		table_cell(t, "%s", m->id);
		table_cell(t, "%s",
			   name_enum(&pmu__v1__machine_state__descriptor,
				     (int)m->state, name));
		table_cell(t, "%s",
			   name_enum(&pmu__v1__stop_cause__descriptor,
				     (int)m->cause, name));
		table_cell(t, "%d", m->exit_code);
		if (m->config && m->config->harts)
			table_cell(t, "%u", m->config->harts);
		else
			table_cell(t, "%s", harts);
		table_cell(t, "%" PRIu64, m->insn);
		table_cell(t, "%" PRIu64, m->cycle);
		table_cell(t, "%s", m->detached ? "detached" : "connection");
		table_cell(t, "%s", detail_of(m));
	}
	return table_print(t, out);
}

static int engine_piece(const Pmu__V1__EnginePiece *p, FILE *out)
{
	if (!p->on)
		plain_printf(out, "engine: %s: off: %s\n", p->name, p->why_off);
	else if (!p->all)
		plain_printf(out, "engine: %s: on, no %s yet\n", p->name,
			     p->unit);
	else
		plain_printf(out, "engine: %s: on, %.2f%% of %" PRIu64 " %s\n",
			     p->name, 100.0 * (double)p->taken / (double)p->all,
			     p->all, p->unit);
	return ferror(out) ? -1 : 0;
}

/* Where all are stepped, that is why the pieces are off. */
static int stepped_harts(const Pmu__V1__MachineInfo *m, FILE *out)
{
	size_t n = m->n_stepped_harts;
	int rc;

	if (!n || !m->config || n >= m->config->harts)
		return 0;
	rc = fprintf(out, "engine: hart%s", n > 1 ? "s" : "");
	for (size_t i = 0; i < n && rc >= 0; i++)
		rc = fprintf(out, "%s%" PRIu32, i ? ", " : " ",
			     m->stepped_harts[i]);
	if (rc >= 0)
		rc = fprintf(out, ": instructions are stepped, as models are "
				  "fed\n");
	return rc;
}

int machine_text_engine(const Pmu__V1__MachineInfo *m, FILE *out)
{
	int n = m->n_engine ? fputc('\n', out) : 0;

	for (size_t i = 0; i < m->n_engine && n >= 0; i++)
		n = engine_piece(m->engine[i], out);
	if (n >= 0)
		n = stepped_harts(m, out);
	if (n >= 0 && m->code_emptied)
		n = fprintf(out,
			    "engine: translated code: emptied %" PRIu64
			    " time%s\n",
			    m->code_emptied, m->code_emptied == 1 ? "" : "s");
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static bool rotates(const Pmu__V1__Recording *r)
{
	return r->when_full == PMU__V1__WHEN_FULL__WHEN_FULL_ROTATE;
}

static bool ends(const Pmu__V1__Recording *r)
{
	return r->when_full ? r->when_full == PMU__V1__WHEN_FULL__WHEN_FULL_END
			    : r->end_when_full;
}

const char *machine_text_when_full(const Pmu__V1__Recording *r)
{
	if (ends(r))
		return "end";
	return rotates(r) ? "rotate" : "hold";
}

/*
 * Kinds that are recorded if asked for: those that are, or are not, the first
 * behind @lead.
 */
static int put_optional(const Pmu__V1__Recording *r, bool recorded,
			const char *lead, FILE *out)
{
	const struct {
		const char *name;
		bool on;
	} kinds[] = {
		{ "trap", r && r->traps },
		{ "sbi", r && r->sbi_calls },
		{ "csr", r && r->csr_accesses },
		{ "delivery", r && r->deliveries },
	};
	int n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && n >= 0; i++) {
		if (kinds[i].on != recorded)
			continue;
		n = fprintf(out, "%s%s", lead, kinds[i].name);
		lead = ", ";
	}
	return n;
}

int machine_text_recording(const Pmu__V1__MachineInfo *m, FILE *out)
{
	const Pmu__V1__Recording *r = m->recording;
	int n;

	n = fputs("\nrecords: overflow, console, input, hart, stop", out);
	if (n >= 0)
		n = put_optional(r, true, ", ", out);
	if (n >= 0)
		n = put_optional(r, false, "\nnot recorded: ", out);
	if (n >= 0)
		n = fputs("\n", out);
	if (n >= 0 && r && r->sbi_memory)
		n = fprintf(out, "SBI calls: with the guest memory that they "
				 "read and wrote\n");
	if (n >= 0 && r && r->processes)
		n = fprintf(out, "overflows and samples: with the process of "
				 "Linux\n");
	if (n >= 0 && r && ends(r))
		n = fprintf(out,
			    "when records cannot be stored: it is ended\n");
	if (n >= 0 && r && rotates(r))
		n = fprintf(out, "when records cannot be stored: the oldest go "
				 "but for inputs\n");
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

enum {
	N_MODES = 6 /* of the enum Privilege */
};

/* One event of one hart. */
struct event_line {
	uint32_t hart;
	const char *event;
	uint64_t by_mode[N_MODES], all;
	bool firmware;
};

/* Takes the totals of one event from @i on. Returns the index after it. */
static size_t take_line(const Pmu__V1__ReadTotalsResponse *r, size_t i,
			struct event_line *ret)
{
	const Pmu__V1__Total *first = r->totals[i];

	memset(ret, 0, sizeof(*ret));
	ret->hart = first->hart;
	ret->event = first->event;
	for (; i < r->n_totals; i++) {
		const Pmu__V1__Total *t = r->totals[i];
		unsigned mode = (unsigned)t->privilege;

		if (t->hart != ret->hart || strcmp(t->event, ret->event) != 0)
			break;
		ret->all += t->value;
		if (mode < N_MODES)
			ret->by_mode[mode] += t->value;
		ret->firmware |= mode == 0;
	}
	return i;
}

/* Of @event on @hart, in all modes. */
static uint64_t total_of(const Pmu__V1__ReadTotalsResponse *r, uint32_t hart,
			 const char *event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->n_totals; i++) {
		if (r->totals[i]->hart == hart &&
		    strcmp(r->totals[i]->event, event) == 0)
			sum += r->totals[i]->value;
	}
	return sum;
}

/* What perf stat says beside a number. */
static void note_cell(struct table *t, const Pmu__V1__ReadTotalsResponse *r,
		      const struct event_line *line)
{
	uint64_t cycles = total_of(r, line->hart, "cycles");
	uint64_t insns = total_of(r, line->hart, "instructions");

	if (strcmp(line->event, "instructions") == 0 && cycles)
		table_cell(t, "%.3f per cycle",
			   (double)line->all / (double)cycles);
	else if (!line->firmware && strcmp(line->event, "cycles") != 0 &&
		 insns && line->all)
		table_cell(t, "%.3f%% of instructions",
			   100.0 * (double)line->all / (double)insns);
	else
		table_cell(t, "%s", "");
}

static void totals_row(struct table *t, const Pmu__V1__ReadTotalsResponse *r,
		       const struct event_line *line, bool virtual)
{
	unsigned last = virtual ? PMU__V1__PRIVILEGE__PRIVILEGE_VU
				: PMU__V1__PRIVILEGE__PRIVILEGE_U;

	table_row(t);
	table_cell(t, "%u", line->hart);
	table_cell(t, "%s", line->event);
	table_cell(t, "%" PRIu64, line->all);
	for (unsigned m = PMU__V1__PRIVILEGE__PRIVILEGE_M; m <= last; m++) {
		if (line->firmware)
			table_cell(t, "%s", "");
		else
			table_cell(t, "%" PRIu64, line->by_mode[m]);
	}
	note_cell(t, r, line);
}

static struct table *totals_table(const Pmu__V1__ReadTotalsResponse *r)
{
	static const struct column plain[] = {
		{ "HART", COLUMN_NUMBER }, { "EVENT", COLUMN_TEXT },
		{ "TOTAL", COLUMN_WIDE },  { "M", COLUMN_WIDE },
		{ "S", COLUMN_WIDE },	   { "U", COLUMN_WIDE },
		{ "", COLUMN_LAST },
	};
	static const struct column with_virtual[] = {
		{ "HART", COLUMN_NUMBER }, { "EVENT", COLUMN_TEXT },
		{ "TOTAL", COLUMN_WIDE },  { "M", COLUMN_WIDE },
		{ "S", COLUMN_WIDE },	   { "U", COLUMN_WIDE },
		{ "VS", COLUMN_WIDE },	   { "VU", COLUMN_WIDE },
		{ "", COLUMN_LAST },
	};
	bool virtual = false;
	struct table *t;
	struct event_line line;

	for (size_t i = 0; i < r->n_totals; i++)
		virtual |= r->totals[i]->privilege >
				   PMU__V1__PRIVILEGE__PRIVILEGE_U &&
			   r->totals[i]->value;
	t = virtual ? table_new("totals", with_virtual, 9, false)
		    : table_new("totals", plain, 7, false);
	for (size_t i = 0; i < r->n_totals;) {
		i = take_line(r, i, &line);
		if (!line.firmware || line.all)
			totals_row(t, r, &line, virtual);
	}
	return t;
}

static const char *state_of(const Pmu__V1__Counter *c)
{
	if (c->mapped)
		return c->started ? "started" : "stopped";
	return c->inhibited ? "inhibited" : "counting";
}

static struct table *counters_table(const Pmu__V1__ListCountersResponse *r)
{
	static const struct column columns[] = {
		{ "HART", COLUMN_NUMBER }, { "COUNTER", COLUMN_NUMBER },
		{ "VALUE", COLUMN_WIDE },  { "EVENT", COLUMN_TEXT },
		{ "STATE", COLUMN_TEXT },  { "OF", COLUMN_TEXT },
		{ "CONFIG", COLUMN_WIDE },
	};
	struct table *t = table_new("counters", columns, 7, false);

	for (size_t i = 0; i < r->n_counters; i++) {
		const Pmu__V1__Counter *c = r->counters[i];

		if (!*c->event && !c->mapped && !c->value)
			continue;
		table_row(t);
		table_cell(t, "%u", c->hart);
		table_cell(t, "%u", c->index);
		table_cell(t, "%#" PRIx64, c->value);
		table_cell(t, "%s", *c->event ? c->event : "-");
		table_cell(t, "%s", state_of(c));
		table_cell(t, "%s", c->overflow ? "OF" : "-");
		if (c->overflow)
			table_mark_overflow(t);
		table_cell(t, "%#" PRIx64, c->config);
	}
	return t;
}

static int stat_json(const Pmu__V1__ReadTotalsResponse *totals,
		     const Pmu__V1__ListCountersResponse *counters, FILE *out)
{
	json_t *all = json_message(&totals->base);

	json_add_all(&all, json_message(&counters->base));
	return json_put(out, all, JSON_INDENT(2));
}

int machine_text_stat(const Pmu__V1__ReadTotalsResponse *totals,
		      const Pmu__V1__ListCountersResponse *counters, bool json,
		      FILE *out)
{
	struct table *tables[2];

	if (json)
		return stat_json(totals, counters, out);
	fprintf(out, "cycle %" PRIu64 ", time %" PRIu64 "\n\n", totals->cycle,
		totals->time);
	tables[0] = totals_table(totals);
	tables[1] = counters_table(counters);
	return tables_print(tables, 2, out);
}
