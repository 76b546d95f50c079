/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which file names an address: that of the user's program, else that of the
 * mode. A hypervisor's file says nothing of its guest.
 */
#include "record-symbols.h"

#include "demangle.h"
#include "guest-files.h"
#include "text/names.h"
#include "text/report.h"
#include "user-symbols.h"

/* Whoever gave a file wonders why names are missing: it is said once. */
static void note_guest(const struct record_style *style)
{
	static const struct symbols *noted; /* once of a file */

	if (!style->symbols || style->guests || noted == style->symbols)
		return;
	noted = style->symbols;
	report_note("what ran in VS and VU has no names: --symbols is not of "
		    "it, --guest-symbols=FILE is");
}

static struct symbols *file_of(const struct record_style *style,
			       Pmu__V1__Privilege privilege)
{
	if (!privilege_is_guest((int)privilege))
		return style->symbols;
	note_guest(style);
	return style->guests;
}

struct symbols *record_symbols(const struct record_style *style,
			       const Pmu__V1__Record *r)
{
	return file_of(style, r->privilege);
}

void record_find_in_file(const struct record_style *style,
			 const Pmu__V1__Record *r, uint64_t pc,
			 struct symbol *ret)
{
	if (!user_symbols_find(style->users, r, pc, ret) &&
	    !guest_files_name(style->files, r, pc, ret))
		symbols_find(record_symbols(style, r), pc, ret);
}

void record_find(const struct record_style *style, const Pmu__V1__Record *r,
		 uint64_t pc, struct symbol *ret)
{
	record_find_in_file(style, r, pc, ret);
	ret->function = demangle(ret->function);
}

/* UNSPECIFIED: on the same side of V as the record's privilege. */
static Pmu__V1__Privilege next_privilege(const Pmu__V1__Record *r)
{
	if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW)
		return r->overflow->next_privilege;
	if (r->kind_case == PMU__V1__RECORD__KIND_SAMPLE)
		return r->sample->next_privilege;
	return PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED;
}

void record_find_next(const struct record_style *style,
		      const Pmu__V1__Record *r, struct symbol *ret)
{
	Pmu__V1__Privilege next = next_privilege(r);

	if (next == PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED) {
		record_find(style, r, r->pc, ret);
		return;
	}
	/* the record's user and address space are of the other side */
	symbols_find(file_of(style, next), r->pc, ret);
	ret->function = demangle(ret->function);
}
