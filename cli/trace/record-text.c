/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a record reads. Lines are of fixed columns and not a laid-out table, so
 * that a trace of any length, or one that is still growing, can be printed.
 */
#include "record-text.h"

#include <inttypes.h>
#include <string.h>

#include <fw/sbi-error.h>
#include <pmu/csr-name.h>

#include "text/json.h"
#include "text/names.h"
#include "text/plain-text.h"
#include "wanted/wanted-records.h"
#include "text/tty.h"
#include "bytes-text.h"
#include "call-memory-text.h"
#include "delivery-text.h"
#include "guest-files.h"
#include "record-csr.h"
#include "record-symbols.h"
#include "wire/record-kinds.h"

/* A trace may be anybody's, and a command may have blanks. */
static void put_process(FILE *out, const Pmu__V1__Process *p)
{
	if (!p)
		return;
	fprintf(out, " process %" PRIu32 "/%" PRIu32 " \"", p->pid, p->tid);
	plain_put(out, p->comm);
	fputc('"', out);
}

static void put_overflow(FILE *out, const struct record_style *style,
			 const Pmu__V1__Record *r)
{
	const Pmu__V1__Overflow *o = r->overflow;
	const char *on = style->color ? tty_sequence(TTY_OVERFLOW) : "";
	const char *off = style->color ? tty_sequence(TTY_RESET) : "";

	fprintf(out, "%soverflow%s counter %u ", on, off, o->counter);
	plain_put(out, *o->event ? o->event : "-");
	fprintf(out, " last %#" PRIx64 "%s", o->last_pc,
		o->raised ? " raised" : "");
	if (o->value)
		fprintf(out, " value %#" PRIx64, o->value);
	if (o->pending & ~(UINT32_C(1) << (o->counter & 31)))
		fprintf(out, " pending %#x", o->pending);
	put_process(out, r->process);
}

static void put_trap(FILE *out, const Pmu__V1__Trap *t)
{
	const char *name = name_cause(t->interrupt, t->cause);

	fprintf(out, "%s %u", t->interrupt ? "interrupt" : "trap", t->cause);
	if (name)
		fprintf(out, " (%s)", name);
	if (t->tval)
		fprintf(out, " tval %#" PRIx64, t->tval);
	if (t->target == PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED)
		fputs(" to the firmware", out);
	else
		fprintf(out, " to %s at %#" PRIx64, name_privilege(t->target),
			t->handler);
}

/* Of a call that is not known: as far as they are not zero. */
static void put_registers(FILE *out, const uint64_t *args, size_t n)
{
	while (n && !args[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%#" PRIx64, i ? ", " : "", args[i]);
}

/* The arguments that the function has, in brackets. */
static void put_args(FILE *out, const struct record_style *style,
		     const Pmu__V1__SbiCall *c)
{
	struct name_sbi_param params[NAME_SBI_PARAMS];
	int n = name_sbi_params(c->eid, c->fid, params);
	size_t at = 0;

	fputc('(', out);
	if (n < 0)
		put_registers(out, c->args, c->n_args);
	for (int i = 0; i < n && at < c->n_args; i++) {
		uint64_t value = c->args[at++];

		if (params[i].wide && style->xlen == 32 && at < c->n_args)
			value |= c->args[at++] << 32;
		fprintf(out, "%s%.*s=%#" PRIx64, i ? ", " : "", params[i].len,
			params[i].name, value);
	}
	fputc(')', out);
}

static void put_sbi(FILE *out, const struct record_style *style,
		    const Pmu__V1__SbiCall *c)
{
	char name[NAME_MAX_LEN];
	const char *error = sbi_error_name(c->error);

	fprintf(out, "sbi %s", name_sbi_call(c->eid, c->fid, name));
	put_args(out, style, c);
	if (!c->returned)
		fputs(" does not return", out);
	else if (error)
		fprintf(out, " = %s, %#" PRIx64, error, c->value);
	else
		fprintf(out, " = %" PRId64 ", %#" PRIx64, c->error, c->value);
	if (*c->reason)
		fputs(": ", out);
	plain_put(out, c->reason);
	call_memory_text(out, c);
}

/* Its arguments are a0-a7: the last two say what is called. */
static void put_sbi_input(FILE *out, const struct record_style *style,
			  const Pmu__V1__SbiInput *in)
{
	Pmu__V1__SbiCall call = PMU__V1__SBI_CALL__INIT;
	char name[NAME_MAX_LEN];

	call.fid = in->n_args > 6 ? in->args[6] : 0;
	call.eid = in->n_args > 7 ? in->args[7] : 0;
	call.args = in->args;
	call.n_args = in->n_args < 6 ? in->n_args : 6;
	fprintf(out, "input sbi %s", name_sbi_call(call.eid, call.fid, name));
	put_args(out, style, &call);
}

static void put_csr_input(FILE *out, const Pmu__V1__CsrWrite *w)
{
	const char *name = pmu_csr_number_name(w->csr);

	if (name)
		fprintf(out, "input csr %s = %#" PRIx64, name, w->value);
	else
		fprintf(out, "input csr %#x = %#" PRIx64, w->csr, w->value);
}

static void put_ebb_input(FILE *out, const Pmu__V1__EbbInput *in)
{
	char name[NAME_MAX_LEN];

	fprintf(out, "input ebb session %" PRIu32 " %s", in->session,
		name_enum(&pmu__v1__ebb_input__what__descriptor, (int)in->what,
			  name));
	if (in->counter)
		fprintf(out, " counter %" PRIu32 ", period %" PRIu64,
			in->counter, in->period);
}

static void put_inject(FILE *out, const Pmu__V1__EventInput *in)
{
	fprintf(out, "input inject %" PRIu64 " ", in->count);
	plain_put(out, in->event);
	if (in->last_pc)
		fprintf(out, " behind %#" PRIx64, in->last_pc);
}

static void put_input(FILE *out, const struct record_style *style,
		      const Pmu__V1__Input *in)
{
	switch (in->kind_case) {
	case PMU__V1__INPUT__KIND_CONSOLE:
		fputs("input console ", out);
		bytes_as_text(out, &in->console, in->console.len);
		return;
	case PMU__V1__INPUT__KIND_CSR_WRITE:
		put_csr_input(out, in->csr_write);
		return;
	case PMU__V1__INPUT__KIND_REGISTER_WRITE:
		fprintf(out, "input register %s = %#" PRIx64,
			name_register(in->register_write->number),
			in->register_write->value);
		return;
	case PMU__V1__INPUT__KIND_MEMORY_WRITE:
		fprintf(out, "input memory %#" PRIx64 ", %zu bytes%s",
			in->memory_write->address, in->memory_write->data.len,
			in->memory_write->virtual_ ? ", virtual" : "");
		return;
	case PMU__V1__INPUT__KIND_SBI_CALL:
		put_sbi_input(out, style, in->sbi_call);
		return;
	case PMU__V1__INPUT__KIND_EBB:
		put_ebb_input(out, in->ebb);
		return;
	case PMU__V1__INPUT__KIND_INJECT:
		put_inject(out, in->inject);
		return;
	case PMU__V1__INPUT__KIND__NOT_SET:
	case _PMU__V1__INPUT__KIND__CASE_IS_INT_SIZE:
		break;
	}
	fputs("input of an unknown kind", out);
}

static void put_change(FILE *out, const Pmu__V1__HartChange *c)
{
	char name[NAME_MAX_LEN];

	fprintf(out, "hart %s",
		name_enum(&pmu__v1__hart_change__what__descriptor, (int)c->what,
			  name));
	if (c->what == PMU__V1__HART_CHANGE__WHAT__WHAT_EVENT_BRANCH)
		fprintf(out, " for counters %#" PRIx32, c->counters);
}

static void put_absent(FILE *out, const Pmu__V1__Absent *a)
{
	fputs("absent ", out);
	plain_put(out, a->node);
	fprintf(out, " at %#" PRIx64 ", %#" PRIx64 " bytes", a->address,
		a->size);
}

/* As "operator new" is none. */
static void one_word(char *name)
{
	for (; *name; name++)
		if (*name == ' ')
			*name = '_';
}

/*
 * Where a call goes on, in the function that has the call: that may be its last
 * instruction, so the name is that of the address before.
 */
static void put_caller(FILE *out, const struct record_style *style,
		       const Pmu__V1__Record *r, uint64_t pc)
{
	char name[128];
	struct symbol s;

	record_find(style, r, pc - 1, &s);
	if (!s.function) {
		fprintf(out, "%#" PRIx64, pc);
		return;
	}
	snprintf(name, sizeof(name), "%s", s.function);
	one_word(name);
	for (char *comma = name; (comma = strchr(comma, ','));)
		*comma = '_'; /* which is between callers */
	plain_put(out, name);
	fprintf(out, "+%#" PRIx64, s.offset + 1);
}

static void put_sample(FILE *out, const struct record_style *style,
		       const Pmu__V1__Record *r)
{
	const Pmu__V1__Sample *s = r->sample;
	char end[NAME_MAX_LEN];

	fputs("sample ", out);
	plain_put(out, s->event);
	fprintf(out, " period %" PRIu64, s->period);
	if (s->summed)
		fputs(" summed", out);
	if (s->periods > 1)
		fprintf(out, " times %" PRIu64, s->periods);
	for (size_t i = 0; i < s->n_callers; i++) {
		fputs(i ? "," : " from ", out);
		put_caller(out, style, r, s->callers[i]);
	}
	if (s->chain_end)
		fprintf(out, " chain %s",
			name_enum(&pmu__v1__chain_end__descriptor,
				  (int)s->chain_end, end));
	put_process(out, r->process);
}

void record_what(FILE *out, const struct record_style *style,
		 const Pmu__V1__Record *r)
{
	char name[NAME_MAX_LEN];

	switch (r->kind_case) {
	case PMU__V1__RECORD__KIND_OVERFLOW:
		put_overflow(out, style, r);
		return;
	case PMU__V1__RECORD__KIND_SAMPLE:
		put_sample(out, style, r);
		return;
	case PMU__V1__RECORD__KIND_TRAP:
		put_trap(out, r->trap);
		return;
	case PMU__V1__RECORD__KIND_SBI_CALL:
		put_sbi(out, style, r->sbi_call);
		return;
	case PMU__V1__RECORD__KIND_CSR_ACCESS:
		record_csr(out, r->csr_access);
		return;
	case PMU__V1__RECORD__KIND_CONSOLE_OUTPUT:
		fputs(r->console_output->port ? "serial " : "console ", out);
		bytes_as_text(out, &r->console_output->data,
			      r->console_output->data.len);
		return;
	case PMU__V1__RECORD__KIND_INPUT:
		put_input(out, style, r->input);
		return;
	case PMU__V1__RECORD__KIND_HART_CHANGE:
		put_change(out, r->hart_change);
		return;
	case PMU__V1__RECORD__KIND_EBB_DELIVERY:
		ebb_delivery_text(out, r);
		return;
	case PMU__V1__RECORD__KIND_DELIVERY:
		delivery_text(out, r);
		return;
	case PMU__V1__RECORD__KIND_RESET:
		fprintf(out, "reset %s",
			name_enum(&pmu__v1__reset__kind__descriptor,
				  (int)r->reset->kind, name));
		return;
	case PMU__V1__RECORD__KIND_ABSENT:
		put_absent(out, r->absent);
		return;
	case PMU__V1__RECORD__KIND_STOP:
		fprintf(out, "stop %s, exit code %d",
			name_enum(&pmu__v1__stop_cause__descriptor,
				  (int)r->stop->cause, name),
			r->stop->exit_code);
		return;
	case PMU__V1__RECORD__KIND__NOT_SET:
	case _PMU__V1__RECORD__KIND__CASE_IS_INT_SIZE:
		break;
	}
	fputs("a record of an unknown kind", out);
}

const char *record_kind(const Pmu__V1__Record *r)
{
	static const char *const names[] = {
#define X(kind, flag, name) [PMU__V1__RECORD__KIND_##kind] = name,
		RECORD_KINDS(X)
#undef X
	};
	size_t kind = r->kind_case;

	return kind < sizeof(names) / sizeof(*names) && names[kind]
		       ? names[kind]
		       : "-";
}

static int digits(const struct record_style *style)
{
	return style->xlen == 32 ? 8 : 16;
}

static bool has_names(const struct record_style *style)
{
	return style->symbols || style->guests || style->users ||
	       guest_files_are_named(style->files);
}

void record_heading(FILE *out, const struct record_style *style)
{
	fprintf(out, "%12s %4s %4s %-*s ", "CYCLE", "HART", "PRIV",
		digits(style) + 2, "PC");
	if (has_names(style))
		fprintf(out, "%-22s %-18s ", "FUNCTION", "SOURCE");
	fputs("WHAT\n", out);
}

uint64_t record_pc(const Pmu__V1__Record *r)
{
	return wanted_place(r);
}

/* Unknown names are a dash: a line has the same number of words always. */
static void put_symbol(FILE *out, const struct symbol *s, bool columns)
{
	char function[128] = "-", source[128] = "-", both[264];
	char line[NAME_MAX_LEN];

	if (s->function)
		snprintf(function, sizeof(function), "%s+%#" PRIx64,
			 s->function, s->offset);
	if (s->file)
		snprintf(source, sizeof(source), "%s:%s", s->file,
			 name_line((uint32_t)s->line, line));
	one_word(function);
	snprintf(both, sizeof(both), columns ? "%-22s %-18s " : "%s %s",
		 function, source);
	plain_put(out, both);
}

/*
 * Does the next instruction stand in another function than the one that
 * overflowed? *@ret_at is the latter's, *@ret_next the former's symbol.
 */
static bool find_symbols(const struct record_style *style,
			 const Pmu__V1__Record *r, struct symbol *ret_at,
			 struct symbol *ret_next)
{
	const char *a, *b;

	record_find(style, r, record_pc(r), ret_at);
	record_find_next(style, r, ret_next);
	a = ret_at->function ? ret_at->function : "";
	b = ret_next->function ? ret_next->function : "";
	return strcmp(a, b) != 0;
}

void record_line(FILE *out, const struct record_style *style,
		 const Pmu__V1__Record *r)
{
	struct symbol at, next;
	bool elsewhere = false;

	fprintf(out, "%12" PRIu64 " %4u %4s 0x%0*" PRIx64 " ", r->cycle,
		r->hart, name_privilege((int)r->privilege), digits(style),
		r->pc);
	if (has_names(style)) {
		elsewhere = find_symbols(style, r, &at, &next);
		put_symbol(out, &at, true);
	}
	record_what(out, style, r);
	if (elsewhere) {
		fputs(" next ", out);
		put_symbol(out, &next, false);
	}
	fputc('\n', out);
}

static void add_symbol(json_t **object, const struct symbol *s)
{
	if (s->function) {
		json_add(object, "function", json_text(s->function));
		json_add(object, "offset", json_decimal(s->offset));
	}
	if (s->file)
		json_add(object, "file", json_text(s->file));
	if (s->file && s->line)
		json_add(object, "line", json_integer(s->line));
}

int record_json(FILE *out, const struct record_style *style,
		const Pmu__V1__Record *r)
{
	json_t *object = json_message(&r->base);
	struct symbol at, next;
	json_t *other;

	if (find_symbols(style, r, &at, &next)) {
		other = json_object();
		add_symbol(&other, &next);
		json_add(&object, "next", other);
	}
	add_symbol(&object, &at);
	return json_put(out, object, JSON_COMPACT);
}
