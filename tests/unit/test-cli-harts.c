/* SPDX-License-Identifier: BSD-2-Clause */
/* Harts and their registers: what is asked, printed and refused. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

/* Status codes of gRPC. */
enum {
	NOT_FOUND = 5,
	PRECONDITION = 9
};

static const struct canned_row rows[] = {
	/* harts */
	{ "hart list --machine m1",
	  { { "HartService/ListHarts",
	      "{'harts':[{'status':1,'privilege':1,'pc':2147483648,'cycle':20,'"
	      "insn':10,'isa':'rv64imac'},{'hart':1,'status':3,'privilege':2,'"
	      "isa':'rv64i'}]}",
	      0 } },
	  EXIT_OK,
	  "HART STATUS  PRIV         PC INSNS CYCLES ISA\n"
	  "   0 running M    0x80000000    10     20 rv64imac\n"
	  "   1 stopped S             0     0      0 rv64i\n",
	  "",
	  "HartService/ListHarts {'machine':'m1'}\n" },
	{ "hart list --machine m1 --json",
	  { { "HartService/ListHarts",
	      "{'harts':[{'hart':1,'status':2,'privilege':3}]}", 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"harts\": [\n"
	  "    {\n"
	  "      \"hart\": 1,\n"
	  "      \"status\": \"HART_STATUS_WAITING\",\n"
	  "      \"privilege\": \"PRIVILEGE_U\",\n"
	  "      \"pc\": \"0\",\n"
	  "      \"cycle\": \"0\",\n"
	  "      \"insn\": \"0\",\n"
	  "      \"isa\": \"\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "HartService/ListHarts {'machine':'m1'}\n" },
	{ "hart list --machine m9",
	  { { "HartService/ListHarts", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "HartService/ListHarts {'machine':'m9'}\n" },
	/* registers stand in pairs */
	{ "reg list --machine m1",
	  { { "HartService/ReadRegisters",
	      "{'pc':2147483648,'x':[0,2147483652,2149580800,0],'f':[1,2,3,4],'"
	      "fcsr':31}",
	      0 } },
	  EXIT_OK,
	  "pc         0x0000000080000000\n"
	  "x0   zero  0x0000000000000000   x1   ra    0x0000000080000004\n"
	  "x2   sp    0x0000000080200000   x3   gp    0x0000000000000000\n"
	  "f0   ft0   0x0000000000000001   f1   ft1   0x0000000000000002\n"
	  "f2   ft2   0x0000000000000003   f3   ft3   0x0000000000000004\n"
	  "fcsr       0x0000001f\n",
	  "",
	  "HartService/ReadRegisters {'machine':'m1','hart':0}\n" },
	/* no hart has more than 32 of each */
	{ "reg list --machine m1",
	  { { "HartService/ReadRegisters",
	      "{'pc':1,'x':[100,101,102,103,104,105,106,107,108,109,110,111,"
	      "112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,"
	      "128,129,130,131,132],'f':[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
	      "0,0,0,0,0,0,0,0,0,0,0,0,0,0],'fcsr':0}",
	      0 } },
	  EXIT_OK,
	  "pc         0x0000000000000001\n"
	  "x0   zero  0x0000000000000064   x1   ra    0x0000000000000065\n"
	  "x2   sp    0x0000000000000066   x3   gp    0x0000000000000067\n"
	  "x4   tp    0x0000000000000068   x5   t0    0x0000000000000069\n"
	  "x6   t1    0x000000000000006a   x7   t2    0x000000000000006b\n"
	  "x8   s0    0x000000000000006c   x9   s1    0x000000000000006d\n"
	  "x10  a0    0x000000000000006e   x11  a1    0x000000000000006f\n"
	  "x12  a2    0x0000000000000070   x13  a3    0x0000000000000071\n"
	  "x14  a4    0x0000000000000072   x15  a5    0x0000000000000073\n"
	  "x16  a6    0x0000000000000074   x17  a7    0x0000000000000075\n"
	  "x18  s2    0x0000000000000076   x19  s3    0x0000000000000077\n"
	  "x20  s4    0x0000000000000078   x21  s5    0x0000000000000079\n"
	  "x22  s6    0x000000000000007a   x23  s7    0x000000000000007b\n"
	  "x24  s8    0x000000000000007c   x25  s9    0x000000000000007d\n"
	  "x26  s10   0x000000000000007e   x27  s11   0x000000000000007f\n"
	  "x28  t3    0x0000000000000080   x29  t4    0x0000000000000081\n"
	  "x30  t5    0x0000000000000082   x31  t6    0x0000000000000083\n"
	  "f0   ft0   0x0000000000000000   f1   ft1   0x0000000000000000\n"
	  "f2   ft2   0x0000000000000000   f3   ft3   0x0000000000000000\n"
	  "f4   ft4   0x0000000000000000   f5   ft5   0x0000000000000000\n"
	  "f6   ft6   0x0000000000000000   f7   ft7   0x0000000000000000\n"
	  "f8   fs0   0x0000000000000000   f9   fs1   0x0000000000000000\n"
	  "f10  fa0   0x0000000000000000   f11  fa1   0x0000000000000000\n"
	  "f12  fa2   0x0000000000000000   f13  fa3   0x0000000000000000\n"
	  "f14  fa4   0x0000000000000000   f15  fa5   0x0000000000000000\n"
	  "f16  fa6   0x0000000000000000   f17  fa7   0x0000000000000000\n"
	  "f18  fs2   0x0000000000000000   f19  fs3   0x0000000000000000\n"
	  "f20  fs4   0x0000000000000000   f21  fs5   0x0000000000000000\n"
	  "f22  fs6   0x0000000000000000   f23  fs7   0x0000000000000000\n"
	  "f24  fs8   0x0000000000000000   f25  fs9   0x0000000000000000\n"
	  "f26  fs10  0x0000000000000000   f27  fs11  0x0000000000000000\n"
	  "f28  ft8   0x0000000000000000   f29  ft9   0x0000000000000000\n"
	  "f30  ft10  0x0000000000000000   f31  ft11  0x0000000000000000\n"
	  "fcsr       0x00000000\n",
	  "",
	  "HartService/ReadRegisters {'machine':'m1','hart':0}\n" },
	{ "reg list --machine m1 --hart 1",
	  { { "HartService/ReadRegisters", "{'x':[1,2]}", 0 } },
	  EXIT_OK,
	  "pc         0x0000000000000000\n"
	  "x0   zero  0x0000000000000001   x1   ra    0x0000000000000002\n"
	  "fcsr       0x00000000\n",
	  "",
	  "HartService/ReadRegisters {'machine':'m1','hart':1}\n" },
	{ "reg list --machine m1 --json",
	  { { "HartService/ReadRegisters", "{'pc':16,'x':[1,2],'fcsr':3}",
	      0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"pc\": \"16\",\n"
	  "  \"x\": [\n"
	  "    \"1\",\n"
	  "    \"2\"\n"
	  "  ],\n"
	  "  \"f\": [],\n"
	  "  \"fcsr\": 3\n"
	  "}\n",
	  "",
	  "HartService/ReadRegisters {'machine':'m1','hart':0}\n" },
	{ "reg list --machine m9",
	  { { "HartService/ReadRegisters", NULL, NOT_FOUND } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "HartService/ReadRegisters {'machine':'m9','hart':0}\n" },
	{ "reg list --machine m1 --hart 4294967296",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --hart: there is no hart 4294967296\n",
	  "" },
	{ "reg write a0 0x10 --machine m1",
	  { { "HartService/WriteRegister", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteRegister "
	  "{'machine':'m1','hart':0,'number':10,'value':'16'}\n" },
	{ "reg write pc 16 --machine m1 --hart 1",
	  { { "HartService/WriteRegister", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteRegister "
	  "{'machine':'m1','hart':1,'number':32,'value':'16'}\n" },
	{ "reg write x0 1 --machine m1",
	  { { "HartService/WriteRegister", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteRegister "
	  "{'machine':'m1','hart':0,'number':0,'value':'1'}\n" },
	{ "reg write x31 1 --machine m1",
	  { { "HartService/WriteRegister", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteRegister "
	  "{'machine':'m1','hart':0,'number':31,'value':'1'}\n" },
	{ "reg write f0 1 --machine m1",
	  { { "HartService/WriteRegister", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteRegister "
	  "{'machine':'m1','hart':0,'number':33,'value':'1'}\n" },
	{ "reg write fcsr 1 --machine m1",
	  { { "HartService/WriteRegister", "{}", 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "HartService/WriteRegister "
	  "{'machine':'m1','hart':0,'number':65,'value':'1'}\n" },
	{ "reg write x32 1 --machine m1",
	  { { 0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: there is no register 'x32'\n",
	  "" },
	{ "reg write a0 ten --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: VALUE: 'ten' is not a number\n",
	  "" },
	{ "reg write a0 1 --machine m1",
	  { { "HartService/WriteRegister", NULL, PRECONDITION } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  "HartService/WriteRegister "
	  "{'machine':'m1','hart':0,'number':10,'value':'1'}\n" },
};

TEST_ROWS(a_command_asks_and_prints, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-harts");
