/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A field of one kind of records is one row: its word, the kind and the part of
 * the kind's message. Several kinds may have rows of one word, one behind the
 * other. What a record lacks is not known: a trap has no event, a reset no
 * process.
 */
#include "record-field.h"

#include <string.h>

#include <fw/sbi-error.h>
#include <fw/sbi-name.h>
#include <pmu/csr-name.h>
#include <pmu/csr-number.h>

#include "record-filter.h"
#include "record-symbols.h"

static struct field_value number_of(uint64_t n)
{
	return (struct field_value){ .known = true, .number = n };
}

static void set_text(struct field_value *ret, const char *text)
{
	ret->known = text && *text;
	ret->text = text;
}

static void get_pc(const struct record_field *f,
		   const struct record_style *style, const Pmu__V1__Record *r,
		   struct field_value *ret)
{
	*ret = number_of(record_pc(r));
}

static void get_hart(const struct record_field *f,
		     const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	*ret = number_of(r->hart);
}

static void get_cycle(const struct record_field *f,
		      const struct record_style *style,
		      const Pmu__V1__Record *r, struct field_value *ret)
{
	*ret = number_of(r->cycle);
}

static void get_insn(const struct record_field *f,
		     const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	*ret = number_of(r->insn);
}

static void get_satp(const struct record_field *f,
		     const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	*ret = number_of(r->satp);
}

static void get_privilege(const struct record_field *f,
			  const struct record_style *style,
			  const Pmu__V1__Record *r, struct field_value *ret)
{
	set_text(ret, name_privilege((int)r->privilege));
}

static void get_pid(const struct record_field *f,
		    const struct record_style *style, const Pmu__V1__Record *r,
		    struct field_value *ret)
{
	if (r->process)
		*ret = number_of(r->process->pid);
}

static void get_tid(const struct record_field *f,
		    const struct record_style *style, const Pmu__V1__Record *r,
		    struct field_value *ret)
{
	if (r->process)
		*ret = number_of(r->process->tid);
}

static void get_comm(const struct record_field *f,
		     const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	if (r->process)
		set_text(ret, r->process->comm);
}

static void get_kind(const struct record_field *f,
		     const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	set_text(ret, record_kind(r));
}

static void get_function(const struct record_field *f,
			 const struct record_style *style,
			 const Pmu__V1__Record *r, struct field_value *ret)
{
	struct symbol found;

	record_find_in_file(style, r, record_pc(r), &found);
	set_text(ret, found.function);
}

/* Only of calls that have a name. */
static void get_call(const struct record_field *f,
		     const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	const struct sbi_name *name =
		sbi_name_find(r->sbi_call->eid, r->sbi_call->fid);

	set_text(ret, name ? name->name : NULL);
}

/* Of a call that did not return there is no answer. */
static void get_error(const struct record_field *f,
		      const struct record_style *style,
		      const Pmu__V1__Record *r, struct field_value *ret)
{
	if (r->sbi_call->returned)
		set_text(ret, sbi_error_name(r->sbi_call->error));
}

/* Of a call that says what memory was accessed: how much, of @written. */
static void get_memory(const Pmu__V1__SbiCall *c, bool written,
		       struct field_value *ret)
{
	if (!c->n_memory)
		return;
	*ret = number_of(written ? c->more_written : c->more_read);
	for (size_t i = 0; i < c->n_memory; i++)
		if (!c->memory[i]->written == !written)
			ret->number += c->memory[i]->length;
}

static void get_memory_read(const struct record_field *f,
			    const struct record_style *style,
			    const Pmu__V1__Record *r, struct field_value *ret)
{
	get_memory(r->sbi_call, false, ret);
}

static void get_memory_written(const struct record_field *f,
			       const struct record_style *style,
			       const Pmu__V1__Record *r,
			       struct field_value *ret)
{
	get_memory(r->sbi_call, true, ret);
}

/* What was not read, or not written, has no value. */
static void get_old_value(const struct record_field *f,
			  const struct record_style *style,
			  const Pmu__V1__Record *r, struct field_value *ret)
{
	if (!r->csr_access->refusal)
		*ret = number_of(r->csr_access->old_value);
}

static void get_new_value(const struct record_field *f,
			  const struct record_style *style,
			  const Pmu__V1__Record *r, struct field_value *ret)
{
	if (!r->csr_access->refusal && r->csr_access->written)
		*ret = number_of(r->csr_access->new_value);
}

static void get_select(const struct record_field *f,
		       const struct record_style *style,
		       const Pmu__V1__Record *r, struct field_value *ret)
{
	if (r->csr_access->selects)
		*ret = number_of(r->csr_access->select);
}

static void get_sse(const struct record_field *f,
		    const struct record_style *style, const Pmu__V1__Record *r,
		    struct field_value *ret)
{
	if (r->delivery->way == PMU__V1__DELIVERY__WAY__WAY_SSE)
		*ret = number_of(r->delivery->event);
}

static uint64_t number_in(const char *at, enum field_part part)
{
	switch (part) {
	case FIELD_PART_U32:
		return *(const uint32_t *)(const void *)at;
	case FIELD_PART_U64:
		return *(const uint64_t *)(const void *)at;
	case FIELD_PART_BOOL:
		return *(const protobuf_c_boolean *)(const void *)at != 0;
	case FIELD_PART_TEXT:
	case FIELD_PART_NONE:
		break;
	}
	return 0;
}

/* What the row says of the message of the record's kind. */
static void get_part(const struct record_field *f,
		     const struct record_style *style, const Pmu__V1__Record *r,
		     struct field_value *ret)
{
	/* all members of the union are pointers to messages */
	const char *at = (const char *)r->overflow + f->offset;

	if (f->part == FIELD_PART_TEXT)
		set_text(ret, *(char *const *)(const void *)at);
	else if (f->text)
		set_text(ret, f->text(number_in(at, f->part), ret->room));
	else
		*ret = number_of(number_in(at, f->part));
}

static const char *privilege_at(size_t i)
{
	const int privilege = PMU__V1__PRIVILEGE__PRIVILEGE_M + (int)i;

	return privilege <= PMU__V1__PRIVILEGE__PRIVILEGE_VU
		       ? name_privilege(privilege)
		       : NULL;
}

static const char *call_at(size_t i)
{
	const struct sbi_name *name = sbi_name_at(i);

	return name ? name->name : NULL;
}

static const char *error_at(size_t i)
{
	return sbi_error_name(-(int64_t)i);
}

/* The @i-th of those that have a name. */
static const char *csr_at(size_t i)
{
	for (unsigned number = 0; number < PMU_N_CSRS; number++) {
		const char *name = pmu_csr_number_name(number);

		if (name && i-- == 0)
			return name;
	}
	return NULL;
}

static const char *refusal_at(size_t i)
{
	static const char *const names[] = { "absent", "privilege", "read-only",
					     "closed", NULL };

	return names[i];
}

static const char *way_at(size_t i)
{
	static const char *const names[] = { "lcofi", "sse", "ebb", NULL };

	return names[i];
}

/* "-": of a trap that the firmware handles. */
static const char *text_target(uint64_t value, char room[NAME_MAX_LEN])
{
	return value ? name_privilege((int)value) : NULL;
}

static const char *text_change(uint64_t value, char room[NAME_MAX_LEN])
{
	return name_enum(&pmu__v1__hart_change__what__descriptor, (int)value,
			 room);
}

static const char *text_csr(uint64_t value, char room[NAME_MAX_LEN])
{
	return pmu_csr_number_name((unsigned)value);
}

/* "-": of an access that was made. */
static const char *text_refusal(uint64_t value, char room[NAME_MAX_LEN])
{
	return name_enum(&pmu__v1__csr_access__refusal__descriptor, (int)value,
			 room);
}

static const char *text_way(uint64_t value, char room[NAME_MAX_LEN])
{
	return name_enum(&pmu__v1__delivery__way__descriptor, (int)value, room);
}

#define OF(kind) .kinds = 1u << PMU__V1__RECORD__KIND_##kind
/* A part of the kind's message, a number unless it is a string. */
#define PART(type, member)                                                     \
	.get = get_part, .offset = offsetof(type, member),                     \
	.part = _Generic(((type *)0)->member,                                  \
			 uint32_t: FIELD_PART_U32,                             \
			 uint64_t: FIELD_PART_U64,                             \
			 protobuf_c_boolean: FIELD_PART_BOOL,                  \
			 char *: FIELD_PART_TEXT)
#define TEXT .is_text = true
#define WANTED_PRIVILEGE                                                       \
	.name_at = privilege_at, .wanted = "M, S, U, VS or VU is wanted"
#define CSR(member)                                                            \
	TEXT, OF(CSR_ACCESS), PART(Pmu__V1__CsrAccess, member),                \
		.text = text_csr, .name_at = csr_at,                           \
		.wanted = "a CSR is wanted, as scountovf,"

static const struct record_field fields[] = {
	/* of all kinds */
	{ "pc", .get = get_pc },
	{ "function", TEXT, .get = get_function, .needs_names = true },
	{ "hart", .get = get_hart, .by_kind_and_hart = true },
	{ "privilege", TEXT, .get = get_privilege, WANTED_PRIVILEGE },
	{ "kind", TEXT, .get = get_kind, .by_kind_and_hart = true,
	  .name_at = record_kind_at,
	  .wanted = "a kind of records is wanted, as --kind has them," },
	{ "cycle", .get = get_cycle },
	{ "insn", .get = get_insn },
	{ "satp", .get = get_satp },
	{ "pid", .get = get_pid },
	{ "tid", .get = get_tid },
	{ "comm", TEXT, .get = get_comm },
	/* of some: those of one word stand together */
	{ "event", TEXT, OF(OVERFLOW), PART(Pmu__V1__Overflow, event) },
	{ "event", TEXT, OF(SAMPLE), PART(Pmu__V1__Sample, event) },
	{ "counter", OF(OVERFLOW), PART(Pmu__V1__Overflow, counter) },
	{ "period", OF(SAMPLE), PART(Pmu__V1__Sample, period) },
	{ "cause", OF(TRAP), PART(Pmu__V1__Trap, cause) },
	{ "interrupt", OF(TRAP), PART(Pmu__V1__Trap, interrupt) },
	{ "tval", OF(TRAP), PART(Pmu__V1__Trap, tval) },
	{ "target", TEXT, OF(TRAP), PART(Pmu__V1__Trap, target),
	  .text = text_target, WANTED_PRIVILEGE },
	{ "target", TEXT, OF(DELIVERY), PART(Pmu__V1__Delivery, target),
	  .text = text_target, WANTED_PRIVILEGE },
	{ "handler", OF(TRAP), PART(Pmu__V1__Trap, handler) },
	{ "handler", OF(DELIVERY), PART(Pmu__V1__Delivery, handler) },
	{ "call", TEXT, OF(SBI_CALL), .get = get_call, .name_at = call_at,
	  .wanted = "an SBI call is wanted, as PMU.counter_start," },
	{ "eid", OF(SBI_CALL), PART(Pmu__V1__SbiCall, eid) },
	{ "fid", OF(SBI_CALL), PART(Pmu__V1__SbiCall, fid) },
	{ "error", TEXT, OF(SBI_CALL), .get = get_error, .name_at = error_at,
	  .wanted = "an SBI error is wanted, as INVALID_PARAM or SUCCESS," },
	{ "memory_read", OF(SBI_CALL), .get = get_memory_read },
	{ "memory_written", OF(SBI_CALL), .get = get_memory_written },
	{ "csr", CSR(csr) },
	{ "reached", CSR(reached) },
	{ "closed_by", CSR(closed_by) },
	{ "read", OF(CSR_ACCESS), PART(Pmu__V1__CsrAccess, read) },
	{ "written", OF(CSR_ACCESS), PART(Pmu__V1__CsrAccess, written) },
	{ "refusal", TEXT, OF(CSR_ACCESS), PART(Pmu__V1__CsrAccess, refusal),
	  .text = text_refusal, .name_at = refusal_at,
	  .wanted = "absent, privilege, read-only or closed is wanted" },
	{ "old_value", OF(CSR_ACCESS), .get = get_old_value },
	{ "new_value", OF(CSR_ACCESS), .get = get_new_value },
	{ "select", OF(CSR_ACCESS), .get = get_select },
	{ "way", TEXT, OF(DELIVERY), PART(Pmu__V1__Delivery, way),
	  .text = text_way, .name_at = way_at,
	  .wanted = "lcofi, sse or ebb is wanted" },
	{ "counters", OF(DELIVERY), PART(Pmu__V1__Delivery, counters) },
	{ "held", OF(DELIVERY), PART(Pmu__V1__Delivery, held) },
	{ "sse", OF(DELIVERY), .get = get_sse },
	{ "change", TEXT, OF(HART_CHANGE), PART(Pmu__V1__HartChange, what),
	  .text = text_change },
	{ "session", OF(EBB_DELIVERY), PART(Pmu__V1__EbbDelivery, session) },
};

enum {
	N_FIELDS = sizeof(fields) / sizeof(*fields)
};

/* The row behind @f if it has the same word. */
static const struct record_field *next_of(const struct record_field *f)
{
	const struct record_field *next = f + 1;

	return next < fields + N_FIELDS && !strcmp(next->name, f->name) ? next
									: NULL;
}

const struct record_field *record_field_find(const char *name)
{
	for (size_t i = 0; i < N_FIELDS; i++)
		if (!strcmp(fields[i].name, name))
			return &fields[i];
	return NULL;
}

const char *record_field_at(size_t i)
{
	for (const struct record_field *f = fields; f < fields + N_FIELDS; f++)
		if (!next_of(f) && i-- == 0)
			return f->name;
	return NULL;
}

/* The row of @f's word for records of @kind; NULL: they lack it. */
static const struct record_field *row_of(const struct record_field *f,
					 unsigned kind)
{
	while (f && f->kinds && !(f->kinds >> kind & 1))
		f = next_of(f);
	return f;
}

bool record_field_is_of(const struct record_field *f, unsigned kind)
{
	return row_of(f, kind) != NULL;
}

void record_field_get(const struct record_field *f,
		      const struct record_style *style,
		      const Pmu__V1__Record *r, struct field_value *ret)
{
	const struct record_field *row = row_of(f, r->kind_case);

	ret->known = false;
	if (row)
		row->get(row, style, r, ret);
}
