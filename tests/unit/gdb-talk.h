/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A debugger's conversation, packet by packet, and what the machine is asked
 * for it: two harts, the second without doubles, each with CSRs of its own.
 */
#ifndef TESTS_GDB_TALK_H
#define TESTS_GDB_TALK_H

#include "canned-answers.h"
#include "gdb/gdb-stub.h"

#define TALK_GET    "MachineService/GetMachine"
#define TALK_RESUME "MachineService/ResumeMachine"
#define TALK_PAUSE  "MachineService/PauseMachine"
#define TALK_WATCH  "MachineService/WatchMachine"
#define TALK_STEP   "MachineService/StepMachine"
#define TALK_POINTS "MachineService/SetBreakpoints"
#define TALK_INPUT  "MachineService/WriteConsole"
#define TALK_HARTS  "HartService/ListHarts"
#define TALK_CSRS   "HartService/ListCsrs"
#define TALK_REGS   "HartService/ReadRegisters"
#define TALK_SET    "HartService/WriteRegister"
#define TALK_CSR    "HartService/ReadCsr"
#define TALK_SETCSR "HartService/WriteCsr"
#define TALK_READ   "HartService/ReadMemory"
#define TALK_WRITE  "HartService/WriteMemory"
#define TALK_M1	    " {'machine':'m1'}\n"

#define TALK_TWO_HARTS                                                         \
	"{'harts':[{'isa':'rv64imafd_zicsr','privilege':1,'status':1},"        \
	"{'isa':'rv64imac_zfh','privilege':4,'status':2}]}"
/* xN is N, but for x1, and so is fN. */
#define TALK_MANY                                                              \
	"[0,258,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"    \
	"24,25,26,27,28,29,30,31]"
#define TALK_REGISTERS(pc, fcsr)                                               \
	"{'pc':" pc ",'x':" TALK_MANY ",'f':" TALK_MANY ",'fcsr':" fcsr "}"

enum {
	TALK_MAX = 14
};

struct talk_row {
	const char *why;
	struct {
		/* A packet; "!BYTES": no packet; ".": has the machine stopped?
		 * NULL ends a talk. */
		const char *in;
		/* "" nothing; "$" and the payload of each packet. */
		const char *out;
	} talk[TALK_MAX];
	struct canned calls[CANNED_MAX];
	const char *asked; /* NULL: does not matter */
};

extern struct gdb_target talk_target;
extern struct gdb_run talk_run;
extern struct gdb_stub talk_stub;

/* Attaches, as @calls answer it; NULL: as above. The exit code. */
int talk_attach(const struct canned *calls);
void talk_setup(void); /* the same, in no-ack mode; it must succeed */
void talk_teardown(void);
void talk_check(const struct talk_row *row);
/* One of @in above. */
void talk_say(const char *in);
/* What was sent since, runs resolved, without the sums, which hold. */
const char *talk_sent(void);

#endif
