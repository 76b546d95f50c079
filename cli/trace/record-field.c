/* SPDX-License-Identifier: BSD-2-Clause */
/* What a record lacks is not known: a trap has no event, a reset no process. */
#include "record-field.h"

#include <string.h>

#include "record-filter.h"
#include "text/names.h"

static struct field_value number_of(uint64_t n)
{
	return (struct field_value){ .known = true, .number = n };
}

static struct field_value text_of(const char *text)
{
	return (struct field_value){ .known = text && *text, .text = text };
}

static void get_pc(const struct record_style *style, const Pmu__V1__Record *r,
		   struct field_value *ret)
{
	*ret = number_of(record_pc(r));
}

static void get_hart(const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	*ret = number_of(r->hart);
}

static void get_cycle(const struct record_style *style,
		      const Pmu__V1__Record *r, struct field_value *ret)
{
	*ret = number_of(r->cycle);
}

static void get_insn(const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	*ret = number_of(r->insn);
}

static void get_satp(const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	*ret = number_of(r->satp);
}

static void get_cause(const struct record_style *style,
		      const Pmu__V1__Record *r, struct field_value *ret)
{
	if (r->kind_case == PMU__V1__RECORD__KIND_TRAP)
		*ret = number_of(r->trap->cause);
}

static void get_privilege(const struct record_style *style,
			  const Pmu__V1__Record *r, struct field_value *ret)
{
	*ret = text_of(name_privilege((int)r->privilege));
}

static void get_event(const struct record_style *style,
		      const Pmu__V1__Record *r, struct field_value *ret)
{
	if (r->kind_case == PMU__V1__RECORD__KIND_SAMPLE)
		*ret = text_of(r->sample->event);
	else if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW)
		*ret = text_of(r->overflow->event);
}

static void get_pid(const struct record_style *style, const Pmu__V1__Record *r,
		    struct field_value *ret)
{
	if (r->process)
		*ret = number_of(r->process->pid);
}

static void get_tid(const struct record_style *style, const Pmu__V1__Record *r,
		    struct field_value *ret)
{
	if (r->process)
		*ret = number_of(r->process->tid);
}

static void get_comm(const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	if (r->process)
		*ret = text_of(r->process->comm);
}

static void get_kind(const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	*ret = text_of(record_kind(r));
}

static void get_function(const struct record_style *style,
			 const Pmu__V1__Record *r, struct field_value *ret)
{
	struct symbol found;

	record_find(style, r, record_pc(r), &found);
	*ret = text_of(found.function);
}

static const char *privilege_at(size_t i)
{
	const int privilege = PMU__V1__PRIVILEGE__PRIVILEGE_M + (int)i;

	return privilege <= PMU__V1__PRIVILEGE__PRIVILEGE_VU
		       ? name_privilege(privilege)
		       : NULL;
}

static const struct record_field fields[] = {
	{ "pc", false, get_pc },
	{ "function", true, get_function, .needs_names = true },
	{ "hart", false, get_hart },
	{ "privilege", true, get_privilege, privilege_at,
	  "M, S, U, VS or VU is wanted" },
	{ "event", true, get_event },
	{ "cause", false, get_cause },
	{ "kind", true, get_kind, record_kind_at,
	  "a kind of records is wanted, as --kind has them," },
	{ "cycle", false, get_cycle },
	{ "insn", false, get_insn },
	{ "satp", false, get_satp },
	{ "pid", false, get_pid },
	{ "tid", false, get_tid },
	{ "comm", true, get_comm },
};

const struct record_field *record_field_find(const char *name)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strcmp(fields[i].name, name))
			return &fields[i];
	return NULL;
}
