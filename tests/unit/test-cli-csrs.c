/* SPDX-License-Identifier: BSD-2-Clause */
/* CSRs that are read, written and listed: what is asked, printed, refused. */
#include "canned-answers.h"
#include "text/exit-codes.h"
#include "unit.h"

/* Status codes of gRPC. */
enum {
	INVALID = 3,
	LATE = 4,
	NOT_FOUND = 5,
	DENIED = 7,
	PRECONDITION = 9
};

static const struct canned_row rows[] = {
	/* by name */
	{ "csr read mstatus --machine m1",
	  { { "HartService/ReadCsr",
	      "{'csr':{'number':768,'name':'mstatus','value':6144,'rule':'C1'}"
	      "}",
	      0 } },
	  EXIT_OK,
	  "mstatus 0x1800\n",
	  "",
	  "HartService/ReadCsr {'machine':'m1','hart':0,'name':'mstatus'}\n" },
	{ "csr read mstatus --machine m1",
	  { { "HartService/ReadCsr",
	      "{'csr':{'number':768,'name':'m\xc2\x9b','value':6144}}", 0 } },
	  EXIT_OK,
	  "m?? 0x1800\n",
	  "",
	  "HartService/ReadCsr {'machine':'m1','hart':0,'name':'mstatus'}\n" },
	/* by number */
	{ "csr read 0x300 --machine m1 --hart 2",
	  { { "HartService/ReadCsr",
	      "{'csr':{'number':768,'name':'mstatus','value':6144,'rule':'C1'}"
	      "}",
	      0 } },
	  EXIT_OK,
	  "mstatus 0x1800\n",
	  "",
	  "HartService/ReadCsr {'machine':'m1','hart':2,'number':768}\n" },
	{ "csr read mstatus --machine m1 --hart 5",
	  { { "HartService/ReadCsr", NULL, CANNED_NO_HART },
	    { "HartService/ListCsrs", NULL, CANNED_NO_HART } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n",
	  "HartService/ReadCsr {'machine':'m1','hart':5,'name':'mstatus'}\n"
	  "HartService/ListCsrs {'machine':'m1','hart':5}\n" },
	{ "csr read 4095 --machine m1",
	  { { "HartService/ReadCsr",
	      "{'csr':{'number':768,'name':'mstatus','value':6144,'rule':'C1'}"
	      "}",
	      0 } },
	  EXIT_OK,
	  "mstatus 0x1800\n",
	  "",
	  "HartService/ReadCsr {'machine':'m1','hart':0,'number':4095}\n" },
	/* no number of a CSR is a name */
	{ "csr read 4096 --machine m1",
	  { { "HartService/ReadCsr", NULL, INVALID },
	    { "HartService/ListCsrs",
	      "{'csrs':[{'number':768,'name':'mstatus','value':6144,'rule':'C1'"
	      "},{'number':1,'name':'fflags'}]}",
	      0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: refused\n",
	  "HartService/ReadCsr {'machine':'m1','hart':0,'name':'4096'}\n"
	  "HartService/ListCsrs {'machine':'m1','hart':0}\n" },
	/* what may be meant */
	{ "csr read mstatsu --machine m1",
	  { { "HartService/ReadCsr", NULL, NOT_FOUND },
	    { "HartService/ListCsrs",
	      "{'csrs':[{'number':768,'name':'mstatus','value':6144,'rule':'C1'"
	      "},{'number':1,'name':'fflags'}]}",
	      0 } },
	  EXIT_NOT_FOUND,
	  "",
	  "pmuctl: refused\n"
	  "pmuctl: did you mean 'mstatus'?\n",
	  "HartService/ReadCsr {'machine':'m1','hart':0,'name':'mstatsu'}\n"
	  "HartService/ListCsrs {'machine':'m1','hart':0}\n" },
	{ "csr read mstatus --machine m1 --json",
	  { { "HartService/ReadCsr",
	      "{'csr':{'number':768,'name':'mstatus','value':6144,'rule':'C1'}"
	      "}",
	      0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"number\": 768,\n"
	  "  \"name\": \"mstatus\",\n"
	  "  \"value\": \"6144\",\n"
	  "  \"rule\": \"C1\"\n"
	  "}\n",
	  "",
	  "HartService/ReadCsr {'machine':'m1','hart':0,'name':'mstatus'}\n" },
	{ "csr read mstatus --machine m1 --hart 4294967296",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --hart: there is no hart 4294967296\n",
	  "" },
	{ "csr read mstatus",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: csr read needs --machine\n",
	  "" },
	{ "csr write mstatus 8 --machine m1",
	  { { "HartService/WriteCsr",
	      "{'csr':{'number':768,'name':'mstatus','value':6144,'rule':'C1'}"
	      "}",
	      0 } },
	  EXIT_OK,
	  "mstatus 0x1800\n",
	  "",
	  "HartService/WriteCsr "
	  "{'machine':'m1','hart':0,'name':'mstatus','value':'8'}\n" },
	{ "csr write 0x300 0x1888 --machine m1 --hart 1",
	  { { "HartService/WriteCsr",
	      "{'csr':{'number':768,'name':'mstatus','value':6144,'rule':'C1'}"
	      "}",
	      0 } },
	  EXIT_OK,
	  "mstatus 0x1800\n",
	  "",
	  "HartService/WriteCsr "
	  "{'machine':'m1','hart':1,'number':768,'value':'6280'}\n" },
	{ "csr write 4096 1 --machine m1",
	  { { "HartService/WriteCsr", NULL, PRECONDITION },
	    { "HartService/ListCsrs",
	      "{'csrs':[{'number':768,'name':'mstatus','value':6144,'rule':'C1'"
	      "},{'number':1,'name':'fflags'}]}",
	      0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: refused\n",
	  "HartService/WriteCsr "
	  "{'machine':'m1','hart':0,'name':'4096','value':'1'}\n"
	  "HartService/ListCsrs {'machine':'m1','hart':0}\n" },
	{ "csr write mstatus many --machine m1",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: VALUE: 'many' is not a number\n",
	  "" },
	{ "csr write mstatus 1 --machine m1",
	  { { "HartService/WriteCsr", NULL, DENIED },
	    { "HartService/ListCsrs",
	      "{'csrs':[{'number':768,'name':'mstatus','value':6144,'rule':'C1'"
	      "},{'number':1,'name':'fflags'}]}",
	      0 } },
	  EXIT_DENIED,
	  "",
	  "pmuctl: refused\n",
	  "HartService/WriteCsr "
	  "{'machine':'m1','hart':0,'name':'mstatus','value':'1'}\n"
	  "HartService/ListCsrs {'machine':'m1','hart':0}\n" },
	{ "csr list --machine m1 --hart 3",
	  { { "HartService/ListCsrs",
	      "{'csrs':[{'number':768,'name':'mstatus','value':6144,'rule':'C1'"
	      "},{'number':1,'name':'fflags'}]}",
	      0 } },
	  EXIT_OK,
	  "NUMBER CSR      VALUE RULE\n"
	  " 0x300 mstatus 0x1800 C1\n"
	  " 0x001 fflags       0 \n",
	  "",
	  "HartService/ListCsrs {'machine':'m1','hart':3}\n" },
	{ "csr list --machine m1 --no-headings",
	  { { "HartService/ListCsrs",
	      "{'csrs':[{'number':768,'name':'mstatus','value':6144,'rule':'C1'"
	      "},{'number':1,'name':'fflags'}]}",
	      0 } },
	  EXIT_OK,
	  " 0x300 mstatus 0x1800 C1\n"
	  " 0x001 fflags       0 \n",
	  "",
	  "HartService/ListCsrs {'machine':'m1','hart':0}\n" },
	{ "csr list --machine m1 --json",
	  { { "HartService/ListCsrs",
	      "{'csrs':[{'number':768,'name':'mstatus','value':6144,'rule':'C1'"
	      "},{'number':1,'name':'fflags'}]}",
	      0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"csrs\": [\n"
	  "    {\n"
	  "      \"number\": 768,\n"
	  "      \"name\": \"mstatus\",\n"
	  "      \"value\": \"6144\",\n"
	  "      \"rule\": \"C1\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"number\": 1,\n"
	  "      \"name\": \"fflags\",\n"
	  "      \"value\": \"0\",\n"
	  "      \"rule\": \"\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "HartService/ListCsrs {'machine':'m1','hart':0}\n" },
	{ "csr list --machine m1",
	  { { "HartService/ListCsrs", NULL, LATE } },
	  EXIT_TIMEOUT,
	  "",
	  "pmuctl: refused\n",
	  "HartService/ListCsrs {'machine':'m1','hart':0}\n" },
};

TEST_ROWS(a_command_asks_and_prints, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-csrs");
