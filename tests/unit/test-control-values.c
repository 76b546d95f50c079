/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: values in range and out of
 * it, images part by part, and the header of a trace.
 */
#include <libfdt.h>

#include "control-peer.h"

/* Values out of range */

static const struct bad_row {
	const char *why;
	enum method_id call;
	uint32_t hart, number;
	uint64_t address;
	uint32_t size;
	unsigned want;
} bad_rows[] = {
	{ "no such hart", CALL(ReadCsr), 2, 0x300, 0, 0, INVALID },
	{ "no such CSR", CALL(ReadCsr), 0, 0x5ff, 0, 0, NOT_FOUND },
	{ "beyond all CSRs", CALL(ReadCsr), 0, 0x1300, 0, 0, NOT_FOUND },
	{ "a CSR", CALL(ReadCsr), 1, 0x300, 0, 0, OK },
	{ "no such hart", CALL(WriteCsr), 9, 0x300, 0, 0, INVALID },
	{ "a read-only CSR", CALL(WriteCsr), 0, 0xf14, 0, 0, INVALID },
	{ "no such CSR", CALL(WriteCsr), 0, 0x5ff, 0, 0, NOT_FOUND },
	{ "a CSR", CALL(WriteCsr), 0, 0x340, 0, 0, OK },
	{ "nothing behind sireg", CALL(ReadCsr), 0, 0x151, 0, 0, PRECONDITION },
	{ "nothing behind sireg", CALL(WriteCsr), 0, 0x151, 0, 0,
	  PRECONDITION },
	{ "siselect", CALL(WriteCsr), 0, 0x150, 0, 0, OK },
	{ "x0", CALL(WriteRegister), 0, 0, 0, 0, INVALID },
	{ "no such register", CALL(WriteRegister), 0, 66, 0, 0, INVALID },
	{ "an odd pc", CALL(WriteRegister), 0, 32, 1, 0, INVALID },
	{ "a register", CALL(WriteRegister), 1, 31, 1, 0, OK },
	{ "nothing", CALL(ReadMemory), 0, 0, BASE, 0, INVALID },
	{ "too much", CALL(ReadMemory), 0, 0, BASE, (1 << 20) + 1, INVALID },
	{ "all of it", CALL(ReadMemory), 0, 0, BASE, 1 << 20, OK },
	{ "no RAM", CALL(ReadMemory), 0, 0, 0, 4, OUT_OF_RANGE },
	{ "past the end", CALL(ReadMemory), 0, 0, BASE + (4 << 20) - 2, 4,
	  OUT_OF_RANGE },
	{ "around the end", CALL(ReadMemory), 0, 0, UINT64_MAX - 1, 4,
	  OUT_OF_RANGE },
	{ "no RAM", CALL(WriteMemory), 0, 0, 0, 4, OUT_OF_RANGE },
	{ "nothing", CALL(WriteMemory), 0, 0, BASE, 0, INVALID },
	{ "in pieces", CALL(WriteMemory), 0, 0, BASE, 300000, OK },
	{ "in pieces, of which the last is no RAM", CALL(WriteMemory), 0, 0,
	  BASE + (3 << 20) + (1 << 19) + (1 << 18), 300000, OUT_OF_RANGE },
	{ "in pieces, of no hart", CALL(WriteMemory), 9, 0, BASE, 300000,
	  INVALID },
	{ "no firmware", CALL(CallSbi), 0, 0, 0, 0, PRECONDITION },
};

/* The request of a row; its parts live in static memory. */
static const ProtobufCMessage *bad_request(const struct bad_row *row)
{
	static uint8_t bytes[300000];
	static Pmu__V1__ReadCsrRequest read_csr;
	static Pmu__V1__WriteCsrRequest write_csr;
	static Pmu__V1__WriteRegisterRequest write_reg;
	static Pmu__V1__ReadMemoryRequest read_mem;
	static Pmu__V1__WriteMemoryRequest write_mem;
	static Pmu__V1__CallSbiRequest sbi;

	pmu__v1__read_csr_request__init(&read_csr);
	read_csr.hart = row->hart;
	read_csr.csr_case = PMU__V1__READ_CSR_REQUEST__CSR_NUMBER;
	read_csr.number = row->number;
	pmu__v1__write_csr_request__init(&write_csr);
	write_csr.hart = row->hart;
	write_csr.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	write_csr.number = row->number;
	pmu__v1__write_register_request__init(&write_reg);
	write_reg.hart = row->hart;
	write_reg.number = row->number;
	write_reg.value = row->address;
	pmu__v1__read_memory_request__init(&read_mem);
	read_mem.hart = row->hart;
	read_mem.address = row->address;
	read_mem.size = row->size;
	pmu__v1__write_memory_request__init(&write_mem);
	write_mem.hart = row->hart;
	write_mem.address = row->address;
	write_mem.data.data = bytes;
	write_mem.data.len = row->size;
	pmu__v1__call_sbi_request__init(&sbi);
	switch ((unsigned)row->call) {
	case CALL(ReadCsr):
		return &read_csr.base;
	case CALL(WriteCsr):
		return &write_csr.base;
	case CALL(WriteRegister):
		return &write_reg.base;
	case CALL(ReadMemory):
		return &read_mem.base;
	case CALL(WriteMemory):
		return &write_mem.base;
	default:
		return &sbi.base;
	}
}

TEST_ROWS(values_out_of_range_are_refused_with_their_name, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];

	paused("smcsrind=on sscsrind=on");
	ck_assert_msg(peer_call(&p, row->call, bad_request(row))->code ==
			      row->want,
		      "%s: %u %s", row->why, p.last.code, p.last.text);
	if (row->want)
		ck_assert_str_ne(p.last.text, "");
}

/* Not even its first pieces, which could be. */
TEST(memory_that_is_not_all_there_is_not_written)
{
	static uint8_t bytes[300000];
	Pmu__V1__WriteMemoryRequest q = PMU__V1__WRITE_MEMORY_REQUEST__INIT;
	Pmu__V1__ReadMemoryRequest r = PMU__V1__READ_MEMORY_REQUEST__INIT;
	const Pmu__V1__ReadMemoryResponse *got;

	paused("");
	memset(bytes, 0x5a, sizeof(bytes));
	q.address = r.address = BASE + (4 << 20) - 299999;
	q.data.data = bytes;
	q.data.len = sizeof(bytes);
	r.size = 16;
	ck_assert_uint_eq(peer_call(&p, CALL(WriteMemory), &q.base)->code,
			  OUT_OF_RANGE);
	ck_assert_uint_eq(peer_call(&p, CALL(ReadMemory), &r.base)->code, OK);
	got = p.last.answer;
	ck_assert_uint_eq(got->data.len, 16);
	ck_assert_uint_eq(got->data.data[0], 0);
}

TEST(writing_needs_a_paused_machine)
{
	SCRIPT(spin_ops);
	loaded("smcsrind=on sscsrind=on");
	ck_assert_uint_eq(peer_start_machine(&p, false), OK);
	for (size_t i = 0; i < ARRAY_SIZE(bad_rows); i++) {
		if (bad_rows[i].want || bad_rows[i].call == CALL(ReadCsr) ||
		    bad_rows[i].call == CALL(ReadMemory))
			continue;
		ck_assert_uint_eq(peer_call(&p, bad_rows[i].call,
					    bad_request(&bad_rows[i]))
					  ->code,
				  PRECONDITION);
	}
}

/* Images */

static const struct image_row {
	const char *why;
	uint64_t total;
	size_t chunk;
	int kind;
	unsigned want_start, want_chunk;
} image_rows[] = {
	{ "empty", 0, 1, 2, INVALID, PRECONDITION },
	{ "larger than memory", (4 << 20) + 1, 1, 2, INVALID, PRECONDITION },
	{ "of no kind", 8, 8, 9, INVALID, PRECONDITION },
	{ "a chunk beyond the total", 8, 9, 2, OK, INVALID },
	{ "a chunk of 1 MiB", 2 << 20, 1 << 20, 2, OK, OK },
	{ "a chunk of more", 2 << 20, (1 << 20) + 1, 2, OK, INVALID },
	{ "text that is no ELF", 8, 8, 0, OK, INVALID },
	{ "a cut ELF", 8, 8, 1, OK, INVALID },
	{ "a device tree that is none", 8, 8, 3, OK, INVALID },
	{ "a part of one", 9, 8, 2, OK, OK },
	{ "symbols beyond memory", 8 << 20, 8, 4, OK, OK },
	{ "symbols beyond what is kept", (32 << 20) + 1, 8, 4, INVALID,
	  PRECONDITION },
	{ "a flat one", 8, 8, 2, OK, OK },
};

TEST_ROWS(images_are_checked_part_by_part, image_rows)
{
	const struct image_row *row = &image_rows[_i];
	static uint8_t bytes[(1 << 20) + 1];
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	start.kind = (Pmu__V1__ImageKind)row->kind;
	start.address = BASE;
	start.total_bytes = row->total;
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	part.start = &start;
	ck_assert_msg(peer_call(&p, CALL(LoadImage), &part.base)->code ==
			      row->want_start,
		      "%s", row->why);
	ck_assert(p.last.taken == (row->want_start == OK));
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	part.chunk.data = bytes;
	part.chunk.len = row->chunk;
	ck_assert_msg(peer_call(&p, CALL(LoadImage), &part.base)->code ==
			      row->want_chunk,
		      "%s: %s", row->why, p.last.text);
	if (row->want_chunk == OK) /* the answer is the last one's */
		ck_assert(p.last.taken == (row->chunk < row->total) &&
			  p.last.taken == !p.last.answer);
}

/* What a request that is part of an upload is answered. */
static unsigned upload(Pmu__V1__ImageStart *start, const void *bytes, size_t n)
{
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;

	part.part_case = start ? PMU__V1__LOAD_IMAGE_REQUEST__PART_START
			       : PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	if (start) {
		part.start = start;
	} else {
		part.chunk.data = (uint8_t *)bytes;
		part.chunk.len = n;
	}
	return peer_call(&p, CALL(LoadImage), &part.base)->code;
}

TEST(half_an_image_is_gone_with_the_start)
{
	static const uint8_t loop[4] = { 0x6f, 0, 0, 0 };
	Pmu__V1__StartMachineRequest begin =
		PMU__V1__START_MACHINE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	start.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT;
	start.address = BASE;
	start.total_bytes = sizeof(loop);
	ck_assert_uint_eq(upload(&start, NULL, 0), OK);
	ck_assert_uint_eq(upload(NULL, loop, sizeof(loop)), OK);
	start.address = BASE + 0x1000;
	ck_assert_uint_eq(upload(&start, NULL, 0), OK);
	begin.paused = true;
	ck_assert_uint_eq(peer_call(&p, CALL(StartMachine), &begin.base)->code,
			  OK);
	ck_assert_uint_eq(upload(NULL, loop, sizeof(loop)), PRECONDITION);
	ck_assert_str_eq(p.last.text,
			 "chunk: must follow the start of its image");
}

TEST(an_image_has_a_start_or_a_chunk)
{
	Pmu__V1__LoadImageRequest neither = PMU__V1__LOAD_IMAGE_REQUEST__INIT;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &neither.base)->code,
			  INVALID);
	ck_assert_str_eq(p.last.reason, "FIELD_MISSING");
	ck_assert_str_eq(p.last.text,
			 "part: must be start or chunk, neither is there");
}

/* The tree of the machine at hand; false: refused. */
static const void *device_tree(bool guest)
{
	Pmu__V1__GetDeviceTreeRequest get =
		PMU__V1__GET_DEVICE_TREE_REQUEST__INIT;
	const ProtobufCBinaryData *dtb;

	get.guest = guest;
	ck_assert_uint_eq(peer_call(&p, CALL(GetDeviceTree), &get.base)->code,
			  OK);
	dtb = &((const Pmu__V1__GetDeviceTreeResponse *)p.last.answer)->dtb;
	ck_assert_uint_ge(dtb->len, 40);
	ck_assert_uint_eq(fdt_totalsize(dtb->data), dtb->len);
	return dtb->data;
}

static bool has_rows(const void *dtb)
{
	return fdt_getprop(dtb, fdt_path_offset(dtb, "/pmu"),
			   "riscv,event-to-mhpmcounters", NULL);
}

TEST_TIMES(the_tree_is_told_before_and_after_the_start, 2)
{
	bool m_mode = _i;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 2, m_mode, ""), OK);
	ck_assert(has_rows(device_tree(false)));
	ck_assert(has_rows(device_tree(true)) == m_mode);
	/* It was only looked at: another one may still come. */
	ck_assert_uint_eq(peer_load(&p, (const uint8_t[8]){ 0 }, 8, BASE), OK);
	SCRIPT(spin_ops);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	ck_assert(has_rows(device_tree(false)));
	ck_assert(has_rows(device_tree(true)) == m_mode);
}

/* Loads 8 bytes for @at; the answer, or NULL where that is refused. */
static const Pmu__V1__LoadImageResponse *load_at(uint64_t at, uint64_t entry)
{
	static uint8_t bytes[8];
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	start.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT;
	start.address = at;
	start.entry = entry;
	start.total_bytes = sizeof(bytes);
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	part.start = &start;
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &part.base)->code, OK);
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	part.chunk.data = bytes;
	part.chunk.len = sizeof(bytes);
	return peer_call(&p, CALL(LoadImage), &part.base)->code ? NULL
								: p.last.answer;
}

TEST(an_answer_says_what_lies_where_and_where_it_begins)
{
	const Pmu__V1__LoadImageResponse *r;
	const Pmu__V1__Header *h;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	r = load_at(BASE + 0x100, 0);
	ck_assert_uint_eq(r->entry, BASE + 0x100);
	ck_assert_uint_eq(r->n_parts, 1);
	r = load_at(BASE + 0x200, 0); /* the first one decides, */
	ck_assert_uint_eq(r->entry, BASE + 0x100);
	r = load_at(BASE, BASE + 0x204); /* but for one that says it */
	ck_assert_uint_eq(r->entry, BASE + 0x204);
	ck_assert_uint_eq(r->n_parts, 3);
	ck_assert_str_eq(r->parts[1]->what, "image 2");
	ck_assert_uint_eq(r->parts[1]->address, BASE + 0x200);
	ck_assert_uint_eq(r->parts[1]->bytes, 8);
	ck_assert_uint_eq(r->n_notes, 0);
	ck_assert_ptr_null(load_at(BASE + 0x300, BASE));
	ck_assert_str_eq(p.last.text,
			 "entry: 0x80000000, but an earlier image came with "
			 "0x80000204");
	ck_assert_ptr_null(load_at(BASE + 0xfc, 0));
	ck_assert_str_eq(p.last.text,
			 "image: image 4 (0x8 bytes at 0x800000fc) overlaps "
			 "image 1 (0x8 bytes at 0x80000100)");
	ck_assert_uint_eq(peer_simple(&p, CALL(SetRecording)), OK);
	h = peer_header(&p);
	ck_assert_uint_eq(h->n_images, 3);
	ck_assert_uint_eq(h->images[1]->entry, 0);
	ck_assert_uint_eq(h->images[2]->entry, BASE + 0x204);
	ck_assert_uint_eq(h->images[1]->address, BASE + 0x200);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(h->images[i]->kind,
				 PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT);
		ck_assert_uint_eq(h->images[i]->bytes, 8);
	}
}

/* Which harts have the line of an overflow is for S-mode to see (C104). */
static const struct lines_row {
	const char *settings;
	int lines; /* of two harts */
} lines_rows[] = {
	{ "", 2 },
	{ "hart0.sscofpmf=off", 1 },
	{ "sscofpmf=off", 0 },
};

TEST_ROWS(the_tree_has_the_overflow_of_harts_that_have_one, lines_rows)
{
	const struct lines_row *row = &lines_rows[_i];
	int node = -1, len, all = 0;
	const void *dtb;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 2, false, row->settings), OK);
	dtb = device_tree(true);
	while ((node = fdt_node_offset_by_compatible(dtb, node, "riscv,pmu")) >=
	       0)
		if (fdt_getprop(dtb, node, "interrupts-extended", &len))
			all += len / 8;
	ck_assert_int_eq(all, row->lines);
}

TEST(starting_needs_an_image)
{
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, false, ""), OK);
	ck_assert_uint_eq(peer_start_machine(&p, false), PRECONDITION);
}

/* fflags and frm are parts of fcsr, whose other bits are none. */
static const struct float_row {
	uint32_t csr;
	uint64_t value, fcsr;
} float_rows[] = {
	{ 3, 0x1ff, 0xff }, { 1, 0, 0xe0 },	   { 2, 2, 0x40 },
	{ 1, 0x3f, 0x5f },  { 2, 0xd, 0xbf },	   { 3, 0, 0 },
	{ 2, 7, 0xe0 },	    { 3, ~0xa5ull, 0x5a },
};

static void write_csr(uint32_t csr, uint64_t value)
{
	Pmu__V1__WriteCsrRequest write = PMU__V1__WRITE_CSR_REQUEST__INIT;

	write.hart = 1;
	write.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	write.number = csr;
	write.value = value;
	ck_assert_uint_eq(peer_call(&p, CALL(WriteCsr), &write.base)->code, OK);
}

static uint64_t read_csr(uint32_t csr)
{
	Pmu__V1__ReadCsrRequest read = PMU__V1__READ_CSR_REQUEST__INIT;

	read.hart = 1;
	read.csr_case = PMU__V1__READ_CSR_REQUEST__CSR_NUMBER;
	read.number = csr;
	ck_assert_uint_eq(peer_call(&p, CALL(ReadCsr), &read.base)->code, OK);
	return ((const Pmu__V1__ReadCsrResponse *)p.last.answer)->csr->value;
}

TEST(fcsr_is_written_in_parts)
{
	paused("");
	for (size_t i = 0; i < ARRAY_SIZE(float_rows); i++) {
		const struct float_row *row = &float_rows[i];

		write_csr(row->csr, row->value);
		ck_assert_uint_eq(read_csr(3), row->fcsr);
		ck_assert_uint_eq(read_csr(1), row->fcsr & 0x1f);
		ck_assert_uint_eq(read_csr(2), row->fcsr >> 5);
	}
}

/* Counters that stand still, by mcountinhibit, are told one by one. */
TEST_TIMES(a_counter_says_whether_it_is_inhibited, 4)
{
	static const uint32_t inhibited[] = { 0, 0x5, 0x8, 0x80000018 };
	const Pmu__V1__ListCountersResponse *r;

	paused("");
	write_csr(0x320, inhibited[_i]);
	ck_assert_uint_eq(peer_simple(&p, CALL(ListCounters)), OK);
	r = p.last.answer;
	ck_assert_uint_gt(r->n_counters, 60);
	for (size_t i = 0; i < r->n_counters; i++) {
		const Pmu__V1__Counter *n = r->counters[i];
		bool want = n->hart == 1 && inhibited[_i] >> n->index & 1;

		ck_assert_msg(n->inhibited == want, "hart %u, counter %u",
			      n->hart, n->index);
	}
}

TEST(the_header_has_what_the_guest_sees_and_no_more)
{
	const Pmu__V1__Header *h;

	loaded("engines=1 step-only=on cpi=3");
	ck_assert_uint_eq(peer_simple(&p, CALL(SetRecording)), OK);
	h = peer_header(&p);
	ck_assert_uint_eq(h->version, 1);
	ck_assert_uint_eq(h->n_images, 1);
	/* of eight zero bytes */
	ck_assert_str_eq(h->images[0]->sha256,
			 "af5570f5a1810b7af78caf4bc70a660f"
			 "0df51e42baf91d4de5b2328de0e83dfc");
	ck_assert_uint_eq(h->config->harts, 2);
	ck_assert_uint_eq(h->clock_hz, 1000000000);
	ck_assert_uint_eq(h->time_hz, 10000000);
	ck_assert_uint_eq(h->xlen, 64);
	for (size_t i = 0; i < h->config->n_settings; i++) {
		const char *key = h->config->settings[i]->key;

		ck_assert_str_ne(key, "engines");
		ck_assert_str_ne(key, "step-only");
		ck_assert_str_ne(key, "code-buffer");
		ck_assert_str_ne(key, "host-slice");
		if (!strcmp(key, "cpi"))
			ck_assert_str_eq(h->config->settings[i]->value, "3");
	}
}

SUITE("control-values", .timeout = 60, .teardown = teardown);
