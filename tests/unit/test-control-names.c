/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: how long names are that are
 * told of addresses (docs/LIMITS.md). In a hostile file a name is as long as
 * the file, and every address has it. Argument: symbol-long.elf.
 */
#include "control-files.h"

enum {
	LEN = 4096,	  /* of a name, at most */
	FIT = 1024,	  /* addresses with such a name: 4 MiB */
	LONGEST = 1 << 19 /* name of a file here */
};

static const char *elf; /* symbol-long.elf, the argument */

static void arguments(int argc, char **argv)
{
	elf = argv[1];
}

struct named {
	struct elf_head head;
	Elf64_Sym sym[2];
	uint8_t code[ELF_CODE_BYTES];
	char names[1 + LONGEST + 1];
};

/* Whose function has a name of @len letters. */
static void send_named(char letter, size_t len)
{
	static struct named file;
	const struct elf_parts at = {
		.code = offsetof(struct named, code),
		.symbols = offsetof(struct named, sym),
		.n_symbols = 2,
		.names = offsetof(struct named, names),
		.name_bytes = sizeof(file.names),
	};

	memset(&file, 0, sizeof(file));
	file.head = elf_head_of(BASE, &at);
	file.sym[1] = elf_function(1, BASE);
	memset(file.names, 0, sizeof(file.names));
	memset(file.names + 1, letter, len);
	send_symbols(&file, sizeof(file));
}

static void load(size_t len)
{
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	send_named('f', len);
}

static const Pmu__V1__Place *described(uint64_t address)
{
	const Pmu__V1__DescribeAddressesResponse *r;

	ck_assert_uint_eq(describe_all(address, 1), OK);
	r = p.last.answer;
	ck_assert_uint_eq(r->n_places, 1);
	return r->places[0];
}

static const struct length_row {
	const char *why;
	size_t len;
	bool told;
} length_rows[] = {
	{ "a short one", 1, true },
	{ "as long as it may be", LEN, true },
	{ "a byte longer", LEN + 1, false },
	{ "the longest", LONGEST, false },
};

/* None is cut: that would be the name of something else. */
TEST_ROWS(a_name_is_told_whole_or_not_at_all, length_rows)
{
	const struct length_row *row = &length_rows[_i];
	const Pmu__V1__Place *at;

	load(row->len);
	at = described(BASE + 4);
	ck_assert_msg(strlen(at->function) == (row->told ? row->len : 0),
		      "%s: %zu", row->why, strlen(at->function));
	ck_assert_uint_eq(at->offset, row->told ? 4 : 0);
}

TEST(a_name_that_is_not_told_hides_no_other)
{
	load(LEN + 1);
	send_named('g', 3);
	ck_assert_str_eq(described(BASE + 4)->function, "ggg");
}

static const struct sum_row {
	const char *why;
	size_t len, n;
	unsigned code;
} sum_rows[] = {
	{ "4 MiB, to the last byte", LEN, FIT, OK },
	{ "a name more", LEN, FIT + 1, EXHAUSTED },
	{ "as many as one may ask for", LEN, DESCRIBED_MAX, EXHAUSTED },
	{ "names that are not told take no room", LEN + 1, DESCRIBED_MAX, OK },
};

TEST_ROWS(all_names_of_an_answer_have_a_limit, sum_rows)
{
	const struct sum_row *row = &sum_rows[_i];
	unsigned code;

	load(row->len);
	code = describe_all(BASE, row->n);
	ck_assert_msg(code == row->code, "%s: %u, %s", row->why, code,
		      p.last.text);
	if (!code)
		return;
	ck_assert_str_eq(p.last.reason, "ANSWER_TOO_LONG");
	ck_assert_str_eq(p.last.field, "addresses");
	ck_assert_str_eq(p.last.text, "addresses: the names at the first 1025 "
				      "of them are longer than 4 MiB: ask for "
				      "fewer");
	described(BASE); /* it answers on */
}

/* Nor is the line: it would be one of no file. */
TEST(a_source_whose_path_is_longer_is_not_told)
{
	static uint8_t bytes[FILES_MAX];
	const Pmu__V1__Place *at;
	FILE *in = fopen(elf, "rb");
	size_t size;

	PREPARING(ck_assert_ptr_nonnull(in));
	size = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	send_symbols(bytes, size);
	at = described(0x10000);
	ck_assert_str_eq(at->function, "start");
	ck_assert_uint_eq(strlen(at->file), 0);
	ck_assert_uint_eq(at->line, 0);
}

SUITE("control-names", .timeout = 60, .begin = arguments, .teardown = teardown);
