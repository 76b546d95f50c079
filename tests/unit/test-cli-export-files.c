/* SPDX-License-Identifier: BSD-2-Clause */
/* Exports that are files, every byte of them: CTF, pprof and the page. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "file-reader.h"
#include "unit.h"

/* CTF: one packet, as "metadata" describes it */

static void ctf_sample(void)
{
	file_tell(" '%s'", file_text(0));
	file_tell(" at %#" PRIx64, file_number(8));
	file_tell(" '%s'", file_text(0));
	file_tell(" '%s'", file_text(0));
	file_tell(" '%s'", file_text(0));
	file_tell(" line %" PRIu64, file_number(4));
}

static void ctf_fields(uint64_t id)
{
	switch (id) {
	case 0:
		file_tell(" counter %" PRIu64, file_number(4));
		ctf_sample();
		break;
	case 1:
		file_tell(" interrupt %" PRIu64, file_number(4));
		file_tell(" cause %" PRIu64, file_number(4));
		file_tell(" tval %#" PRIx64, file_number(8));
		file_tell(" to %s", file_text(0));
		file_tell(" at %#" PRIx64, file_number(8));
		break;
	case 2:
		file_tell(" call %s", file_text(0));
		file_tell(" error %" PRId64, (int64_t)file_number(8));
		file_tell(" value %" PRIu64, file_number(8));
		break;
	case 3:
		file_tell(" sampler %" PRIu64, file_number(4));
		file_tell(" periods %" PRIu64, file_number(8));
		ctf_sample();
		break;
	default:
		break;
	}
}

static void read_packet(void)
{
	size_t begin = file.at, end;

	ck_assert_uint_eq(file_number(4), 0xc1fc1fc1);
	ck_assert_uint_eq(file_number(4), 0);
	file_tell("packet from %" PRIu64, file_number(8));
	file_tell(" to %" PRIu64 "\n", file_number(8));
	end = begin + file_number(8) / 8;
	ck_assert_uint_eq(begin + file_number(8) / 8, end);
	ck_assert_uint_eq(file_number(8), 0);
	while (file.at < end) {
		uint64_t id = file_number(2);

		file_tell("%" PRIu64, id);
		file_tell(" %" PRIu64, file_number(8));
		file_tell(" hart %" PRIu64, file_number(4));
		file_tell(" %s", file_text(0));
		file_tell(" cycle %" PRIu64, file_number(8));
		file_tell(" insn %" PRIu64, file_number(8));
		file_tell(" pc %#" PRIx64, file_number(8));
		file_tell(" (%s)", file_text(0));
		ctf_fields(id);
		file_tell("\n");
	}
	ck_assert_uint_eq(file.at, end);
}

static const char ctf_told[] =
	"packet from 1000 to 4100\n"
	"3 1000 hart 0 S cycle 1000 insn 900 pc 0x80200044 (sample cycles "
	"period 100 from 0x80200004,0x8020000c chain bottom) sampler 0 periods "
	"1 'cycles' at 0x80200040 'S' 'work' '' line 0\n"
	"3 1500 hart 1 S cycle 1500 insn 1200 pc 0x80200048 (sample cycles "
	"period 100 times 3 from 0x80200004 chain bad-frame) sampler 0 periods "
	"3 'cycles' at 0x80200044 'S' 'work' '' line 0\n"
	"3 2250 hart 0 U cycle 2250 insn 1901 pc 0x10004 (sample loads period "
	"50) sampler 0 periods 1 'loads' at 0x10000 'U satp "
	"0x8000000000000004' '[unknown]' '' line 0\n"
	"0 2500 hart 0 S cycle 2500 insn 2000 pc 0xffffffff80000008 (overflow "
	"counter 3 instructions last 0xffffffff80000004 raised value 0x5) "
	"counter 3 'instructions' at 0xffffffff80000004 'S' 'kernel' '' line "
	"0\n"
	"1 2600 hart 0 S cycle 2600 insn 2001 pc 0x80200000 (trap 13 (load "
	"page fault) tval 0x1000 to S at 0x80200040) interrupt 0 cause 13 tval "
	"0x1000 to S at 0x80200040\n"
	"2 2700 hart 0 S cycle 2700 insn 2002 pc 0x80200008 (sbi "
	"0x50414d.3(0x1, 0x2, 0x3, 0x4, 0x5, 0x6) = INVALID_PARAM, 0x9: no "
	"such counter) call 0x50414d.3 error -3 value 9\n"
	"4 2800 hart 1 S cycle 2800 insn 2003 pc 0x80200008 (console \"hi "
	"\\\"\\\\\\n\")\n"
	"6 2900 hart 1 S cycle 2900 insn 2004 pc 0x80200008 (hart waiting)\n"
	"11 3000 hart 1 S cycle 3000 insn 2005 pc 0x80200008 (absent "
	"uart@10000000 at 0x10000000, 0x100 bytes)\n"
	"7 3100 hart 0 S cycle 3100 insn 2006 pc 0x80200008 (reset warm)\n"
	"11 3200 hart 0 S cycle 3200 insn 2007 pc 0x80200008 (ebb session 2 "
	"told of counters 0x8, held since cycle 3150)\n"
	"3 4000 hart 0 S cycle 4000 insn 3000 pc 0x80200044 (sample cycles "
	"period 100 times 2 from 0x80200004,0x8020000c chain bottom) sampler 0 "
	"periods 2 'cycles' at 0x80200040 'S' 'work' '' line 0\n"
	"8 4100 hart 0 S cycle 4100 insn 3001 pc 0x80200044 (stop "
	"finisher-fail, exit code 7)\n";

TEST(tracing_tools_read_a_stream)
{
	file_export("trace export samples --format ctf --symbols map -o out",
		    "out/stream");
	read_packet();
	ck_assert_uint_eq(file.at, file.len);
	ck_assert_str_eq(file.told, ctf_told);
}

TEST(a_stream_is_described)
{
	static const char *const parts[] = {
		"/* CTF 1.8 */\ntypealias integer { size = 16; align = 8; "
		"signed = false; } := uint16_t;\n",
		"size = 32; align = 8; signed = false; } := uint32_t;\n",
		"size = 64; align = 8; signed = false; } := uint64_t;\n",
		"size = 64; align = 8; signed = true; } := int64_t;\n",
		"signed = false; base = 16; } := address_t;\n"
		"clock { name = machine; freq = 1000000000; offset = 0; };\n",
		"event { id = 4; name = \"console\"; stream_id = 0;\n"
		"\tfields := struct { }; };\n"
		"event { id = 5; name = \"input\"; stream_id = 0;\n",
		"event { id = 6; name = \"hart\"; stream_id = 0;\n",
		"event { id = 7; name = \"reset\"; stream_id = 0;\n",
		"event { id = 8; name = \"stop\"; stream_id = 0;\n",
		"event { id = 11; name = \"other\"; stream_id = 0;\n"
		"\tfields := struct { }; };\n",
	};
	const char *from;

	file_export("trace export samples --format ctf -o out", "out/metadata");
	from = (const char *)file.bytes;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		from = strstr(from, parts[i]);
		ck_assert_msg(from, "%s is missing", parts[i]);
	}
	ck_assert_str_eq(from, parts[ARRAY_SIZE(parts) - 1]);
}

/* pprof: a compressed message of protobuf; its fields by number */

static uint64_t varint(void)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint64_t byte = file_number(1);

		value |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
}

/* Messages are 1 to 5 of the profile, 4 of a location, 11 its period's type. */
static void fields(size_t end, unsigned of, bool top)
{
	while (file.at < end) {
		uint64_t tag = varint(), field = tag >> 3;

		file_tell(" %" PRIu64, field);
		if ((tag & 7) == 0) {
			file_tell(":%" PRIu64, varint());
			continue;
		}
		ck_assert_uint_eq(tag & 7, 2);
		{
			size_t n = varint(), next = file.at + n;

			ck_assert_uint_le(next, end);
			if (top && field == 6) {
				file_tell("'%.*s'", (int)n,
					  file.bytes + file.at);
				file.at = next;
			} else if (top || (of == 4 && field == 4) ||
				   (of == 2 && field == 3)) {
				file_tell("{");
				fields(next, (unsigned)field, false);
				file_tell(" }");
			} else {
				file_tell("[");
				while (file.at < next)
					file_tell(" %" PRIu64, varint());
				file_tell(" ]");
			}
		}
		if (top)
			file_tell("\n");
	}
}

static const char pprof_told[] =
	" 6''\n"
	" 6'count'\n"
	" 6'cycles'\n"
	" 6'loads'\n"
	" 6'instructions'\n"
	" 1{ 1:2 2:1 }\n"
	" 1{ 1:3 2:1 }\n"
	" 1{ 1:4 2:1 }\n"
	" 6'S'\n"
	" 3{ 1:1 5:5 7:1 8:1 9:1 }\n"
	" 6'U satp 0x8000000000000004'\n"
	" 3{ 1:2 5:6 7:1 8:1 9:1 }\n"
	" 6'work'\n"
	" 5{ 1:1 2:7 3:7 }\n"
	" 6'main'\n"
	" 5{ 1:2 2:8 3:8 }\n"
	" 6'[unknown]'\n"
	" 5{ 1:3 2:9 3:9 }\n"
	" 6'kernel'\n"
	" 5{ 1:4 2:10 3:10 }\n"
	" 4{ 1:1 2:1 3:2149580864 4{ 1:1 } }\n"
	" 4{ 1:2 2:1 3:2149580811 4{ 1:2 } }\n"
	" 4{ 1:3 2:1 3:2149580803 4{ 1:2 } }\n"
	" 4{ 1:4 2:1 3:2149580868 4{ 1:1 } }\n"
	" 4{ 1:5 2:2 3:65536 4{ 1:3 } }\n"
	" 4{ 1:6 2:1 3:18446744071562067972 4{ 1:4 } }\n"
	" 6'0'\n"
	" 6'1'\n"
	" 6'hart'\n"
	" 6'space'\n"
	" 2{ 1[ 1 3 2 ] 2[ 3 0 0 ] 3{ 1:13 2:11 } 3{ 1:14 2:5 } }\n"
	" 2{ 1[ 4 3 ] 2[ 3 0 0 ] 3{ 1:13 2:12 } 3{ 1:14 2:5 } }\n"
	" 2{ 1[ 5 ] 2[ 0 1 0 ] 3{ 1:13 2:11 } 3{ 1:14 2:6 } }\n"
	" 2{ 1[ 6 ] 2[ 0 0 1 ] 3{ 1:13 2:11 } 3{ 1:14 2:5 } }\n"
	" 10:3000 14:2";

TEST(pprof_reads_samples)
{
	file_export("trace export samples --format pprof --symbols map -o out",
		    "out");
	ck_assert_mem_ne(file.bytes, "\x1f\x8b", 2);
	fields(file.len, 0, true);
	ck_assert_str_eq(file.told, pprof_told);
}

/* HTML: what is between the style and the script */

static const char html_told[] =
	"<h1>Samples of a trace</h1>\n"
	"<p>8 samples of 3 events</p>\n"
	"<h2>Flame graph</h2>\n"
	"<div class=\"flames\">\n"
	"<div class=\"frame\" style=\"flex-grow:6\"><span title=\"cycles: 6 of "
	"6 samples, 100.0 %\">cycles</span><div class=\"on\"><div "
	"class=\"frame\" style=\"flex-grow:6\"><span title=\"S: 6 of 6 "
	"samples, 100.0 %\">S</span><div class=\"on\"><div class=\"frame\" "
	"style=\"flex-grow:6\"><span title=\"main: 6 of 6 samples, 100.0 "
	"%\">main</span><div class=\"on\"><div class=\"frame\" "
	"style=\"flex-grow:3\"><span title=\"main: 3 of 6 samples, 50.0 "
	"%\">main</span><div class=\"on\"><div class=\"frame\" "
	"style=\"flex-grow:3\"><span title=\"work: 3 of 6 samples, 50.0 "
	"%\">work</span><div class=\"on\"></div></div>\n"
	"</div></div>\n"
	"<div class=\"frame\" style=\"flex-grow:3\"><span title=\"work: 3 of 6 "
	"samples, 50.0 %\">work</span><div class=\"on\"></div></div>\n"
	"</div></div>\n"
	"</div></div>\n"
	"</div></div>\n"
	"<div class=\"frame\" style=\"flex-grow:1\"><span title=\"loads: 1 of "
	"1 samples, 100.0 %\">loads</span><div class=\"on\"><div "
	"class=\"frame\" style=\"flex-grow:1\"><span title=\"U satp "
	"0x8000000000000004: 1 of 1 samples, 100.0 %\">U satp "
	"0x8000000000000004</span><div class=\"on\"><div class=\"frame\" "
	"style=\"flex-grow:1\"><span title=\"[unknown]: 1 of 1 samples, 100.0 "
	"%\">[unknown]</span><div class=\"on\"></div></div>\n"
	"</div></div>\n"
	"</div></div>\n"
	"<div class=\"frame\" style=\"flex-grow:1\"><span "
	"title=\"instructions: 1 of 1 samples, 100.0 "
	"%\">instructions</span><div class=\"on\"><div class=\"frame\" "
	"style=\"flex-grow:1\"><span title=\"S: 1 of 1 samples, 100.0 "
	"%\">S</span><div class=\"on\"><div class=\"frame\" "
	"style=\"flex-grow:1\"><span title=\"kernel: 1 of 1 samples, 100.0 "
	"%\">kernel</span><div class=\"on\"></div></div>\n"
	"</div></div>\n"
	"</div></div>\n"
	"</div>\n"
	"<h2>Timeline</h2>\n"
	"<p>From 1000 ns to 4000 ns, each row as high as its fullest "
	"part.</p>\n"
	"<table class=\"time\">\n"
	"<tr><th>hart 0</th><th>cycles</th><td>3</td><td class=\"bars\"><svg "
	"viewBox=\"0 0 240 40\" preserveAspectRatio=\"none\"><rect x=\"0\" "
	"y=\"20.00\" width=\"1\" height=\"20.00\"><title>1 from 1000 ns "
	"on</title></rect><rect x=\"230\" y=\"0.00\" width=\"1\" "
	"height=\"40.00\"><title>2 from 3990 ns "
	"on</title></rect></svg></td></tr>\n"
	"<tr><th>hart 1</th><th>cycles</th><td>3</td><td class=\"bars\"><svg "
	"viewBox=\"0 0 240 40\" preserveAspectRatio=\"none\"><rect x=\"38\" "
	"y=\"0.00\" width=\"1\" height=\"40.00\"><title>3 from 1494 ns "
	"on</title></rect></svg></td></tr>\n"
	"<tr><th>hart 0</th><th>loads</th><td>1</td><td class=\"bars\"><svg "
	"viewBox=\"0 0 240 40\" preserveAspectRatio=\"none\"><rect x=\"96\" "
	"y=\"0.00\" width=\"1\" height=\"40.00\"><title>1 from 2248 ns "
	"on</title></rect></svg></td></tr>\n"
	"<tr><th>hart 0</th><th>instructions</th><td>1</td><td "
	"class=\"bars\"><svg viewBox=\"0 0 240 40\" "
	"preserveAspectRatio=\"none\"><rect x=\"115\" y=\"0.00\" width=\"1\" "
	"height=\"40.00\"><title>1 from 2495 ns "
	"on</title></rect></svg></td></tr>\n"
	"</table>\n"
	"<h2>Functions</h2>\n"
	"<table class=\"functions\">\n"
	"<tr><th>Event</th><th>Space</th><th>Function</th><th>Source</"
	"th><th>Samples</th><th>Percent</th></tr>\n"
	"<tr><td>cycles</td><td>S</td><td>work</td><td></td><td>6</"
	"td><td>100.0</td></tr>\n"
	"<tr><td>loads</td><td>U satp "
	"0x8000000000000004</td><td>[unknown]</td><td></td><td>1</"
	"td><td>100.0</td></tr>\n"
	"<tr><td>instructions</td><td>S</td><td>kernel</td><td></td><td>1</"
	"td><td>100.0</td></tr>\n"
	"</table>\n";

TEST(a_page_shows_samples)
{
	const char *from, *to;

	file_export("trace export samples --format html --symbols map -o out",
		    "out");
	from = strstr((const char *)file.bytes, "<h1>");
	to = strstr(from, "<script>");
	file_tell("%.*s", (int)(to - from), from);
	ck_assert_str_eq(file.told, html_told);
	ck_assert_str_eq(strstr(to, "</script>"),
			 "</script>\n</body>\n</html>\n");
}

/* Whichever came first, that with the most samples is drawn first. */
TEST(a_flame_graph_is_in_order)
{
	static const char *const three[] = {
		"{'pc':8,'sample':{'event':'cycles','periods':1}}",
		"{'pc':8,'sample':{'event':'loads','periods':5}}",
		"{'pc':8,'sample':{'event':'stores','periods':3}}",
		"{'stop':{'cause':1}}",
		NULL,
	};
	const char *at;

	canned_trace("three", "{'version':1}", three);
	file_export("trace export three --format html -o out", "out");
	at = strstr((const char *)file.bytes, "title=\"loads: 5 of 5");
	ck_assert_ptr_nonnull(at);
	at = strstr(at, "title=\"stores: 3 of 3");
	ck_assert_ptr_nonnull(at);
	ck_assert_ptr_nonnull(strstr(at, "title=\"cycles: 1 of 1"));
}

/* The fullest part of a row is the first, whatever others have. */
TEST(a_row_is_as_high_as_its_fullest_part)
{
	static const char *const two[] = {
		"{'cycle':1000,'privilege':2,'pc':8,'sample':{'event':'cycles',"
		"'period':1,'periods':4,'last_pc':4}}",
		"{'cycle':2000,'privilege':2,'pc':8,'sample':{'event':'cycles',"
		"'period':1,'periods':1,'last_pc':4}}",
		NULL,
	};
	const char *bars;

	canned_trace("two", "{'version':1,'xlen':64,'clock_hz':1000000000}",
		     two);
	canned_begin(NULL);
	ck_assert_int_eq(canned_run("trace export two --format html -o page"),
			 0);
	{
		FILE *f = fopen("page", "r");

		file.bytes[fread(file.bytes, 1, FILE_MAX - 1, f)] = '\0';
		fclose(f);
	}
	bars = strstr((const char *)file.bytes, "<rect x=\"0\"");
	ck_assert_ptr_nonnull(bars);
	ck_assert_ptr_eq(strstr(bars, "<rect x=\"0\" y=\"0.00\" width=\"1\" "
				      "height=\"40.00\"><title>4 from"),
			 bars);
	bars = strstr(bars + 1, "<rect ");
	ck_assert_ptr_nonnull(strstr(bars, "y=\"30.00\" width=\"1\" "
					   "height=\"10.00\"><title>1 from"));
}

SUITE("cli-export-files", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
