/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Common Trace Format, 1.8: a folder with a description of all fields and
 * one stream of packets, in which all records of the trace stand in its order.
 * A record may be stamped with a cycle before that of the one ahead of it (what
 * a call has printed stands before the call): its time is then that one's, as
 * times in a stream may not go back, and its own cycle is a field.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "export-folder.h"
#include "export-samples.h"
#include "export-text.h"
#include "export.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "trace/record-text.h"

#define MAGIC UINT32_C(0xc1fc1fc1)

enum {
	HEAD = 4 + 4 + 5 * 8, /* bytes of header and context of a packet */
	PACKET = 1 << 16,     /* bytes after which a packet is closed */
	ID_OVERFLOW = 0,
	ID_TRAP = 1,
	ID_SBI = 2,
	ID_SAMPLE = 3,
	ID_OTHER = 4
};

struct ctf {
	struct export_samples *x;
	FILE *out;
	struct buf packet;   /* the one under way, without its head */
	uint64_t begin, end; /* cycles */
	bool failed;
};

static const char metadata[] =
	"trace {\n"
	"\tmajor = 1; minor = 8; byte_order = le;\n"
	"\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n"
	"};\n"
	"env { domain = \"bare\"; tracer_name = \"pmuctl\"; };\n"
	"typealias integer { size = 64; align = 8; signed = false;\n"
	"\tmap = clock.machine.value; } := cycle_t;\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tpacket.context := struct { cycle_t timestamp_begin;\n"
	"\t\tcycle_t timestamp_end; uint64_t content_size;\n"
	"\t\tuint64_t packet_size; uint64_t events_discarded; };\n"
	"\tevent.header := struct { uint16_t id; cycle_t timestamp; };\n"
	"\tevent.context := struct { uint32_t hart; string mode;\n"
	"\t\tuint64_t cycle; uint64_t insn; address_t pc; string what; };\n"
	"};\n"
	"event { id = 0; name = \"overflow\"; stream_id = 0;\n"
	"\tfields := struct { uint32_t counter; string event_name;\n"
	"\t\taddress_t last_pc; string space; string function;\n"
	"\t\tstring file; uint32_t line; }; };\n"
	"event { id = 1; name = \"trap\"; stream_id = 0;\n"
	"\tfields := struct { uint32_t interrupt; uint32_t cause;\n"
	"\t\taddress_t tval; string target; address_t handler; }; };\n"
	"event { id = 2; name = \"sbi\"; stream_id = 0;\n"
	"\tfields := struct { string call; int64_t error;\n"
	"\t\tuint64_t value; }; };\n"
	"event { id = 3; name = \"sample\"; stream_id = 0;\n"
	"\tfields := struct { uint32_t sampler; uint64_t periods;\n"
	"\t\tstring event_name; address_t last_pc; string space;\n"
	"\t\tstring function; string file; uint32_t line; }; };\n";

static const char *const others[] = { "console", "input", "hart",     "reset",
				      "stop",	 "csr",	  "delivery", "-" };

static void put_type(FILE *out, unsigned bits, const char *sign,
		     const char *name)
{
	fprintf(out, "typealias integer { size = %u; align = 8; %s } := %s;\n",
		bits, sign, name);
}

static void describe(const struct export_samples *x, FILE *out)
{
	fputs("/* CTF 1.8 */\n", out);
	put_type(out, 16, "signed = false;", "uint16_t");
	put_type(out, 32, "signed = false;", "uint32_t");
	put_type(out, 64, "signed = false;", "uint64_t");
	put_type(out, 64, "signed = true;", "int64_t");
	put_type(out, 64, "signed = false; base = 16;", "address_t");
	fprintf(out,
		"clock { name = machine; freq = %" PRIu64 "; offset = 0; };\n",
		export_hz(x));
	fputs(metadata, out);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		fprintf(out,
			"event { id = %zu; name = \"%s\"; stream_id = 0;\n"
			"\tfields := struct { }; };\n",
			i + ID_OTHER, *others[i] == '-' ? "other" : others[i]);
}

static void put(struct ctf *c, const void *bytes, size_t n)
{
	if (buf_append(&c->packet, bytes, n) < 0)
		c->failed = true;
}

/* @n bytes of @value, the lowest first. Returns what is behind them. */
static uint8_t *number(uint8_t *to, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*to++ = (uint8_t)(value >> 8 * i);
	return to;
}

static void put_number(struct ctf *c, uint64_t value, size_t n)
{
	uint8_t bytes[8];

	number(bytes, value, n);
	put(c, bytes, n);
}

static void put_text(struct ctf *c, const char *text)
{
	size_t n = strlen(text ? text : "") + 1;
	char *to = (char *)buf_reserve(&c->packet, n);

	if (!to) {
		c->failed = true;
		return;
	}
	memcpy(to, text ? text : "", n);
	export_to_utf8(to);
	buf_commit(&c->packet, n);
}

static size_t packet_bytes(const struct ctf *c)
{
	return HEAD + buf_len(&c->packet);
}

/* Writes the packet, and begins the next. */
static void flush(struct ctf *c)
{
	size_t bits = 8 * packet_bytes(c);
	uint8_t head[HEAD], *at = head;

	if (!buf_len(&c->packet) || c->failed)
		return;
	at = number(at, MAGIC, 4);
	at = number(at, 0, 4);
	at = number(at, c->begin, 8);
	at = number(at, c->end, 8);
	at = number(at, bits, 8);
	at = number(at, bits, 8);
	number(at, 0, 8);
	fwrite(head, 1, sizeof(head), c->out);
	fwrite(buf_head(&c->packet), 1, buf_len(&c->packet), c->out);
	buf_clear(&c->packet);
}

static unsigned id_of(const Pmu__V1__Record *r)
{
	const char *kind = record_kind(r);
	unsigned i = 0;

	if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW)
		return ID_OVERFLOW;
	if (r->kind_case == PMU__V1__RECORD__KIND_SAMPLE)
		return ID_SAMPLE;
	if (r->kind_case == PMU__V1__RECORD__KIND_TRAP)
		return ID_TRAP;
	if (r->kind_case == PMU__V1__RECORD__KIND_SBI_CALL)
		return ID_SBI;
	while (strcmp(others[i], kind) && strcmp(others[i], "-"))
		i++;
	return ID_OTHER + i;
}

/* As `trace show` prints it. */
static void put_what(struct ctf *c, const Pmu__V1__Record *r)
{
	struct record_style style = { .xlen = export_xlen(c->x) };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f) {
		record_what(f, &style, r);
		fclose(f);
	}
	put_text(c, text);
	c->failed |= !text;
	free(text);
}

static void put_sample(struct ctf *c, const struct export_item *item)
{
	const struct export_sample *s = &item->sample;

	if (item->record->kind_case == PMU__V1__RECORD__KIND_OVERFLOW) {
		put_number(c, item->record->overflow->counter, 4);
	} else {
		put_number(c, item->record->sample->sampler, 4);
		put_number(c, s->weight, 8);
	}
	put_text(c, export_event_recorded(c->x, s->event));
	put_number(c, s->at->pc, 8);
	put_text(c, s->space->name);
	put_text(c, s->function->name);
	put_text(c, s->at->path);
	put_number(c, (uint64_t)s->at->line, 4);
}

static void put_trap(struct ctf *c, const Pmu__V1__Trap *t)
{
	put_number(c, t->interrupt, 4);
	put_number(c, t->cause, 4);
	put_number(c, t->tval, 8);
	put_text(c, name_privilege((int)t->target));
	put_number(c, t->handler, 8);
}

static void put_sbi(struct ctf *c, const Pmu__V1__SbiCall *call)
{
	char name[NAME_MAX_LEN];

	put_text(c, name_sbi_call(call->eid, call->fid, name));
	put_number(c, (uint64_t)call->error, 8);
	put_number(c, call->value, 8);
}

static void put_record(struct ctf *c, const struct export_item *item)
{
	const Pmu__V1__Record *r = item->record;
	unsigned id = id_of(r);

	if (r->cycle > c->end)
		c->end = r->cycle;
	if (!buf_len(&c->packet))
		c->begin = c->end;
	put_number(c, id, 2);
	put_number(c, c->end, 8);
	put_number(c, r->hart, 4);
	put_text(c, name_privilege((int)r->privilege));
	put_number(c, r->cycle, 8);
	put_number(c, r->insn, 8);
	put_number(c, r->pc, 8);
	put_what(c, r);
	if (item->is_sample)
		put_sample(c, item);
	else if (id == ID_TRAP)
		put_trap(c, r->trap);
	else if (id == ID_SBI)
		put_sbi(c, r->sbi_call);
	if (packet_bytes(c) >= PACKET)
		flush(c);
}

static int put_stream(struct export_samples *x, FILE *out)
{
	struct ctf c = { .x = x, .out = out };
	struct export_item item;
	int n = 0;

	while (!c.failed && !ferror(out) && (n = export_next(x, &item)) > 0)
		put_record(&c, &item);
	flush(&c);
	buf_free(&c.packet);
	if (c.failed)
		return export_no_memory(x);
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

int export_ctf(struct export_samples *x, const struct export_folder *folder)
{
	FILE *out = export_folder_open(folder, "metadata");
	int code;

	if (!out)
		return EXIT_FAILED;
	describe(x, out);
	code = export_folder_close(folder, out);
	if (code)
		return code;
	out = export_folder_open(folder, "stream");
	if (!out)
		return EXIT_FAILED;
	code = put_stream(x, out);
	return export_folder_close(folder, out) ? EXIT_FAILED : code;
}
