/* SPDX-License-Identifier: BSD-2-Clause */
/* What a debugger reads and writes: threads, registers, memory, features. */
#include <stdlib.h>
#include <string.h>

#include "gdb-talk.h"
#include "gdb/gdb-xml.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "unit.h"

#define OK		"$OK"
#define EMPTY		"$"
#define MALFORMED	"$E16"
#define REFUSED		"$E0e"
#define ZERO		"0000000000000000"
#define REGS		TALK_REGISTERS("4096", "97")
#define ASKS_REGS(hart) TALK_REGS " {'machine':'m1','hart':" hart "}\n"
#define ASKS_SET(number, value)                                                \
	TALK_SET " {'machine':'m1','hart':0,'number':" number                  \
		 ",'value':'" value "'}\n"
#define ASKS_READ(hart, address, size, virtual)                                \
	TALK_READ " {'machine':'m1','hart':" hart ",'address':'" address       \
		  "','size':" size ",'virtual':" virtual "}\n"
#define ASKS_WRITE(address, data, virtual)                                     \
	TALK_WRITE " {'machine':'m1','hart':0,'address':'" address             \
		   "','data':'" data "','virtual':" virtual "}\n"

static const struct talk_row talks[] = {
	/* threads */
	{ "harts are threads, from 1 on",
	  { { "qfThreadInfo", "$m1,2" },
	    { "qsThreadInfo", "$l" },
	    { "qC", "$QC1" },
	    { "Hg2", OK },
	    { "qC", "$QC2" },
	    { "Hg0", OK },
	    { "qC", "$QC2" },
	    { "Hc1", OK },
	    { "qC", "$QC2" },
	    { "Hg-1", OK },
	    { "qC", "$QC2" } },
	  { { 0 } },
	  "" },
	{ "there are no others",
	  { { "Hg3", MALFORMED },
	    { "H", MALFORMED },
	    { "Hg", MALFORMED },
	    { "qC", "$QC1" },
	    { "T1", OK },
	    { "T2", OK },
	    { "T3", MALFORMED },
	    { "T", MALFORMED },
	    { "qThreadExtraInfo,3", MALFORMED },
	    { "qThreadExtraInfo,x", MALFORMED } },
	  { { 0 } },
	  "" },
	{ "a thread's mode and state",
	  { { "qThreadExtraInfo,1", "$4d2072756e6e696e67" },
	    { "qThreadExtraInfo,2", "$56532077616974696e67" },
	    { "qThreadExtraInfo,2", EMPTY },
	    { "qThreadExtraInfo,2", REFUSED } },
	  { { TALK_HARTS, TALK_TWO_HARTS },
	    { TALK_HARTS, TALK_TWO_HARTS },
	    { TALK_HARTS, "{'harts':[{}]}" },
	    { TALK_HARTS, NULL } },
	  TALK_HARTS TALK_M1 TALK_HARTS TALK_M1 TALK_HARTS TALK_M1 TALK_HARTS
		  TALK_M1 },
	/* features */
	{ "errors are numbers until words are understood",
	  { { "p", MALFORMED },
	    { "qSupported",
	      "$PacketSize=4000;QStartNoAckMode+;vContSupported+;swbreak+;"
	      "hwbreak+;qXfer:features:read+;qXfer:threads:read+" },
	    { "p", MALFORMED },
	    { "qSupported:swbreak+;error-message+;x",
	      "$PacketSize=4000;QStartNoAckMode+;vContSupported+;swbreak+;"
	      "hwbreak+;qXfer:features:read+;qXfer:threads:read+" },
	    { "p", "$E.the packet is malformed" },
	    { "P1041=" ZERO, "$E.the mode of a hart is not a register" },
	    { "m0,1", "$E.refused" } },
	  { { TALK_READ, NULL } },
	  NULL },
	{ "what is not known has an empty answer",
	  { { "qCRC:0,1", EMPTY },
	    { "", EMPTY },
	    { "vMustReplyEmpty", EMPTY },
	    { "Q", EMPTY },
	    { "qXfer:auxv:read::0,10", EMPTY },
	    { "R00", EMPTY } },
	  { { 0 } },
	  "" },
	{ "what is asked by the way",
	  { { "qAttached", "$1" },
	    { "qSymbol::", OK },
	    { "QStartNoAckMode", OK } },
	  { { 0 } },
	  "" },
	{ "acks, until they are not wanted",
	  { { "QStartNoAckMode", OK },
	    { "!$qC#00", MALFORMED },
	    { "!+", "" },
	    { "!-", "" },
	    { "!xyz", "" },
	    { "!$qC#b4", "$QC1" } },
	  { { 0 } },
	  "" },
	/* registers */
	{ "registers by their numbers, little-endian",
	  { { "p1", "$0201000000000000" },
	    { "p1f", "$1f00000000000000" },
	    { "p20", "$0010000000000000" },
	    { "p21", "$0000000000000000" },
	    { "p40", "$1f00000000000000" },
	    { "p42", "$01000000" },
	    { "p43", "$03000000" },
	    { "p44", "$61000000" } },
	  { { TALK_REGS, REGS } },
	  ASKS_REGS("0") },
	{ "those of the hart that is meant",
	  { { "Hg2", OK },
	    { "p1", "$0201000000000000" },
	    { "Hg1", OK },
	    { "p1", "$0201000000000000" } },
	  { { TALK_REGS, REGS } },
	  ASKS_REGS("1") ASKS_REGS("0") },
	{ "there are no others",
	  { { "p41", MALFORMED },
	    { "p45", MALFORMED },
	    { "p1042", MALFORMED },
	    { "pffffffffffffffff", MALFORMED },
	    { "p", MALFORMED },
	    { "px", MALFORMED } },
	  { { 0 } },
	  "" },
	{ "CSRs of any hart, and the mode",
	  { { "pb41", "$8877665544332211" },
	    { "p1040", "$xxxxxxxxxxxxxxxx" },
	    { "p341", "$xxxxxxxxxxxxxxxx" },
	    { "p1041", "$0300000000000000" },
	    { "Hg2", OK },
	    { "p1041", "$0100000000000000" },
	    { "p1041", "$xxxxxxxxxxxxxxxx" },
	    { "p1041", "$xxxxxxxxxxxxxxxx" } },
	  { { TALK_CSR, "{'csr':{'value':1234605616436508552}}" },
	    { TALK_CSR, "{}" },
	    { TALK_CSR, NULL },
	    { TALK_HARTS, TALK_TWO_HARTS },
	    { TALK_HARTS, TALK_TWO_HARTS },
	    { TALK_HARTS, "{'harts':[{}]}" },
	    { TALK_HARTS, NULL } },
	  TALK_CSR
	  " {'machine':'m1','hart':0,'number':2816}\n" TALK_CSR
	  " {'machine':'m1','hart':0,'number':4095}\n" TALK_CSR
	  " {'machine':'m1','hart':0,'number':768}\n" TALK_HARTS TALK_M1
		  TALK_HARTS TALK_M1 TALK_HARTS TALK_M1 TALK_HARTS TALK_M1 },
	{ "what it has of the mode of virtual harts, and of U",
	  { { "p1041", "$0100000000000000" },
	    { "p1041", "$0000000000000000" },
	    { "p1041", "$0000000000000000" } },
	  { { TALK_HARTS, "{'harts':[{'privilege':2}]}" },
	    { TALK_HARTS, "{'harts':[{'privilege':3}]}" },
	    { TALK_HARTS, "{'harts':[{'privilege':5}]}" } },
	  NULL },
	{ "a register that cannot be read is not available",
	  { { "p1", "$xxxxxxxxxxxxxxxx" },
	    { "p42", "$xxxxxxxx" },
	    { "p1", "$xxxxxxxxxxxxxxxx" },
	    { "p1", "$0201000000000000" } },
	  { { TALK_REGS, NULL },
	    { TALK_REGS, "{'x':[1,2],'f':" TALK_MANY "}" },
	    { TALK_REGS, "{'f':[1,2],'x':" TALK_MANY "}" },
	    { TALK_REGS, REGS } },
	  ASKS_REGS("0") ASKS_REGS("0") ASKS_REGS("0") ASKS_REGS("0") },
	{ "a register is written, and read anew",
	  { { "p1", "$0201000000000000" },
	    { "P1=8877665544332211", OK },
	    { "p1", "$0201000000000000" },
	    { "P0=8877665544332211", OK },
	    { "P40=0100000000000000", OK },
	    { "P40=0100000000000000", REFUSED } },
	  { { TALK_REGS, REGS },
	    { TALK_SET, "{}" },
	    { TALK_SET, "{}" },
	    { TALK_SET, NULL } },
	  ASKS_REGS("0") ASKS_SET("1", "1234605616436508552") ASKS_REGS("0")
		  ASKS_SET("64", "1") ASKS_SET("64", "1") },
	{ "parts of fcsr leave the rest",
	  { { "P42=1e000000", OK },
	    { "P43=fa000000", OK },
	    { "P44=ff000000", OK },
	    { "P42=1e000000", REFUSED } },
	  { { TALK_REGS, REGS },
	    { TALK_REGS, REGS },
	    { TALK_REGS, NULL },
	    { TALK_SET, "{}" } },
	  ASKS_REGS("0") ASKS_SET("65", "126") ASKS_REGS("0")
		  ASKS_SET("65", "65") ASKS_SET("65", "255") ASKS_REGS("0") },
	{ "a CSR is written",
	  { { "Pb41=0100000000000000", OK },
	    { "Pb41=0100000000000000", REFUSED },
	    { "P1041=0100000000000000", REFUSED } },
	  { { TALK_SETCSR, "{}" }, { TALK_SETCSR, NULL } },
	  TALK_SETCSR
	  " {'machine':'m1','hart':0,'number':2816,'value':'1'}\n" TALK_SETCSR
	  " {'machine':'m1','hart':0,'number':2816,'value':'1'}\n" },
	{ "values have a register's size",
	  { { "P1=01", MALFORMED },
	    { "P42=0100", MALFORMED },
	    { "P1", MALFORMED },
	    { "P1:0100000000000000", MALFORMED },
	    { "P=0100000000000000", MALFORMED },
	    { "P41=0100000000000000", MALFORMED },
	    { "G" ZERO, MALFORMED } },
	  { { 0 } },
	  "" },
	/* memory */
	{ "memory is read as the hart sees it, or by physical addresses",
	  { { "m1000,4", "$0a0b0c0d" },
	    { "qqemu.PhyMemMode", "$0" },
	    { "Qqemu.PhyMemMode:1", OK },
	    { "qqemu.PhyMemMode", "$1" },
	    { "m1000,4", "$0a0b0c0d" },
	    { "Qqemu.PhyMemMode:2", MALFORMED },
	    { "Qqemu.PhyMemMode:", MALFORMED },
	    { "Qqemu.PhyMemMode:0x", MALFORMED },
	    { "qqemu.PhyMemMode", "$1" },
	    { "Qqemu.PhyMemMode:0", OK },
	    { "Hg2", OK },
	    { "m1000,4", "$0a0b0c0d" },
	    { "m1000,0", EMPTY } },
	  { { TALK_READ, "{'data':'x:0a0b0c0d'}" } },
	  ASKS_READ("0", "4096", "4", "true")
		  ASKS_READ("0", "4096", "4", "false")
			  ASKS_READ("1", "4096", "4", "true") },
	{ "where a part is not there, pages up to it are read",
	  { { "mffc,1008", "$01020304" }, { "mfff,2", REFUSED } },
	  { { TALK_READ, NULL },
	    { TALK_READ, "{'data':'x:01020304'}" },
	    { TALK_READ, NULL } },
	  ASKS_READ("0", "4092", "4104", "true")
		  ASKS_READ("0", "4092", "4", "true")
			  ASKS_READ("0", "4096", "4096", "true")
				  ASKS_READ("0", "4095", "2", "true")
					  ASKS_READ("0", "4095", "1", "true") },
	{ "page by page, the last one in part",
	  { { "m1ffe,4", "$01020304" } },
	  { { TALK_READ, NULL },
	    { TALK_READ, "{'data':'x:0102'}" },
	    { TALK_READ, "{'data':'x:0304'}" } },
	  ASKS_READ("0", "8190", "4", "true")
		  ASKS_READ("0", "8190", "2", "true")
			  ASKS_READ("0", "8192", "2", "true") },
	{ "an answer of another size is none",
	  { { "m1000,4", REFUSED } },
	  { { TALK_READ, "{'data':'x:0a0b0c'}" } },
	  NULL },
	{ "half a packet at most is read at once",
	  { { "m0,ffffffffffffffff", REFUSED } },
	  { { TALK_READ, NULL } },
	  ASKS_READ("0", "0", "8192", "true")
		  ASKS_READ("0", "0", "4096", "true") },
	{ "memory is written",
	  { { "M1000,2:0a0b", OK },
	    { "X1000,3:abc", OK },
	    { "X1000,0:", OK },
	    { "M1000,2:0a0b", REFUSED } },
	  { { TALK_WRITE, "{}" }, { TALK_WRITE, "{}" }, { TALK_WRITE, NULL } },
	  ASKS_WRITE("4096", "Cgs=", "true") ASKS_WRITE("4096", "YWJj", "true")
		  ASKS_WRITE("4096", "Cgs=", "true") },
	{ "with as many bytes as are announced",
	  { { "M1000,2:0a", MALFORMED },
	    { "M1000,2", MALFORMED },
	    { "M1000:0a", MALFORMED },
	    { "M1000,2:0g00", MALFORMED },
	    { "X1000,2:a", MALFORMED },
	    { "X1000,2:abc", MALFORMED },
	    { "X1000,4001:a", MALFORMED },
	    { "M1000,4001:a", MALFORMED },
	    { "m1000", MALFORMED },
	    { "m,4", MALFORMED } },
	  { { 0 } },
	  "" },
	/* transfers */
	{ "threads in XML, part by part, listed anew from the front",
	  { { "qXfer:threads:read::0,16", "$m<?xml version=\"1.0\"?>\n" },
	    { "qXfer:threads:read::16,9", "$m<threads>" },
	    { "qXfer:threads:read::0,5", "$m<?xml" },
	    { "qXfer:threads:read::0,5", REFUSED },
	    { "qXfer:threads:read::", MALFORMED } },
	  { { TALK_HARTS, TALK_TWO_HARTS },
	    { TALK_HARTS, TALK_TWO_HARTS },
	    { TALK_HARTS, NULL } },
	  TALK_HARTS TALK_M1 TALK_HARTS TALK_M1 TALK_HARTS TALK_M1 TALK_HARTS
		  TALK_M1 },
	{ "the end of a transfer is said",
	  { { "qXfer:threads:read::0,1000",
	      "$l<?xml version=\"1.0\"?>\n<threads>\n"
	      "<thread id=\"1\" core=\"0\" name=\"hart 0\">M running</thread>\n"
	      "<thread id=\"2\" core=\"1\" name=\"hart 1\">VS waiting"
	      "</thread>\n</threads>\n" },
	    { "qXfer:threads:read::94,100", "$l/threads>\n" },
	    { "qXfer:threads:read::9d,1", "$l\n" },
	    { "qXfer:threads:read::9e,1", "$l" },
	    { "qXfer:threads:read::ffffffff,1", "$l" },
	    { "qXfer:threads:read::1", MALFORMED } },
	  { { TALK_HARTS, TALK_TWO_HARTS } },
	  TALK_HARTS TALK_M1 },
	{ "the description is made once",
	  { { "qXfer:features:read:target.xml:0,5", "$m<?xml" },
	    { "qXfer:features:read:target.xml:5,3", "$m ve" },
	    { "qXfer:features:read:other.xml:5,3", EMPTY },
	    { "qXfer:features:read:target.xml:5", MALFORMED } },
	  { { 0 } },
	  "" },
	/* the end */
	{ "a debugger that detaches is heard no more",
	  { { "D", OK }, { "qC", "" } },
	  { { 0 } },
	  "" },
	{ "one that kills the machine is not answered",
	  { { "k", "" }, { "qC", "" } },
	  { { 0 } },
	  "" },
	{ "but for the newer form", { { "vKill;1", OK } }, { { 0 } }, "" },
};

TEST_ROWS(a_debugger_is_answered, talks)
{
	talk_check(&talks[_i]);
}

static const struct {
	const char *frame;
	enum gdb_end end;
} ends[] = {
	{ "$qC#b4", GDB_GOES_ON },
	{ "$D#44", GDB_DETACHED },
	{ "$vKill;1#6e", GDB_KILLED },
	{ "$k#6b", GDB_KILLED },
};

TEST_ROWS(how_a_debugger_ends_is_kept, ends)
{
	gdb_stub_take(&talk_stub, (const uint8_t *)ends[_i].frame,
		      strlen(ends[_i].frame));
	ck_assert_int_eq(talk_stub.end, ends[_i].end);
}

/* In ack mode each packet is acknowledged, a broken one asked for again. */
static const struct {
	const char *in, *out;
} acks[] = {
	{ "$qC#b4", "+$QC1" },
	{ "$qC#b5", "-" },
	{ "$qC#b4-", "+$QC1$QC1" },
	{ "$qC#b4+", "+$QC1" },
	{ "$QStartNoAckMode#b0-", "+$OK" },
	{ "\3", "" },
};

TEST_ROWS(packets_are_acknowledged, acks)
{
	talk_stub.no_acks = false;
	canned_begin(NULL);
	gdb_stub_take(&talk_stub, (const uint8_t *)acks[_i].in,
		      strlen(acks[_i].in));
	ck_assert_str_eq(talk_sent(), acks[_i].out);
	ck_assert_str_eq(canned_asked(), "");
}

TEST_TIMES(a_packet_that_is_too_long_is_refused, 2)
{
	static uint8_t many[RSP_PACKET_MAX + 1];

	memset(many, 'm', sizeof(many));
	talk_stub.no_acks = _i;
	talk_stub.error_text = true;
	gdb_stub_take(&talk_stub, (const uint8_t *)"$", 1);
	gdb_stub_take(&talk_stub, many, sizeof(many));
	/* (RSP_PACKET_MAX + 1) * 'm' */
	gdb_stub_take(&talk_stub, (const uint8_t *)"#6d", 3);
	ck_assert_str_eq(talk_sent(), _i ? "$E.the packet is too long"
					 : "+$E.the packet is too long");
}

/* All of them, in both directions: x0 to x31 and pc. */
TEST(registers_go_in_one_packet)
{
	const struct canned calls[] = { { TALK_REGS, REGS },
					{ TALK_SET, "{}" },
					{ 0 } };
	char want[600] = "$", packet[600] = "G", asked[4096] = "";

	for (unsigned i = 0, n = 1; i <= GDB_PC; i++, n += 16) {
		unsigned v = i == 1 ? 258 : i == GDB_PC ? 4096 : i;

		sprintf(want + n, "%02x%02x000000000000", v & 0xff, v >> 8);
		sprintf(packet + n, "%02x00000000000080", i);
		if (i)
			sprintf(asked + strlen(asked),
				TALK_SET " {'machine':'m1','hart':0,'number':"
					 "%u,'value':'%lu'}\n",
				i, 0x8000000000000000ul + i);
	}
	canned_begin(calls);
	talk_say("g");
	ck_assert_str_eq(talk_sent(), want);
	canned_begin(calls);
	talk_say(packet);
	ck_assert_str_eq(talk_sent(), OK);
	ck_assert_str_eq(canned_asked(), asked);
}

/* The first register that is refused ends it. */
TEST(a_refused_register_is_told)
{
	const struct canned calls[] = { { TALK_SET, "{}" },
					{ TALK_SET, NULL },
					{ 0 } };
	char packet[600] = "G";

	memset(packet + 1, '0', 33 * 16);
	canned_begin(calls);
	talk_say(packet);
	ck_assert_str_eq(talk_sent(), REFUSED);
	ck_assert_str_eq(canned_asked(), ASKS_SET("1", "0") ASKS_SET("2", "0"));
}

/* Descriptions */

#define REG(name, bits, type, number)                                          \
	"<reg name=\"" name "\" bitsize=\"" bits "\" type=\"" type             \
	"\" regnum=\"" number "\"/>\n"

TEST(a_description_has_what_the_harts_have)
{
	char *text = gdb_xml_target(&talk_target);
	static const char *const parts[] = {
		"<?xml version=\"1.0\"?>\n"
		"<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n"
		"<architecture>riscv:rv64</architecture>\n"
		"<osabi>none</osabi>\n"
		"<feature name=\"org.gnu.gdb.riscv.cpu\">\n" REG("zero", "64",
								 "int", "0")
			REG("ra", "64", "code_ptr", "1") REG("sp", "64",
							     "data_ptr", "2")
				REG("gp", "64", "data_ptr", "3")
					REG("tp", "64", "data_ptr", "4")
						REG("t0", "64", "int", "5"),
		REG("t6", "64", "int", "31") REG(
			"pc", "64", "code_ptr",
			"32") "</feature>\n<feature "
			      "name=\"org.gnu.gdb.riscv.fpu\">\n"
			      "<union id=\"riscv_double\">\n"
			      "<field name=\"float\" type=\"ieee_single\"/>\n"
			      "<field name=\"double\" "
			      "type=\"ieee_double\"/>\n</union>\n" REG(
				      "ft0", "64", "riscv_double", "33"),
		REG("ft11", "64", "riscv_double",
		    "64") REG("fflags", "32", "int", "66") REG("frm", "32",
							       "int", "67")
			REG("fcsr", "32", "int",
			    "68") "</feature>\n"
				  "<feature "
				  "name=\"org.gnu.gdb.riscv.csr\">\n" REG(
					  "mstatus", "64", "int",
					  "833") REG("mcycle", "64", "int",
						     "2881")
					  REG("a-name-of-21-bytes---", "64",
					      "int",
					      "4160") "</"
						      "feature>\n<feature "
						      "name=\"org.gnu.gdb."
						      "riscv.virtual\">"
						      "\n" REG("priv", "64",
							       "int",
							       "4161") "</"
								       "fea"
								       "tur"
								       "e>"
								       "\n<"
								       "/ta"
								       "rge"
								       "t>"
								       "\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		ck_assert_msg(strstr(text, parts[i]), "%s\nis not in\n%s",
			      parts[i], text);
	ck_assert_ptr_eq(strstr(text, parts[0]), text);
	free(text);
}

SUITE("cli-gdb", .setup = talk_setup, .teardown = talk_teardown);
