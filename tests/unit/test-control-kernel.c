/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: the table of its symbols that
 * a kernel has in its memory, which is looked for when it is asked for.
 */
#include "control-peer.h"
#include "kallsyms-image.h"

enum {
	PAGE = 4096 /* names of one answer */
};

static void kernel_free(void)
{
	teardown();
	free(k.memory);
	k.memory = NULL;
	k.layout = LAYOUT_BASE;
}

/* A machine in whose memory lies one of @n symbols. */
static void boot(unsigned xlen, unsigned n)
{
	SCRIPT(spin_ops);
	kernel_make(xlen, n);
	peer_start(&p, NULL);
	ck_assert_uint_eq(
		peer_configure(&p, 1, true, xlen == 32 ? "xlen=32" : ""), OK);
	ck_assert_uint_eq(peer_load(&p, k.memory, KERNEL_SIZE, BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
}

static const struct peer_reply *read_from(uint32_t first)
{
	Pmu__V1__ReadKernelSymbolsRequest q =
		PMU__V1__READ_KERNEL_SYMBOLS_REQUEST__INIT;

	q.first = first;
	return peer_call(&p, CALL(ReadKernelSymbols), &q.base);
}

static const Pmu__V1__ReadKernelSymbolsResponse *page(uint32_t first)
{
	ck_assert_uint_eq(read_from(first)->code, OK);
	return p.last.answer;
}

static void refused(uint32_t first, unsigned code, const char *reason)
{
	const struct peer_reply *r = read_from(first);

	ck_assert_uint_eq(r->code, code);
	ck_assert_str_eq(r->reason, reason);
}

/* What DescribeAddresses says of symbol @i, and of how many files. */
static void describe(unsigned i, const char *want, unsigned files)
{
	Pmu__V1__DescribeAddressesRequest q =
		PMU__V1__DESCRIBE_ADDRESSES_REQUEST__INIT;
	uint64_t address = kernel_address(i) + 2;
	const Pmu__V1__DescribeAddressesResponse *got;

	q.n_addresses = 1;
	q.addresses = &address;
	ck_assert_uint_eq(peer_call(&p, CALL(DescribeAddresses), &q.base)->code,
			  OK);
	got = p.last.answer;
	ck_assert_uint_eq(got->files, files);
	ck_assert_str_eq(got->places[0]->function, want);
	if (*want)
		ck_assert_uint_eq(got->places[0]->offset, 2);
}

static void overwrite(size_t at, const uint8_t *bytes, size_t n)
{
	Pmu__V1__WriteMemoryRequest q = PMU__V1__WRITE_MEMORY_REQUEST__INIT;

	q.address = BASE + at;
	q.data.data = (uint8_t *)bytes;
	q.data.len = n;
	ck_assert_uint_eq(peer_call(&p, CALL(WriteMemory), &q.base)->code, OK);
}

static const struct table_row {
	unsigned xlen, n;
	enum kernel_layout layout;
} table_rows[] = {
	{ 64, 1, LAYOUT_BASE },		{ 64, PAGE - 1, LAYOUT_BASE },
	{ 64, PAGE, LAYOUT_BASE },	{ 64, PAGE + 1, LAYOUT_BASE },
	{ 64, 9000, LAYOUT_BASE },	{ 32, 300, LAYOUT_BASE },
	{ 64, PAGE + 1, LAYOUT_PLACE }, { 32, 300, LAYOUT_PLACE },
	{ 32, 300, LAYOUT_VALUE },
};

TEST_ROWS(all_symbols_are_read_a_page_at_a_time, table_rows)
{
	const struct table_row *row = &table_rows[_i];
	const Pmu__V1__ReadKernelSymbolsResponse *got;
	char name[400];

	k.layout = row->layout;
	boot(row->xlen, row->n);
	for (unsigned at = 0; at < row->n; at += PAGE) {
		unsigned want = row->n - at < PAGE ? row->n - at : PAGE;

		got = page(at);
		ck_assert_uint_eq(got->total, row->n);
		ck_assert_uint_eq(got->n_symbols, want);
		for (unsigned i = 0; i < want; i++) {
			kernel_name(at + i, name);
			ck_assert_str_eq(got->symbols[i]->name, name);
			ck_assert_uint_eq(got->symbols[i]->address,
					  kernel_address(at + i));
			ck_assert_str_eq(got->symbols[i]->type,
					 (at + i) % 2 ? "t" : "T");
		}
	}
	for (unsigned beyond = 0; beyond < 2; beyond++) {
		got = page(row->n + beyond);
		ck_assert_uint_eq(got->total, row->n);
		ck_assert_uint_eq(got->n_symbols, 0);
	}
}

TEST(what_was_found_names_addresses)
{
	boot(64, 300);
	describe(8, "", 0);
	ck_assert_uint_eq(page(0)->total, 300);
	describe(8, "TEST_function_8", 1);
	ck_assert_uint_eq(page(100)->total, 300);
	describe(8, "TEST_function_8", 1);
}

/* The kernel may write another, or none, at any time. */
TEST(each_search_forgets_what_was_found)
{
	static const uint8_t nothing[0x4000];

	boot(64, 300);
	refused(1, PRECONDITION, "WRONG_ORDER");
	ck_assert_str_eq(p.last.field, "first");
	ck_assert_str_eq(p.last.text, "first: 1, but nothing was found before");
	ck_assert_uint_eq(page(0)->total, 300);
	kernel_make(64, 20);
	overwrite(KERNEL_AT, k.memory + KERNEL_AT, k.at - KERNEL_AT);
	ck_assert_uint_eq(page(1)->total, 300); /* was found before */
	for (int again = 0; again < 40; again++)
		ck_assert_uint_eq(page(0)->total, 20);
	describe(8, "TEST_function_8", 1);
	overwrite(KERNEL_AT, nothing, sizeof(nothing));
	refused(0, NOT_FOUND, "NO_KERNEL_SYMBOLS");
	refused(1, PRECONDITION, "WRONG_ORDER");
	describe(8, "", 0);
}

SUITE("control-kernel", .teardown = kernel_free, .timeout = 30);
