/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One machine, "m1", for the tests of the plain-C calls: it keeps what is
 * written to it and its state follows the calls; no guest runs. Once watched,
 * a running machine pauses by itself. A call that names another one is refused;
 * only watched may be "ends" and "crashes" as well, which do it.
 */
#include "client-machine.h"

#include <stdio.h>
#include <string.h>

#include <pmuclient/machine.h>

#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"

enum {
	MEMORY = 4096,
	REGISTERS = 66
};

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name

static struct {
	Pmu__V1__MachineState state;
	uint64_t insn, csr, reg[REGISTERS];
	uint8_t memory[MEMORY];
	bool detached;
} machine;

/* Every call of the client must say which machine is meant. */
static bool is_known(struct rpc_call *call, const char *id)
{
	if (!strcmp(id, "m1"))
		return true;
	rpc_finish(call, GRPC_NOT_FOUND, "no machine '%s'", id);
	return false;
}

/* Declares @req and @answer of a handler of the method @type. */
#define MESSAGES(type, up)                                                     \
	const Pmu__V1__##type##Request *req =                                  \
		(const Pmu__V1__##type##Request *)msg;                         \
	Pmu__V1__##type##Response answer = PMU__V1__##up##_RESPONSE__INIT;     \
	(void)req

Pmu__V1__MachineInfo client_machine_info(void)
{
	Pmu__V1__MachineInfo i = PMU__V1__MACHINE_INFO__INIT;

	i.id = (char *)"m1";
	i.state = machine.state;
	i.insn = machine.insn;
	i.detached = machine.detached;
	return i;
}

static void create(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(CreateMachine, CREATE_MACHINE);
	const Pmu__V1__MachineConfig *cfg = req->config;
	Pmu__V1__MachineInfo i = client_machine_info();
	char settings[PMUCLIENT_ID];

	snprintf(settings, sizeof(settings), "%zu-settings", cfg->n_settings);
	if (cfg->n_settings == 1 && cfg->harts == 2 && req->detach &&
	    !strcmp(cfg->settings[0]->value, "1=2"))
		i.id = (char *)"configured";
	if (cfg->n_settings == 2)
		i.id = (char *)"an id that is longer than any id may ever be";
	if (cfg->n_settings > 2)
		i.id = settings;
	machine.state = STATE(NEW);
	answer.machine = &i;
	rpc_reply(call, &answer.base);
}

#define TURN(handler, type, up, from, to)                                      \
	static void handler(struct rpc_call *call,                             \
			    const ProtobufCMessage *msg)                       \
	{                                                                      \
		MESSAGES(type, up);                                            \
		Pmu__V1__MachineInfo i;                                        \
                                                                               \
		if (!is_known(call, req->machine))                             \
			return;                                                \
		if (machine.state != STATE(from)) {                            \
			rpc_finish(call, GRPC_FAILED_PRECONDITION, "not now"); \
			return;                                                \
		}                                                              \
		machine.state = (to);                                          \
		i = client_machine_info();                                     \
		answer.machine = &i;                                           \
		rpc_reply(call, &answer.base);                                 \
	}

TURN(start_it, StartMachine, START_MACHINE, NEW,
     req->paused ? STATE(PAUSED) : STATE(RUNNING))
TURN(pause_it, PauseMachine, PAUSE_MACHINE, RUNNING, STATE(PAUSED))
TURN(resume_it, ResumeMachine, RESUME_MACHINE, PAUSED, STATE(RUNNING))
TURN(step_it, StepMachine, STEP_MACHINE, PAUSED,
     (machine.insn += req->insns, STATE(PAUSED)))

static void delete (struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(DeleteMachine, DELETE_MACHINE);

	if (!is_known(call, req->machine))
		return;
	machine.state = STATE(UNSPECIFIED);
	rpc_reply(call, &answer.base);
}

static void detach(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(DetachMachine, DETACH_MACHINE);

	if (!is_known(call, req->machine))
		return;
	machine.detached = true;
	rpc_reply(call, &answer.base);
}

/* It runs, and then does not any more. */
static void watch_to(struct rpc_call *call, Pmu__V1__MachineState end)
{
	Pmu__V1__WatchMachineResponse answer =
		PMU__V1__WATCH_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo i = client_machine_info();

	answer.machine = &i;
	i.state = STATE(RUNNING);
	rpc_send(call, &answer.base);
	i.state = end;
	rpc_send(call, &answer.base);
	if (end != STATE(PAUSED))
		rpc_finish(call, GRPC_OK, NULL);
}

static void watch(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(WatchMachine, WATCH_MACHINE);
	Pmu__V1__MachineInfo i = client_machine_info();

	if (!strcmp(req->machine, "ends")) {
		watch_to(call, STATE(ENDED));
	} else if (!strcmp(req->machine, "crashes")) {
		watch_to(call, STATE(CRASHED));
	} else if (!is_known(call, req->machine)) {
		return;
	} else if (machine.state == STATE(RUNNING)) {
		machine.state = STATE(PAUSED);
		watch_to(call, STATE(PAUSED));
	} else {
		answer.machine = &i;
		rpc_send(call, &answer.base);
		if (machine.state == STATE(UNSPECIFIED))
			rpc_finish(call, GRPC_OK, NULL);
	}
}

static void read_csr(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(ReadCsr, READ_CSR);
	Pmu__V1__Csr csr = PMU__V1__CSR__INIT;

	if (!is_known(call, req->machine))
		return;
	if (req->hart != 1 || strcmp(req->name, "mscratch")) {
		rpc_finish(call, GRPC_NOT_FOUND, "no CSR '%s'", req->name);
		return;
	}
	csr.value = machine.csr;
	answer.csr = &csr;
	rpc_reply(call, &answer.base);
}

/* There is hart 1; a request that forgets to say so is told. */
static bool is_hart(struct rpc_call *call, uint32_t hart)
{
	if (hart != 1)
		rpc_finish(call, GRPC_NOT_FOUND, "no hart %u", hart);
	return hart == 1;
}

static void write_csr(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(WriteCsr, WRITE_CSR);
	Pmu__V1__Csr csr = PMU__V1__CSR__INIT;

	if (!is_known(call, req->machine) || !is_hart(call, req->hart))
		return;
	machine.csr = csr.value = req->value;
	answer.csr = &csr;
	rpc_reply(call, &answer.base);
}

static void read_registers(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(ReadRegisters, READ_REGISTERS);

	if (!is_known(call, req->machine) || !is_hart(call, req->hart))
		return;
	answer.x = machine.reg;
	answer.n_x = 32;
	answer.pc = machine.reg[32];
	answer.f = machine.reg + 33;
	answer.n_f = 32;
	answer.fcsr = (uint32_t)machine.reg[65];
	rpc_reply(call, &answer.base);
}

static void write_register(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(WriteRegister, WRITE_REGISTER);

	if (!is_known(call, req->machine) || !is_hart(call, req->hart))
		return;
	if (req->number >= REGISTERS) {
		rpc_finish(call, GRPC_INVALID_ARGUMENT, "number: %u",
			   req->number);
		return;
	}
	machine.reg[req->number] = req->value;
	rpc_reply(call, &answer.base);
}

/* One byte fewer than asked for at the end of memory: a broken daemon. */
static void read_memory(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(ReadMemory, READ_MEMORY);

	if (!is_known(call, req->machine))
		return;
	answer.data.data = machine.memory + req->address;
	answer.data.len = req->size;
	if (req->address + req->size > MEMORY)
		answer.data.len = MEMORY - req->address;
	rpc_reply(call, &answer.base);
}

static void write_memory(struct rpc_call *call, const ProtobufCMessage *msg)
{
	MESSAGES(WriteMemory, WRITE_MEMORY);

	if (!is_known(call, req->machine))
		return;
	memcpy(machine.memory + req->address, req->data.data, req->data.len);
	rpc_reply(call, &answer.base);
}

#define ROW(service, method, name, how, handler)                               \
	{                                                                      \
		.path = "/pmu.v1." #service "Service/" #method,                \
		.request = &pmu__v1__##name##_request__descriptor,             \
		.response = &pmu__v1__##name##_response__descriptor,           \
		.kind = (how), .handle = (handler),                            \
	}

static const struct rpc_method methods[] = {
	ROW(Machine, CreateMachine, create_machine, RPC_UNARY, create),
	ROW(Machine, StartMachine, start_machine, RPC_UNARY, start_it),
	ROW(Machine, PauseMachine, pause_machine, RPC_UNARY, pause_it),
	ROW(Machine, ResumeMachine, resume_machine, RPC_UNARY, resume_it),
	ROW(Machine, StepMachine, step_machine, RPC_UNARY, step_it),
	ROW(Machine, DetachMachine, detach_machine, RPC_UNARY, detach),
	ROW(Machine, DeleteMachine, delete_machine, RPC_UNARY, delete),
	ROW(Machine, WatchMachine, watch_machine, RPC_SERVER_STREAM, watch),
	ROW(Hart, ReadCsr, read_csr, RPC_UNARY, read_csr),
	ROW(Hart, WriteCsr, write_csr, RPC_UNARY, write_csr),
	ROW(Hart, ReadRegisters, read_registers, RPC_UNARY, read_registers),
	ROW(Hart, WriteRegister, write_register, RPC_UNARY, write_register),
	ROW(Hart, ReadMemory, read_memory, RPC_UNARY, read_memory),
	ROW(Hart, WriteMemory, write_memory, RPC_UNARY, write_memory),
};

const struct rpc_table client_machine_table = {
	methods,
	sizeof(methods) / sizeof(*methods),
};
