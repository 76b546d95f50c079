/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "csr NAME read OLD", "csr NAME OLD -> NEW" and, if both, "csr NAME read OLD
 * -> NEW"; or what was asked for and why it was refused. Behind NAME stands in
 * brackets what the access gets at, if that is another CSR.
 */
#include "record-csr.h"

#include <inttypes.h>

#include <pmu/csr-name.h>

static void put_name(FILE *out, uint32_t number)
{
	const char *name = pmu_csr_number_name(number);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%#" PRIx32, number);
}

/* " (vsip)", " (0x43: mhpmcounter3)", " (0x30)" */
static void put_reached(FILE *out, const Pmu__V1__CsrAccess *a)
{
	if (!a->selects && !a->reached)
		return;
	fputs(" (", out);
	if (a->selects)
		fprintf(out, "%#" PRIx32, a->select);
	if (a->selects && a->reached)
		fputs(": ", out);
	if (a->reached)
		put_name(out, a->reached);
	fputc(')', out);
}

static void put_refusal(FILE *out, const Pmu__V1__CsrAccess *a)
{
	switch (a->refusal) {
	case PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_ABSENT:
		fputs("absent", out);
		return;
	case PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_PRIVILEGE:
		fputs("privilege", out);
		return;
	case PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_READ_ONLY:
		fputs("read-only", out);
		return;
	case PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_CLOSED:
		fputs("closed by ", out);
		put_name(out, a->closed_by);
		return;
	case PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_UNSPECIFIED:
	case _PMU__V1__CSR_ACCESS__REFUSAL_IS_INT_SIZE:
		break;
	}
	fprintf(out, "%d", (int)a->refusal);
}

static void put_values(FILE *out, const Pmu__V1__CsrAccess *a)
{
	fprintf(out, "%s %#" PRIx64, a->read ? " read" : "", a->old_value);
	if (a->written)
		fprintf(out, " -> %#" PRIx64, a->new_value);
}

void record_csr(FILE *out, const Pmu__V1__CsrAccess *a)
{
	fputs("csr ", out);
	put_name(out, a->csr);
	put_reached(out, a);
	if (!a->refusal) {
		put_values(out, a);
		return;
	}
	fprintf(out, "%s%s refused: ", a->read ? " read" : "",
		a->written ? " write" : "");
	put_refusal(out, a);
	if (a->virtual_instruction)
		fputs(", virtual instruction", out);
}
