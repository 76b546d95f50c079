/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first accesses of a call, each with its first bytes; of the others how
 * many there are. What goes to the console is text, all else hexadecimal, in
 * the order of addresses.
 */
#include "call-memory-text.h"

#include <inttypes.h>
#include <stdbool.h>

#include <fw/sbi-name.h>

#include "bytes-text.h"

enum {
	ACCESSES_SHOWN = 8
};

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void put_access(FILE *out, const Pmu__V1__SbiMemory *m, bool text)
{
	fprintf(out, "; %s %" PRIu64 " byte%s at %#" PRIx64,
		m->written ? "wrote" : "read", m->length, plural(m->length),
		m->address);
	if (!m->data.len)
		return;
	fputs(": ", out);
	if (text)
		bytes_as_text(out, &m->data, m->length);
	else
		bytes_as_hex(out, &m->data, m->length);
}

void call_memory_text(FILE *out, const Pmu__V1__SbiCall *c)
{
	uint64_t more = c->more_accesses;
	uint64_t bytes = c->more_read + c->more_written;

	for (size_t i = 0; i < c->n_memory; i++) {
		if (i < ACCESSES_SHOWN) {
			put_access(out, c->memory[i], c->eid == SBI_EID_DBCN);
			continue;
		}
		more++;
		bytes += c->memory[i]->length;
	}
	if (more)
		fprintf(out, "; %" PRIu64 " more access%s, %" PRIu64 " byte%s",
			more, more == 1 ? "" : "es", bytes, plural(bytes));
}
