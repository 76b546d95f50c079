/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The least parts of perf.data. A chain is of one mode, as chains of samples
 * are, and says first which: what perf looks its addresses up in. A caller's
 * address is within its call, as perf has those that it unwinds itself: where
 * the caller goes on may be the next function already.
 */
#include "export-perf-bytes.h"

#include <string.h>

#include "export-text.h"
#include "trace/record-text.h"

/* Of the kernel's interface: no addresses, but whose those are that follow. */
#define CONTEXT_KERNEL UINT64_C(-128)
#define CONTEXT_USER   UINT64_C(-512)
#define CONTEXT_FIRST  UINT64_C(-4095) /* of all of this kind */

void export_perf_put(FILE *out, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		putc((int)(value >> 8 * i & 0xff), out);
}

size_t export_perf_padded(const char *text)
{
	return (strlen(text) + 8) / 8 * 8;
}

void export_perf_text(FILE *out, const char *text)
{
	export_plain(out, text, "");
	export_perf_put(out, 0, export_perf_padded(text) - strlen(text));
}

void export_perf_record(FILE *out, unsigned type, unsigned misc, size_t size)
{
	export_perf_put(out, type, 4);
	export_perf_put(out, misc, 2);
	export_perf_put(out, size, 2);
}

void export_perf_id(FILE *out, uint64_t pid, uint64_t tid, uint64_t ns)
{
	export_perf_put(out, pid, 4);
	export_perf_put(out, tid, 4);
	export_perf_put(out, ns, 8);
	export_perf_put(out, 0, 8); /* cpu */
	export_perf_put(out, 1, 8); /* the first event's id */
}

bool export_perf_has_chain(const Pmu__V1__Record *r)
{
	return r->kind_case == PMU__V1__RECORD__KIND_SAMPLE &&
	       (r->sample->n_callers || r->sample->chain_end);
}

/* What perf would take for a context, and damns the chain for, ends it. */
size_t export_perf_chain(const Pmu__V1__Record *r,
			 uint64_t ret[EXPORT_PERF_CHAIN])
{
	size_t callers = export_perf_has_chain(r) ? r->sample->n_callers : 0;
	uint64_t at = record_pc(r);

	for (size_t n = 0;; n++) {
		if (n == EXPORT_PERF_CHAIN || at >= CONTEXT_FIRST)
			return n;
		ret[n] = at;
		if (n == callers)
			return n + 1;
		at = r->sample->callers[n] - 1;
	}
}

size_t export_perf_chain_size(size_t n)
{
	return 8 * (n + 2);
}

void export_perf_put_chain(FILE *out, bool kernel, const uint64_t *chain,
			   size_t n)
{
	export_perf_put(out, n + 1, 8);
	export_perf_put(out, kernel ? CONTEXT_KERNEL : CONTEXT_USER, 8);
	for (size_t i = 0; i < n; i++)
		export_perf_put(out, chain[i], 8);
}
