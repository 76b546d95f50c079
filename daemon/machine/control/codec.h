/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between the core's structures and the protocol's messages. Bytes are not
 * copied: what is made borrows them from what it was made of.
 */
#ifndef CONTROL_CODEC_H
#define CONTROL_CODEC_H

#include <pmu/csr-access.h>
#include <pmu/hart.h>

#include "core/input.h"
#include "core/life.h"
#include "core/machine-load.h"
#include "core/recorder.h"
#include "core/sampler.h"
#include "core/sched.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/traces.pb-c.h"

/* Which arguments of an SBI call, a0-a7, say what it is. */
enum {
	ARG_FID = 6,
	ARG_EID = 7,
};

/* An input as a message, with room for what it points to. */
struct input_message {
	Pmu__V1__Input in;
	union {
		Pmu__V1__CsrWrite csr_write;
		Pmu__V1__RegisterWrite register_write;
		Pmu__V1__MemoryWrite memory_write;
		Pmu__V1__SbiInput sbi_call;
		Pmu__V1__EbbInput ebb;
		Pmu__V1__EventInput inject;
	};
};
/* @ret must not be moved afterwards. */
void encode_input(const struct input *in, struct input_message *ret);
/* Nothing is refused: input_check() does that. */
void decode_input(const Pmu__V1__Input *in, struct input *ret);

/* By name; PMU_N_EVENTS: harts count none such. */
enum pmu_event decode_event(const char *name);
Pmu__V1__MachineState encode_state(enum machine_state state);
Pmu__V1__StopCause encode_cause(enum machine_cause cause);
Pmu__V1__HartChange__What encode_change(enum hart_change what);
Pmu__V1__HartStatus encode_hart_status(enum hart_status status);
Pmu__V1__ChainEnd encode_chain_end(enum chain_end end);
Pmu__V1__Reset__Kind encode_reboot(enum reboot_kind kind);
Pmu__V1__Privilege encode_mode(enum pmu_mode mode);
/* @next, if it is on the other side of V than @mode. */
Pmu__V1__Privilege encode_next_mode(enum pmu_mode mode, enum pmu_mode next);
Pmu__V1__CsrAccess__Refusal encode_csr_refusal(enum pmu_csr_refusal refusal);
/*
 * Bits of enum pmu_mode, of a list of Privileges: none is all of them; 0: one
 * does not exist.
 */
unsigned decode_modes(const Pmu__V1__Privilege *list, size_t n);
/* Symbols are no image of the machine's: they must not come here. */
enum image_kind decode_image_kind(Pmu__V1__ImageKind kind);

#endif
