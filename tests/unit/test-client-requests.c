/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the calls about a machine and its harts ask for. client/calls.c,
 * control-machine.c.
 */
#include "request-rows.h"

static int create(const struct pmuclient_config *cfg)
{
	char id[PMUCLIENT_ID] = "none";
	int err = pmuclient_create(client, cfg, id);

	snprintf(told, sizeof(told), "%s", id);
	return err;
}

static int create_plain(void)
{
	return create(NULL);
}

/* Whose size nobody has set. */
static int create_sizeless(void)
{
	return create(&(struct pmuclient_config){ .harts = 1 });
}

static int create_all(void)
{
	static const char *const settings[] = { "seed=3", "isa=a=b",
						"k=", NULL };
	static const struct pmuclient_config cfg = {
		.size = sizeof(cfg),
		.harts = 4,
		.memory = 1ull << 33,
		.m_mode = true,
		.detach = true,
		.settings = settings,
		.bootargs = "quiet",
	};

	return create(&cfg);
}

static int load(size_t len)
{
	const struct pmuclient_image image = {
		.size = sizeof(image),
		.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT,
		.address = 0x80200000,
		.entry = 0x80200004,
		.bytes = "bytes",
		.len = len,
	};
	Pmu__V1__LoadImageResponse *answer;
	int err = pmuclient_load(client, "m1", &image, &answer);

	if (err)
		return tell(err, 0);
	tell(0, answer->entry);
	pmuclient_free_message(&answer->base);
	return 0;
}

static int load_five(void)
{
	return load(5);
}

static int load_nothing(void)
{
	return load(0);
}

static int watch(void)
{
	Pmu__V1__WatchMachineResponse *end = NULL;
	int err = pmuclient_wait(client, "m1", -1, &end);

	tell(0, end ? end->machine->state : 0);
	if (end)
		pmuclient_free_message(&end->base);
	return err;
}

static int read_csr(void)
{
	uint64_t value = 7;
	int err = pmuclient_csr_read(client, "m1", 2, "mcycle", &value);

	return tell(err, value);
}

static int write_csr(void)
{
	return pmuclient_csr_write(client, "m1", 2, "mcycle", 1ull << 40);
}

static int read_registers(void)
{
	Pmu__V1__ReadRegistersResponse *regs = NULL;
	int err = pmuclient_registers(client, "m1", 2, &regs);

	tell(0, regs ? regs->pc : 0);
	if (regs)
		pmuclient_free_message(&regs->base);
	return err;
}

static int write_register(void)
{
	return pmuclient_register_write(client, "m1", 2, 32, 1ull << 40);
}

static int read_memory(void)
{
	char bytes[4] = "no";
	int err = pmuclient_memory_read(client, "m1", 1ull << 33, bytes, 3);

	snprintf(told, sizeof(told), "%s", bytes);
	return err;
}

static int read_too_much(void)
{
	return pmuclient_memory_read(client, "m1", 0, NULL,
				     (size_t)UINT32_MAX + 1);
}

static int write_memory(void)
{
	return pmuclient_memory_write(client, "m1", 1ull << 33, "abc", 3);
}

static int info(void)
{
	Pmu__V1__GetMachineResponse *r = NULL;
	int err = pmuclient_info(client, "m1", &r);

	tell(0, r ? r->machine->cycle : 0);
	if (r)
		pmuclient_free_message(&r->base);
	return err;
}

static int start_paused(void)
{
	return pmuclient_start(client, "m1", true);
}

static int step(void)
{
	return pmuclient_step(client, "m1", 1ull << 40);
}

static int control(void)
{
	Pmu__V1__MachineInfo *m = NULL;
	int err = pmuclient_control(client, "m1", PMUCLIENT_PAUSE, 0, &m);

	tell(0, m ? m->cycle : 0);
	if (m)
		pmuclient_free_message(&m->base);
	return err;
}

#define CREATE "MachineService/CreateMachine"
#define LOAD   "MachineService/LoadImage"
#define WATCH  "MachineService/WatchMachine"
#define CREATED(harts, memory, mode, settings, bootargs, detach)               \
	CREATE " {'config':{'harts':" harts ",'memoryBytes':'" memory          \
	       "','startMode':'START_MODE_" mode "','settings':[" settings     \
	       "],'bootargs':'" bootargs                                       \
	       "','recorded':false},'detach':" detach "}\n"
#define KEY(key, value) "{'key':'" key "','value':'" value "'}"
#define STARTED(bytes)                                                         \
	LOAD " {'start':{'machine':'m1','kind':'IMAGE_KIND_FLAT','address':'"  \
	     "2149580800','totalBytes':'" bytes "','entry':'2149580804'}}\n"

static const struct request_row rows[] = {
	{ "a machine of defaults",
	  create_plain,
	  { { CREATE, "{'machine':{'id':'m1'}}" } },
	  0,
	  "m1",
	  "",
	  CREATED("0", "0", "S", "", "", "false") },
	{ "a machine as it is said",
	  create_all,
	  { { CREATE, "{'machine':{'id':'m1'}}" } },
	  0,
	  "m1",
	  "",
	  CREATED("4", "8589934592", "M",
		  KEY("seed", "3") "," KEY("isa", "a=b") "," KEY("k", ""),
		  "quiet", "true") },
	{ "a machine without a name",
	  create_plain,
	  { { CREATE, "{'machine':{}}" } },
	  -PMUCLIENT_EPROTO,
	  "none",
	  "no id in the answer",
	  CREATED("0", "0", "S", "", "", "false") },
	{ "a machine that is refused",
	  create_plain,
	  { { CREATE, NULL, 8 } },
	  -PMUCLIENT_ERPC,
	  "none",
	  "",
	  CREATED("0", "0", "S", "", "", "false") },
	{ "a machine whose configuration has no size",
	  create_sizeless,
	  { { 0 } },
	  -PMUCLIENT_EINVAL,
	  "none",
	  "config: its size is not set",
	  "" },
	{ "an image",
	  load_five,
	  { { LOAD, "{'entry':9}" } },
	  0,
	  "9",
	  "",
	  STARTED("5") LOAD " {'chunk':'Ynl0ZXM='}\n" },
	{ "an empty image",
	  load_nothing,
	  { { LOAD, "{'entry':9}" } },
	  0,
	  "9",
	  "",
	  STARTED("0") },
	{ "an image that is refused",
	  load_nothing,
	  { { LOAD, NULL, 3 } },
	  -PMUCLIENT_ERPC,
	  "0",
	  "",
	  STARTED("0") },
	{ "the end of a machine",
	  watch,
	  { { WATCH, "{'machine':{}}" },
	    { WATCH, "{'machine':{'state':1}}" },
	    { WATCH, "{'machine':{'state':2}}" },
	    { WATCH, "{'machine':{'state':5}}" },
	    { WATCH, "{'machine':{'state':3}}" } },
	  0,
	  "5",
	  "",
	  WATCH " {'machine':'m1'}\n" },
	{ "a machine that is deleted meanwhile",
	  watch,
	  { { WATCH, "{'machine':{'state':2}}" } },
	  -PMUCLIENT_ESTATE,
	  "0",
	  "machine m1 was deleted",
	  WATCH " {'machine':'m1'}\n" },
	{ "a machine that may not be watched",
	  watch,
	  { { "open " WATCH, NULL, 5 } },
	  -PMUCLIENT_ERPC,
	  "0",
	  "",
	  WATCH " {'machine':'m1'}\n" },
	{ "a CSR",
	  read_csr,
	  { { "HartService/ReadCsr", "{'csr':{'value':5}}" } },
	  0,
	  "5",
	  "",
	  "HartService/ReadCsr {'machine':'m1','hart':2,'name':'mcycle'}\n" },
	{ "a CSR that is written",
	  write_csr,
	  { { "HartService/WriteCsr", "{}" } },
	  0,
	  "",
	  "",
	  "HartService/WriteCsr {'machine':'m1','hart':2,'name':'mcycle','"
	  "value':'1099511627776'}\n" },
	{ "registers",
	  read_registers,
	  { { "HartService/ReadRegisters", "{'pc':5}" } },
	  0,
	  "5",
	  "",
	  "HartService/ReadRegisters {'machine':'m1','hart':2}\n" },
	{ "a register that is written",
	  write_register,
	  { { "HartService/WriteRegister", "{}" } },
	  0,
	  "",
	  "",
	  "HartService/WriteRegister {'machine':'m1','hart':2,'number':32,'"
	  "value':'1099511627776'}\n" },
	{ "memory",
	  read_memory,
	  { { "HartService/ReadMemory", "{'data':'abc'}" } },
	  0,
	  "abc",
	  "",
	  "HartService/ReadMemory {'machine':'m1','hart':0,'address':'"
	  "8589934592','size':3,'virtual':false}\n" },
	{ "less memory than was asked for",
	  read_memory,
	  { { "HartService/ReadMemory", "{'data':'ab'}" } },
	  -PMUCLIENT_EPROTO,
	  "no",
	  "pmud sent 2 bytes, not 3",
	  "HartService/ReadMemory {'machine':'m1','hart':0,'address':'"
	  "8589934592','size':3,'virtual':false}\n" },
	{ "memory that is refused",
	  read_memory,
	  { { "HartService/ReadMemory", NULL, 3 } },
	  -PMUCLIENT_ERPC,
	  "no",
	  "",
	  "HartService/ReadMemory {'machine':'m1','hart':0,'address':'"
	  "8589934592','size':3,'virtual':false}\n" },
	{ "more memory than a request can name",
	  read_too_much,
	  { { 0 } },
	  -PMUCLIENT_EINVAL,
	  "",
	  "size: must be at most 4294967295 bytes, not 4294967296",
	  "" },
	{ "memory that is written",
	  write_memory,
	  { { "HartService/WriteMemory", "{}" } },
	  0,
	  "",
	  "",
	  "HartService/WriteMemory {'machine':'m1','hart':0,'address':'"
	  "8589934592','data':'YWJj','virtual':false}\n" },
	{ "a machine's state",
	  info,
	  { { "MachineService/GetMachine", "{'machine':{'cycle':5}}" } },
	  0,
	  "5",
	  "",
	  "MachineService/GetMachine {'machine':'m1'}\n" },
	{ "a start that stands",
	  start_paused,
	  { { "MachineService/StartMachine", "{}" } },
	  0,
	  "",
	  "",
	  "MachineService/StartMachine {'machine':'m1','paused':true}\n" },
	{ "a step",
	  step,
	  { { "MachineService/StepMachine", "{}" } },
	  0,
	  "",
	  "",
	  "MachineService/StepMachine {'machine':'m1','insns':'1099511627776',"
	  "'trapEnds':false}\n" },
	{ "an action's machine",
	  control,
	  { { "MachineService/PauseMachine", "{'machine':{'cycle':5}}" } },
	  0,
	  "5",
	  "",
	  "MachineService/PauseMachine {'machine':'m1'}\n" },
	{ "an action that is refused",
	  control,
	  { { "MachineService/PauseMachine", NULL, 9 } },
	  -PMUCLIENT_ERPC,
	  "0",
	  "",
	  "MachineService/PauseMachine {'machine':'m1'}\n" },
};

TEST_ROWS(a_call_asks_for_what_it_is_given, rows)
{
	check_request(&rows[_i]);
}

TEST_ROWS(a_call_without_memory_says_so, rows)
{
	check_without_memory(&rows[_i]);
}

SUITE("client-requests", .setup = setup, .teardown = teardown);
