/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples of users' programs by function: in the files of whose address space,
 * and from where on, --user-symbols says. Argument: symbol-places.elf.
 */
#include "captured.h"
#include "cmd/args.h"
#include "text/exit-codes.h"
#include "trace-build.h"
#include "trace/annotate.h"
#include "unit.h"

#define BASE   UINT64_C(0x2aaaaaa000)
#define SPACE  "@0x8000000000000004:0x2aaaaaa000"
#define USER   PMU__V1__PRIVILEGE__PRIVILEGE_U
#define KERNEL PMU__V1__PRIVILEGE__PRIVILEGE_S

enum {
	START = 0x10000, /* of a function of 8 bytes */
	OUTER = 0x10018
};

static const char *elf;

static void arguments(int argc, char **argv)
{
	elf = argv[1];
}

static const struct file_row {
	const char *why, *places[2];
	unsigned privilege;
	uint64_t pc;
	const char *is; /* the line of its function */
} file_rows[] = {
	{ "where it was loaded",
	  { SPACE },
	  USER,
	  BASE + START,
	  "loads: start, 3 of 3 samples (100.00%)" },
	{ "another function",
	  { SPACE },
	  USER,
	  BASE + OUTER + 4,
	  "loads: outer, 3 of 3 samples (100.00%)" },
	{ "not where it was linked",
	  { SPACE },
	  USER,
	  START,
	  "loads: [unknown], 3 of 3 samples (100.00%)" },
	{ "not in another space",
	  { "@0x8000000000000005:0x2aaaaaa000" },
	  USER,
	  BASE + START,
	  "loads: [unknown], 3 of 3 samples (100.00%)" },
	{ "in the second file",
	  { "@0x8000000000000005", SPACE },
	  USER,
	  BASE + START,
	  "loads: start, 3 of 3 samples (100.00%)" },
	{ "in the one that knows it",
	  { "@any:0x1000000", SPACE },
	  USER,
	  BASE + START,
	  "loads: start, 3 of 3 samples (100.00%)" },
	{ "not in the kernel",
	  { SPACE },
	  KERNEL,
	  BASE + START,
	  "loads: [unknown], 3 of 3 samples (100.00%)" },
};

static void write_trace(char path[64], const struct file_row *row)
{
	Pmu__V1__Sample sample = PMU__V1__SAMPLE__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	FILE *out = build_file(path, 1);
	struct built_record b;

	sample.event = (char *)"loads";
	sample.periods = 3;
	sample.last_pc = row->pc;
	r.cycle = r.insn = 5;
	r.privilege = (Pmu__V1__Privilege)row->privilege;
	r.pc = row->pc + 4;
	r.satp = UINT64_C(0x8000000000000004);
	r.kind_case = PMU__V1__RECORD__KIND_SAMPLE;
	r.sample = &sample;
	PREPARING(ck_assert(trace_write_record(out, &r)));
	PREPARING(ck_assert(trace_write_record(out, build_stop(&b, 9))));
	PREPARING(ck_assert_int_eq(fclose(out), 0));
}

TEST_ROWS(a_users_function_is_of_a_users_file, file_rows)
{
	const struct file_row *row = &file_rows[_i];
	struct annotate *a = annotate_new();
	char path[64], line[64], item[2][300], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct args args;

	args_init(&args);
	for (unsigned i = 0; i < 2 && row->places[i]; i++) {
		snprintf(item[i], sizeof(item[i]), "%s%s", elf, row->places[i]);
		args.user_symbols.item[args.user_symbols.n++] = item[i];
	}
	write_trace(path, row);
	capture();
	ck_assert_int_eq(annotate_read(a, path, &args), EXIT_OK);
	ck_assert_int_eq(annotate_print(a, &args, out), EXIT_OK);
	capture_end();
	fclose(out);
	unlink(path);
	annotate_free(a);
	/* where it was linked */
	snprintf(line, sizeof(line), "\n  100.00          3  %#jx ",
		 (uintmax_t)(strstr(row->is, "unknown") ? row->pc
							: row->pc - BASE));
	ck_assert_msg(strstr(text, line), "%s: %s", row->why, text);
	text[strcspn(text, ")") + 1] = '\0'; /* the file's name */
	ck_assert_msg(!strcmp(text, row->is), "%s: %s", row->why, text);
	free(text);
}

/* A list says where functions begin, and nothing of what is in them. */
TEST_TIMES(a_list_names_functions_and_has_no_code, 2)
{
	static const char listed[] = "ffffffff80000000 T _start\n"
				     "ffffffff80000100 T do_idle\n"
				     "ffffffff80000200 T schedule\n";
	static const struct file_row row = {
		.privilege = KERNEL, .pc = UINT64_C(0xffffffff80000104)
	};
	char path[64], map[] = "/tmp/System.map-XXXXXX", want[400], *text;
	int fd = mkstemp(map);
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct annotate *a = annotate_new();
	struct args args;

	args_init(&args);
	args.symbols = map;
	args.json = _i == 1;
	PREPARING(ck_assert_int_eq(write(fd, listed, sizeof(listed) - 1),
				   sizeof(listed) - 1));
	close(fd);
	write_trace(path, &row);
	capture();
	ck_assert_int_eq(annotate_read(a, path, &args), EXIT_OK);
	ck_assert_int_eq(annotate_print(a, &args, out), EXIT_OK);
	snprintf(want, sizeof(want),
		 "pmuctl: %s is a list of symbols: it has no instructions and "
		 "no source, as the ELF file has\n",
		 map);
	ck_assert_pstr_eq(strstr(capture_end(), want), want);
	fclose(out);
	unlink(path);
	unlink(map);
	annotate_free(a);
	snprintf(want, sizeof(want),
		 "loads: do_idle, 3 of 3 samples (100.00%%), %s\n"
		 " PERCENT    SAMPLES  ADDRESS            INSTRUCTION\n"
		 "  100.00          3  0xffffffff80000104 -\n",
		 map);
	if (!args.json)
		ck_assert_str_eq(text, want);
	else
		ck_assert_ptr_nonnull(
			strstr(text, "\"function\": \"do_idle\","));
	free(text);
}

SUITE("annotate", .begin = arguments);
