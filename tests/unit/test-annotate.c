/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples of users' programs by function: in the files of whose address space,
 * and from where on, --user-symbols says. Argument: symbol-places.elf.
 */
#include <sys/stat.h>

#include "captured.h"
#include "cmd/args.h"
#include "text/exit-codes.h"
#include "trace-build.h"
#include "trace/annotate-text.h"
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

static const struct source_row {
	const char *why, *name; /* below a folder of its own, or absolute */
	const char *holds;	/* its line 2 is told */
	bool fifo;
	const char *says;
} source_rows[] = {
	{ "a line", "source", "a\n\tb;\r\nc\n", false, "source:2: b;\n" },
	{ "the last, not ended", "source", "a\nb", false, "source:2: b\n" },
	{ "no such file", "source", NULL, false, "source:2\n" },
	{ "a FIFO that nobody writes to", "source", NULL, true,
	  "source:2 [source left out: no regular file]\n" },
	{ "a folder", "", NULL, false,
	  "source:2 [source left out: no regular file]\n" },
	{ "a device without an end", "/dev/zero", NULL, false,
	  "source:2 [source left out: no regular file]\n" },
};

/* The path is the ELF file's word, and may be that of anything. */
TEST_ROWS(source_is_of_regular_files_alone, source_rows)
{
	const struct source_row *row = &source_rows[_i];
	char dir[] = "/tmp/annotate-XXXXXX", path[64], want[128], *text;
	struct annotate_line l = { 0 };
	struct annotate_out *o;
	size_t size;
	FILE *out = open_memstream(&text, &size), *f;

	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	snprintf(path, sizeof(path), "%s%s%s", *row->name == '/' ? "" : dir,
		 *row->name == '/' ? "" : "/", row->name);
	if (row->fifo)
		PREPARING(ck_assert_int_eq(mkfifo(path, 0600), 0));
	f = row->holds ? fopen(path, "w") : NULL;
	if (f)
		PREPARING(ck_assert(fputs(row->holds, f) >= 0 && !fclose(f)));
	l.text = "";
	l.at = (struct symbol){ .file = "source", .path = path, .line = 2 };
	o = annotate_out_new(out, false);
	annotate_out_line(o, &l);
	ck_assert_int_eq(annotate_out_free(o, EXIT_OK), EXIT_OK);
	fclose(out);
	/* never what is not its own: /dev/zero is the machine's */
	if (row->fifo || row->holds)
		unlink(path);
	rmdir(dir);
	snprintf(want, sizeof(want), "%20s %s", "", row->says);
	ck_assert_msg(!strncmp(text, want, strlen(want)), "%s: %s", row->why,
		      text);
	free(text);
}

/* Nor is another line told for it, or its end for its beginning. */
TEST(a_line_that_is_too_long_is_told_from_its_beginning)
{
	char path[] = "/tmp/annotate-XXXXXX", *text;
	struct annotate_line l = { .text = "" };
	int fd = mkstemp(path);
	struct annotate_out *o;
	size_t size;
	FILE *out = open_memstream(&text, &size), *f = fdopen(fd, "w");

	PREPARING(ck_assert(fprintf(f, "begin%10000s\nnext\n", "end") > 0));
	PREPARING(ck_assert_int_eq(fclose(f), 0));
	o = annotate_out_new(out, false);
	for (int line = 1; line <= 2; line++) {
		l.at = (struct symbol){ .file = "s",
					.path = path,
					.line = line };
		annotate_out_line(o, &l);
	}
	ck_assert_int_eq(annotate_out_free(o, EXIT_OK), EXIT_OK);
	fclose(out);
	unlink(path);
	ck_assert_ptr_nonnull(strstr(text, " s:1: begin  "));
	ck_assert_ptr_null(strstr(text, "end\n"));
	ck_assert_ptr_nonnull(strstr(text, " s:2: next\n"));
	free(text);
}

TEST(what_others_wrote_is_text)
{
	struct annotate_line l = {
		.text = "addi\t\33[1m",
		.samples = 1,
		.of = 1,
		.at = { .file = "s\a", .path = "/nowhere", .line = 3 },
	};
	const struct annotate_function f = { "loads", "f\33[31m", "p\n", 1, 1 };
	struct annotate_out *o;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	o = annotate_out_new(out, false);
	annotate_out_function(o, &f);
	annotate_out_line(o, &l);
	ck_assert_int_eq(annotate_out_free(o, EXIT_OK), EXIT_OK);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "loads: f?[31m, 1 of 1 samples "
					   "(100.00%), p?\n"));
	ck_assert_ptr_nonnull(strstr(text, " s?:3\n"));
	ck_assert_ptr_nonnull(strstr(text, "addi ?[1m\n"));
	free(text);
}

SUITE("annotate", .begin = arguments);
