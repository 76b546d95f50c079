/* SPDX-License-Identifier: BSD-2-Clause */
/* Three questions to the daemon, of which each may have no answer. */
#include "place.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "pmud.h"
#include "trace/demangle.h"
#include "trace/disasm.h"
#include "trace/guest-files.h"
#include "text/names.h"
#include "text/plain-text.h"
#include "pmu/v1/harts.pb-c.h"

const char *place_name(const Pmu__V1__Place *p, char buf[PLACE_TEXT])
{
	const char *slash = strrchr(p->file, '/');
	char line[NAME_MAX_LEN];
	int n = 0;

	*buf = 0;
	if (*p->function)
		n = snprintf(buf, PLACE_TEXT, "%s+0x%" PRIx64,
			     demangle(p->function), p->offset);
	if (*p->file && n < PLACE_TEXT)
		snprintf(buf + n, (size_t)(PLACE_TEXT - n), "%s%s:%s",
			 n ? " " : "", slash ? slash + 1 : p->file,
			 name_line(p->line, line));
	return buf;
}

bool place_below(struct guest_files *files, Pmu__V1__Process *p, uint64_t pc,
		 Pmu__V1__Place *ret)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	struct symbol found;

	r.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_U;
	r.process = p;
	if (!guest_files_are_named(files) || !guest_files_learn(files, &r) ||
	    !guest_files_name(files, &r, pc, &found))
		return false;
	pmu__v1__place__init(ret);
	ret->address = pc;
	ret->function = (char *)found.function;
	ret->offset = found.offset;
	if (found.path && found.line >= 0) {
		ret->file = (char *)found.path;
		ret->line = (uint32_t)found.line;
	}
	return true;
}

const char *place_whose(const Pmu__V1__Process *p, uint64_t pc,
			char buf[PLACE_TEXT])
{
	const char *file = "";

	for (size_t i = 0; i < p->n_mappings; i++)
		if (pc >= p->mappings[i]->start && pc < p->mappings[i]->end)
			file = p->mappings[i]->file;
	snprintf(buf, PLACE_TEXT, "%s%s of %s %" PRIu32 "/%" PRIu32,
		 *file ? " in " : "", file, p->comm, p->pid, p->tid);
	return buf;
}

static void print_name(struct pmud *s, const char *machine,
		       const Pmu__V1__HartInfo *h, struct guest_files *files,
		       FILE *out)
{
	Pmu__V1__DescribeAddressesRequest req =
		PMU__V1__DESCRIBE_ADDRESSES_REQUEST__INIT;
	Pmu__V1__Place below = PMU__V1__PLACE__INIT;
	Pmu__V1__DescribeAddressesResponse *r;
	const Pmu__V1__Place *place;
	char name[PLACE_TEXT];
	uint64_t pc = h->pc;

	req.machine = (char *)machine;
	req.addresses = &pc;
	req.n_addresses = 1;
	req.of_case = PMU__V1__DESCRIBE_ADDRESSES_REQUEST__OF_HART;
	req.hart = h->hart;
	if (!PMUD_ASK(s, DescribeAddresses, &req, &r))
		return;
	place = r->n_places ? r->places[0] : &below;
	if (r->process && place_below(files, r->process, pc, &below))
		place = &below;
	if (*place_name(place, name))
		plain_printf(out, " %s", name);
	if (r->process)
		plain_printf(out, "%s", place_whose(r->process, pc, name));
	answer_free(r);
}

/* Two bytes at @pc as the hart reads them: where instructions are aligned. */
static bool read_parcel(struct pmud *s, const char *machine, uint32_t hart,
			uint64_t pc, uint8_t *bytes)
{
	const uint32_t n = 2;
	Pmu__V1__ReadMemoryRequest req = PMU__V1__READ_MEMORY_REQUEST__INIT;
	Pmu__V1__ReadMemoryResponse *r;
	bool good;

	req.machine = (char *)machine;
	req.hart = hart;
	req.address = pc;
	req.size = n;
	req.virtual_ = true;
	if (!PMUD_ASK(s, ReadMemory, &req, &r))
		return false;
	good = r->data.len == n;
	if (good)
		memcpy(bytes, r->data.data, n);
	answer_free(r);
	return good;
}

static void print_instruction(struct pmud *s, const char *machine,
			      const Pmu__V1__HartInfo *h, FILE *out)
{
	unsigned xlen = !strncmp(h->isa, "rv32", 4) ? 32 : 64;
	char text[DISASM_MAX];
	uint8_t bytes[4];
	size_t n;

	/* the second half may lie on a page that is not there */
	if (!read_parcel(s, machine, h->hart, h->pc, bytes))
		return;
	n = disasm_length(bytes);
	if (n == 4 && !read_parcel(s, machine, h->hart, h->pc + 2, bytes + 2))
		return;
	disasm(xlen, h->pc, bytes, n, text);
	plain_printf(out, ": %s", text);
}

void place_print(struct pmud *s, const Pmu__V1__MachineInfo *m,
		 struct guest_files *files, FILE *out)
{
	Pmu__V1__ListHartsRequest req = PMU__V1__LIST_HARTS_REQUEST__INIT;
	Pmu__V1__ListHartsResponse *r;

	if (m->state != PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED)
		return;
	req.machine = m->id;
	if (!PMUD_ASK(s, ListHarts, &req, &r))
		return;
	if (m->hart < r->n_harts) {
		const Pmu__V1__HartInfo *h = r->harts[m->hart];

		fprintf(out, "hart %u %s 0x%" PRIx64, h->hart,
			name_privilege((int)h->privilege), h->pc);
		print_name(s, m->id, h, files, out);
		print_instruction(s, m->id, h, out);
		fputc('\n', out);
	}
	answer_free(r);
}
