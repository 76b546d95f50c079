/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What requests ask for, as the core and the view take it. Bytes and texts are
 * borrowed from the request. What the core refuses itself is not refused here.
 */
#ifndef CONTROL_CODEC_REQUEST_H
#define CONTROL_CODEC_REQUEST_H

#include "core/machine.h"
#include "pmu/v1/common.pb-c.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/sbi.pb-c.h"
#include "view/inspect.h"

/* False: @e says what of it cannot be. A seed that is to be drawn is not. */
bool decode_config(const Pmu__V1__MachineConfig *cfg,
		   struct machine_config *ret, struct error *e);
/* codec-sampler.c; @ret is zeroed */
bool decode_sampler(const Pmu__V1__Sampler *s, struct machine_sampler *ret,
		    struct error *e);

bool decode_until(const Pmu__V1__RunUntilRequest *q, struct machine_until *ret,
		  struct error *e);
struct machine_step decode_step(const Pmu__V1__StepMachineRequest *q);
struct machine_watchpoint decode_watchpoint(const Pmu__V1__Watchpoint *w);
struct inspect_range decode_range(const Pmu__V1__ReadMemoryRequest *q);

/* The CSR that a request names: by @name, or by @number if that is NULL. */
struct csr_asked {
	uint32_t number;
	const char *name;
};
bool decode_csr_to_read(const Pmu__V1__ReadCsrRequest *q, struct csr_asked *ret,
			struct error *e);
bool decode_csr_to_write(const Pmu__V1__WriteCsrRequest *q,
			 struct csr_asked *ret, struct error *e);

/* The inputs that requests ask for; @number: of the CSR to be written. */
struct input decode_console_write(const Pmu__V1__WriteConsoleRequest *q);
struct input decode_csr_write(const Pmu__V1__WriteCsrRequest *q,
			      uint32_t number);
struct input decode_register_write(const Pmu__V1__WriteRegisterRequest *q);
/* Of @q's bytes those from @at on, at most @most. */
struct input decode_memory_write(const Pmu__V1__WriteMemoryRequest *q,
				 size_t at, size_t most);
bool decode_sbi_request(const Pmu__V1__CallSbiRequest *q, struct input *ret,
			struct error *e);

#endif
