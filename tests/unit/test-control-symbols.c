/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: functions by address and
 * addresses by name, of an image whose one function has a name that is long.
 * Its other symbol is a number of an assembler's file, and no place. Argument:
 * symbol-places.elf.
 */
#include "control-files.h"
#include "no-line.h"

static const char *elf; /* symbol-places.elf, the argument */

static void arguments(int argc, char **argv)
{
	elf = argv[1];
}

enum {
	NAME_LEN = 2000,
	NUMBER = 16,
};

/* The file as it lies; @name is the string table. */
struct image {
	struct elf_head head;
	Elf64_Sym sym[3];
	uint8_t code[ELF_CODE_BYTES];
	char name[NAME_LEN + 2];
};

static void make_image(struct image *ret)
{
	static const struct elf_parts at = {
		.code = offsetof(struct image, code),
		.symbols = offsetof(struct image, sym),
		.n_symbols = 3,
		.names = offsetof(struct image, name),
		.name_bytes = NAME_LEN + 2,
	};

	*ret = (struct image){
		.head = elf_head_of(BASE, &at),
		.sym = { { 0 },
			 elf_function(1, BASE),
			 { .st_name = NAME_LEN - 2,
			   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
			   .st_shndx = SHN_ABS,
			   .st_value = NUMBER } },
	};
	memset(ret->name + 1, 'f', NAME_LEN);
}

static unsigned describe(size_t n)
{
	return describe_all(BASE + 4, n);
}

static unsigned find(const char *name)
{
	Pmu__V1__FindSymbolRequest q = PMU__V1__FIND_SYMBOL_REQUEST__INIT;

	q.name = (char *)name;
	return peer_call(&p, CALL(FindSymbol), &q.base)->code;
}

/* The names with @part, where there is no @name; NULL: it was refused. */
static const Pmu__V1__FindSymbolResponse *propose(const char *name,
						  const char *part)
{
	Pmu__V1__FindSymbolRequest q = PMU__V1__FIND_SYMBOL_REQUEST__INIT;

	q.name = (char *)name;
	q.part = (char *)part;
	return peer_call(&p, CALL(FindSymbol), &q.base)->code == OK
		       ? p.last.answer
		       : NULL;
}

static void load(struct image *ret)
{
	make_image(ret);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	ck_assert_msg(peer_load(&p, ret, sizeof(*ret), 0) == OK, "%s",
		      p.last.text);
}

TEST(functions_and_addresses_are_found)
{
	const Pmu__V1__DescribeAddressesResponse *r;
	struct image image;

	load(&image);
	ck_assert_uint_eq(describe(2), OK);
	r = p.last.answer;
	ck_assert_uint_eq(r->files, 1);
	ck_assert_uint_eq(r->n_places, 2);
	ck_assert_uint_eq(r->places[1]->address, BASE + 4);
	ck_assert_str_eq(r->places[1]->function, image.name + 1);
	ck_assert_uint_eq(r->places[1]->offset, 4);
	ck_assert_uint_eq(r->places[1]->line, 0);
	ck_assert_uint_eq(find(image.name + 1), OK);
	ck_assert_uint_eq(
		((const Pmu__V1__FindSymbolResponse *)p.last.answer)->address,
		BASE);
	ck_assert_uint_eq(
		((const Pmu__V1__FindSymbolResponse *)p.last.answer)->size,
		image.sym[1].st_size);
	ck_assert_uint_gt(image.sym[1].st_size, 0);
	ck_assert_uint_eq(find("g"), NOT_FOUND);
}

/* A hart that has lost its way is in no function, whatever constants are. */
TEST(a_number_is_no_function)
{
	static const uint64_t addresses[] = { NUMBER, NUMBER + 4, 0x1000 };
	struct image image;

	load(&image);
	for (size_t i = 0; i < 3; i++) {
		const Pmu__V1__DescribeAddressesResponse *r;

		ck_assert_uint_eq(describe_all(addresses[i], 1), OK);
		r = p.last.answer;
		ck_assert_str_eq(r->places[0]->function, "");
	}
	ck_assert_uint_eq(find("fff"), OK); /* but it has its name */
	ck_assert_uint_eq(
		((const Pmu__V1__FindSymbolResponse *)p.last.answer)->address,
		NUMBER);
}

/* Both are refused, and the machine answers on. */
TEST(an_answer_has_a_limit)
{
	struct image image;

	load(&image);
	ck_assert_uint_eq(describe(DESCRIBED_MAX + 1), INVALID);
	ck_assert_str_eq(p.last.text,
			 "addresses: must be at most 4096, not 4097");
	ck_assert_uint_eq(describe(DESCRIBED_MAX), EXHAUSTED);
	ck_assert_str_eq(p.last.text, "addresses: the names at the first 2098 "
				      "of them are longer than 4 MiB: ask for "
				      "fewer");
	ck_assert_uint_eq(describe(DESCRIBED_MAX / 4), OK);
}

/* Files that are sent for this alone */

enum {
	LINE = 512,
	ALL = 32 << 20, /* bytes of all of them */
	CHUNK = 1 << 20,
	FILES = 32
};

static void configured(void)
{
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
}

static unsigned begin_file(Pmu__V1__ImageKind kind, uint64_t size)
{
	Pmu__V1__LoadImageRequest q = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	start.kind = kind;
	start.address = BASE;
	start.total_bytes = size;
	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	q.start = &start;
	return peer_call(&p, CALL(LoadImage), &q.base)->code;
}

static unsigned send_chunk(const char *bytes, size_t size)
{
	Pmu__V1__LoadImageRequest q = PMU__V1__LOAD_IMAGE_REQUEST__INIT;

	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	q.chunk = (ProtobufCBinaryData){ size, (uint8_t *)bytes };
	return peer_call(&p, CALL(LoadImage), &q.base)->code;
}

static unsigned begin_symbols(uint64_t size)
{
	return begin_file(PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS, size);
}

static unsigned offer_symbols(const char *text, size_t size)
{
	unsigned code = begin_symbols(size);

	for (size_t n; !code && size; text += n, size -= n) {
		n = size < CHUNK ? size : CHUNK;
		code = send_chunk(text, n);
	}
	return code;
}

/* A list of one function where the RAM begins. */
static unsigned send_name(const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "%016llx T %s\n", (unsigned long long)BASE,
		 name);
	return offer_symbols(text, strlen(text));
}

/* Only compilers' names, of all files. */
TEST(names_with_a_part_are_proposed)
{
	static const char few[] = "0000000000001000 T _ZN3foo3barEi\n"
				  "0000000000002000 T _RNvCs1_3foo3bar\n"
				  "0000000000003000 T _bar\n"
				  "0000000000004000 T _ZN3foo3bazEi\n";
	const Pmu__V1__FindSymbolResponse *r;
	struct image image;

	load(&image);
	ck_assert_ptr_null(propose("none", "f"));
	ck_assert_uint_eq(offer_symbols(few, sizeof(few) - 1), OK);
	r = propose("none", "bar");
	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->n_candidates, 2);
	ck_assert_str_eq(r->candidates[0]->function, "_ZN3foo3barEi");
	ck_assert_uint_eq(r->candidates[0]->address, 0x1000);
	ck_assert_str_eq(r->candidates[1]->function, "_RNvCs1_3foo3bar");
	ck_assert_uint_eq(r->candidates[1]->address, 0x2000);
	r = propose("_bar", "bar");
	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->n_candidates, 0);
	ck_assert_uint_eq(r->address, 0x3000);
	ck_assert_ptr_null(propose("none", ""));
	ck_assert_ptr_null(propose("none", "nothing"));
}

TEST(so_many_names_are_proposed)
{
	static char list[(DESCRIBED_MAX + 1) * 64];
	const Pmu__V1__FindSymbolResponse *r;
	size_t len = 0;

	for (unsigned i = 0; i <= DESCRIBED_MAX; i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len,
					"%016x T _Z3barv%u\n", 4 * i, i);
	configured();
	ck_assert_uint_eq(offer_symbols(list, len), OK);
	r = propose("none", "bar");
	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->n_candidates, DESCRIBED_MAX);
	ck_assert_str_eq(r->candidates[DESCRIBED_MAX - 1]->function,
			 "_Z3barv4095");
}

static const Pmu__V1__DescribeAddressesResponse *described(void)
{
	ck_assert_uint_eq(describe(1), OK);
	return p.last.answer;
}

static void no_room_for_symbols(void)
{
	ck_assert_uint_eq(p.last.code, EXHAUSTED);
	ck_assert_str_eq(p.last.reason, "SYMBOLS_LIMIT");
	ck_assert_str_eq(p.last.text, "symbols: a machine keeps at most 32 "
				      "files of 32 MiB in all");
}

/* Line 0: the file is known. */
TEST(code_of_no_line_is_in_its_file)
{
	const Pmu__V1__DescribeAddressesResponse *r;
	uint8_t *bytes;
	size_t size;

	bytes = no_line_bytes(elf, &size);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	ck_assert_uint_eq(offer_symbols((char *)bytes, size), OK);
	free(bytes);
	ck_assert_uint_eq(describe_all(NO_LINE_PC, 1), OK);
	r = p.last.answer;
	ck_assert_str_eq(r->places[0]->function, "last");
	ck_assert_str_eq(r->places[0]->file, "/src/first.c");
	ck_assert_uint_eq(r->places[0]->line, 0);
	ck_assert_uint_eq(describe_all(NO_LINE_PC - 4, 1), OK);
	r = p.last.answer;
	ck_assert_uint_eq(r->places[0]->line, 20);
}

/* The first that knows an address tells its function, each finds its own. */
TEST(files_are_asked_one_after_the_other)
{
	static const char bad[] = "no list";

	configured();
	ck_assert_uint_eq(send_name("first"), OK);
	ck_assert_uint_eq(offer_symbols(bad, strlen(bad)), INVALID);
	ck_assert_str_eq(p.last.reason, "BAD_IMAGE");
	ck_assert_str_eq(p.last.field, "chunk");
	ck_assert_ptr_nonnull(strstr(p.last.text, "symbols: neither an ELF "));
	ck_assert_uint_eq(described()->files, 1);
	for (unsigned i = 1; i < FILES; i++)
		ck_assert_uint_eq(send_name(i == 1 ? "second" : "other"), OK);
	ck_assert_uint_eq(send_name("last"), EXHAUSTED);
	no_room_for_symbols();
	ck_assert_uint_eq(described()->files, FILES);
	ck_assert_str_eq(described()->places[0]->function, "first");
	ck_assert_uint_eq(find("second"), OK);
	ck_assert_uint_eq(find("other"), OK);
	ck_assert_uint_eq(find("last"), NOT_FOUND);
}

/* @n lines; the last has so many bytes @more. */
static unsigned send_lines(size_t n, size_t more)
{
	static char text[ALL + LINE];

	for (size_t i = 0; i < n; i++)
		sprintf(text + i * LINE, "%016llx T %0*d\n",
			(unsigned long long)BASE,
			(int)(LINE - 20 + (i == n - 1 ? more : 0)), 7);
	return offer_symbols(text, n * LINE + more);
}

TEST(files_have_so_many_bytes_in_all)
{
	configured();
	ck_assert_uint_eq(send_lines(ALL / LINE - 1, 0), OK);
	ck_assert_uint_eq(send_lines(1, 1), EXHAUSTED);
	no_room_for_symbols();
	ck_assert_uint_eq(send_lines(1, 0), OK);
	ck_assert_uint_eq(send_name("f"), EXHAUSTED);
	no_room_for_symbols();
	ck_assert_uint_eq(described()->files, 2);
}

TEST(a_file_is_sent_as_it_was_said)
{
	static char bytes[CHUNK + 1];

	configured();
	ck_assert_uint_eq(begin_symbols(ALL), OK);
	ck_assert(p.last.taken);
	ck_assert_uint_eq(begin_symbols(ALL + 1), INVALID);
	ck_assert_str_eq(p.last.reason, "BAD_SIZE");
	ck_assert_str_eq(p.last.text,
			 "symbols: must be from 1 to 33554432 bytes, not "
			 "33554433");
	ck_assert_uint_eq(
		begin_file(PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT, (4 << 20) + 1),
		INVALID);
	ck_assert_str_eq(p.last.text, "image: must be from 1 to 4194304 bytes, "
				      "the machine's memory, not 4194305");
	ck_assert_uint_eq(begin_symbols(0), INVALID);
	ck_assert_uint_eq(send_chunk(bytes, 1), PRECONDITION);
	ck_assert_str_eq(p.last.reason, "WRONG_ORDER");
	ck_assert_uint_eq(begin_symbols(ALL), OK);
	ck_assert_uint_eq(send_chunk(bytes, CHUNK), OK);
	ck_assert(p.last.taken);
	ck_assert_uint_eq(send_chunk(bytes, CHUNK + 1), INVALID);
	ck_assert_str_eq(p.last.reason, "BAD_SIZE");
	ck_assert_uint_eq(begin_symbols(9), OK);
	ck_assert_uint_eq(send_chunk(bytes, 5), OK);
	ck_assert_uint_eq(send_chunk(bytes, 5), INVALID);
	ck_assert_uint_eq(send_chunk(bytes, 4), PRECONDITION);
}

/* Half an image is none where it starts; symbols may come at any time. */
TEST_TIMES(an_upload_may_outlast_a_start, 2)
{
	static const char list[] = "0000000080000000 T f\n";
	Pmu__V1__ImageKind kind = _i ? PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS
				     : PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT;

	SCRIPT(spin_ops);
	loaded("");
	ck_assert_uint_eq(begin_file(kind, strlen(list)), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	ck_assert_uint_eq(send_chunk(list, strlen(list)),
			  _i ? OK : PRECONDITION);
	ck_assert_uint_eq(described()->files, (unsigned)_i);
}

SUITE("control-symbols", .timeout = 60, .begin = arguments,
      .teardown = teardown);
