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
	Pmu__Internal__ToMachine__CallCase call;
	uint32_t hart, number;
	uint64_t address;
	uint32_t size;
	unsigned want;
} bad_rows[] = {
	{ "no such hart", CALL(READ_CSR), 2, 0x300, 0, 0, INVALID },
	{ "no such CSR", CALL(READ_CSR), 0, 0x5ff, 0, 0, NOT_FOUND },
	{ "beyond all CSRs", CALL(READ_CSR), 0, 0x1300, 0, 0, NOT_FOUND },
	{ "a CSR", CALL(READ_CSR), 1, 0x300, 0, 0, OK },
	{ "no such hart", CALL(WRITE_CSR), 9, 0x300, 0, 0, INVALID },
	{ "a read-only CSR", CALL(WRITE_CSR), 0, 0xf14, 0, 0, INVALID },
	{ "no such CSR", CALL(WRITE_CSR), 0, 0x5ff, 0, 0, NOT_FOUND },
	{ "a CSR", CALL(WRITE_CSR), 0, 0x340, 0, 0, OK },
	{ "nothing behind sireg", CALL(READ_CSR), 0, 0x151, 0, 0,
	  PRECONDITION },
	{ "nothing behind sireg", CALL(WRITE_CSR), 0, 0x151, 0, 0,
	  PRECONDITION },
	{ "siselect", CALL(WRITE_CSR), 0, 0x150, 0, 0, OK },
	{ "x0", CALL(WRITE_REGISTER), 0, 0, 0, 0, INVALID },
	{ "no such register", CALL(WRITE_REGISTER), 0, 66, 0, 0, INVALID },
	{ "an odd pc", CALL(WRITE_REGISTER), 0, 32, 1, 0, INVALID },
	{ "a register", CALL(WRITE_REGISTER), 1, 31, 1, 0, OK },
	{ "nothing", CALL(READ_MEMORY), 0, 0, BASE, 0, INVALID },
	{ "too much", CALL(READ_MEMORY), 0, 0, BASE, (1 << 20) + 1, INVALID },
	{ "all of it", CALL(READ_MEMORY), 0, 0, BASE, 1 << 20, OK },
	{ "no RAM", CALL(READ_MEMORY), 0, 0, 0, 4, OUT_OF_RANGE },
	{ "past the end", CALL(READ_MEMORY), 0, 0, BASE + (4 << 20) - 2, 4,
	  OUT_OF_RANGE },
	{ "around the end", CALL(READ_MEMORY), 0, 0, UINT64_MAX - 1, 4,
	  OUT_OF_RANGE },
	{ "no RAM", CALL(WRITE_MEMORY), 0, 0, 0, 4, OUT_OF_RANGE },
	{ "nothing", CALL(WRITE_MEMORY), 0, 0, BASE, 0, INVALID },
	{ "in pieces", CALL(WRITE_MEMORY), 0, 0, BASE, 300000, OK },
	{ "no firmware", CALL(CALL_SBI), 0, 0, 0, 0, PRECONDITION },
};

/* The request of a row; its parts live in static memory. */
static to_machine bad_request(const struct bad_row *row)
{
	static uint8_t bytes[300000];
	static Pmu__V1__ReadCsrRequest read_csr;
	static Pmu__V1__WriteCsrRequest write_csr;
	static Pmu__V1__WriteRegisterRequest write_reg;
	static Pmu__V1__ReadMemoryRequest read_mem;
	static Pmu__V1__WriteMemoryRequest write_mem;
	static Pmu__V1__CallSbiRequest sbi;
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;

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
	write_mem.address = row->address;
	write_mem.data.data = bytes;
	write_mem.data.len = row->size;
	pmu__v1__call_sbi_request__init(&sbi);
	msg.call_case = row->call;
	msg.read_csr = row->call == CALL(READ_CSR) ? &read_csr : NULL;
	if (row->call == CALL(WRITE_CSR))
		msg.write_csr = &write_csr;
	else if (row->call == CALL(WRITE_REGISTER))
		msg.write_register = &write_reg;
	else if (row->call == CALL(READ_MEMORY))
		msg.read_memory = &read_mem;
	else if (row->call == CALL(WRITE_MEMORY))
		msg.write_memory = &write_mem;
	else if (row->call == CALL(CALL_SBI))
		msg.call_sbi = &sbi;
	return msg;
}

TEST_ROWS(values_out_of_range_are_refused_with_their_name, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	to_machine msg;

	paused("smcsrind=on sscsrind=on");
	msg = bad_request(row);
	ck_assert_msg(peer_call(&p, &msg)->code == row->want, "%s: %u %s",
		      row->why, p.last->reply->code, p.last->reply->message);
	if (row->want)
		ck_assert_str_ne(p.last->reply->message, "");
}

TEST(writing_needs_a_paused_machine)
{
	to_machine msg;

	SCRIPT(spin_ops);
	loaded("smcsrind=on sscsrind=on");
	ck_assert_uint_eq(peer_start_machine(&p, false), OK);
	for (size_t i = 0; i < ARRAY_SIZE(bad_rows); i++) {
		if (bad_rows[i].want || bad_rows[i].call == CALL(READ_CSR) ||
		    bad_rows[i].call == CALL(READ_MEMORY))
			continue;
		msg = bad_request(&bad_rows[i]);
		ck_assert_uint_eq(peer_call(&p, &msg)->code, PRECONDITION);
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
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	start.kind = (Pmu__V1__ImageKind)row->kind;
	start.address = BASE;
	start.total_bytes = row->total;
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	part.start = &start;
	msg.call_case = CALL(LOAD_IMAGE);
	msg.load_image = &part;
	ck_assert_msg(peer_call(&p, &msg)->code == row->want_start, "%s",
		      row->why);
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	part.chunk.data = bytes;
	part.chunk.len = row->chunk;
	ck_assert_msg(peer_call(&p, &msg)->code == row->want_chunk, "%s: %s",
		      row->why, p.last->reply->message);
}

/* What a request that is part of an upload is answered. */
static unsigned upload(Pmu__V1__ImageStart *start, const void *bytes, size_t n)
{
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;

	part.part_case = start ? PMU__V1__LOAD_IMAGE_REQUEST__PART_START
			       : PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	if (start) {
		part.start = start;
	} else {
		part.chunk.data = (uint8_t *)bytes;
		part.chunk.len = n;
	}
	msg.call_case = CALL(LOAD_IMAGE);
	msg.load_image = &part;
	return peer_call(&p, &msg)->code;
}

TEST(half_an_image_is_gone_with_the_start)
{
	static const uint8_t loop[4] = { 0x6f, 0, 0, 0 };
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;
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
	msg.call_case = CALL(START);
	msg.start = &begin;
	begin.paused = true;
	ck_assert_uint_eq(peer_call(&p, &msg)->code, OK);
	ck_assert_uint_eq(upload(NULL, loop, sizeof(loop)), PRECONDITION);
	ck_assert_str_eq(p.last->reply->message, "chunk: no image was begun");
}

/* The tree of the machine at hand; false: refused. */
static const void *device_tree(bool guest)
{
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;
	Pmu__V1__GetDeviceTreeRequest get =
		PMU__V1__GET_DEVICE_TREE_REQUEST__INIT;
	const ProtobufCBinaryData *dtb;

	get.guest = guest;
	msg.call_case = CALL(GET_DEVICE_TREE);
	msg.get_device_tree = &get;
	ck_assert_uint_eq(peer_call(&p, &msg)->code, OK);
	dtb = &p.last->reply->get_device_tree->dtb;
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
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	start.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT;
	start.address = at;
	start.entry = entry;
	start.total_bytes = sizeof(bytes);
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	part.start = &start;
	msg.call_case = CALL(LOAD_IMAGE);
	msg.load_image = &part;
	ck_assert_uint_eq(peer_call(&p, &msg)->code, OK);
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	part.chunk.data = bytes;
	part.chunk.len = sizeof(bytes);
	return peer_call(&p, &msg)->code ? NULL : p.last->reply->load_image;
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
	ck_assert_str_eq(p.last->reply->message,
			 "entry: 0x80000000, but an earlier image came with "
			 "0x80000204");
	ck_assert_ptr_null(load_at(BASE + 0xfc, 0));
	ck_assert_str_eq(p.last->reply->message,
			 "image: image 4 (0x8 bytes at 0x800000fc) overlaps "
			 "image 1 (0x8 bytes at 0x80000100)");
	ck_assert_uint_eq(peer_simple(&p, CALL(SET_RECORDING)), OK);
	h = p.last->reply->header;
	ck_assert_uint_eq(h->n_images, 3);
	ck_assert_uint_eq(h->images[1]->entry, 0);
	ck_assert_uint_eq(h->images[2]->entry, BASE + 0x204);
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
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;
	Pmu__V1__WriteCsrRequest write = PMU__V1__WRITE_CSR_REQUEST__INIT;

	write.hart = 1;
	write.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	write.number = csr;
	write.value = value;
	msg.call_case = CALL(WRITE_CSR);
	msg.write_csr = &write;
	ck_assert_uint_eq(peer_call(&p, &msg)->code, OK);
}

static uint64_t read_csr(uint32_t csr)
{
	to_machine msg = PMU__INTERNAL__TO_MACHINE__INIT;
	Pmu__V1__ReadCsrRequest read = PMU__V1__READ_CSR_REQUEST__INIT;

	read.hart = 1;
	read.csr_case = PMU__V1__READ_CSR_REQUEST__CSR_NUMBER;
	read.number = csr;
	msg.call_case = CALL(READ_CSR);
	msg.read_csr = &read;
	ck_assert_uint_eq(peer_call(&p, &msg)->code, OK);
	return p.last->reply->read_csr->csr->value;
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
	ck_assert_uint_eq(peer_simple(&p, CALL(LIST_COUNTERS)), OK);
	r = p.last->reply->list_counters;
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
	ck_assert_uint_eq(peer_simple(&p, CALL(SET_RECORDING)), OK);
	h = p.last->reply->header;
	ck_assert_uint_eq(h->version, 1);
	ck_assert_uint_eq(h->n_images, 1);
	/* of eight zero bytes */
	ck_assert_str_eq(h->images[0]->sha256,
			 "af5570f5a1810b7af78caf4bc70a660f"
			 "0df51e42baf91d4de5b2328de0e83dfc");
	ck_assert_uint_eq(h->config->harts, 2);
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
