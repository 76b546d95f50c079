/* SPDX-License-Identifier: BSD-2-Clause */
/* What requests ask for: field by field, and what of it can be nothing. */
#include "codec-request.h"

#include <string.h>

#include "codec.h"
#include "refusal.h"

enum {
	SBI_CALL_ARGS = 6,
};

/* A machine that is to be made */

static bool refuse_setting(const Pmu__V1__MachineConfig *cfg, size_t i,
			   const char *why, struct error *e)
{
	bool known = settings_known(cfg->settings[i]->key);

	error_set(e, ERROR_INVALID,
		  known ? AT(PART_SETTING_VALUE, "BAD_VALUE")
			: AT(PART_SETTING_KEY, "NO_SUCH_SETTING"),
		  "%s", why);
	return error_within(e, i);
}

static bool decode_bootargs(const char *text, struct machine_config *ret,
			    struct error *e)
{
	if (strlen(text) >= sizeof(ret->bootargs))
		return error_set(e, ERROR_INVALID,
				 AT(PART_BOOTARGS, "BAD_SIZE"),
				 "bootargs: must be at most %zu bytes, not %zu",
				 sizeof(ret->bootargs) - 1, strlen(text));
	strcpy(ret->bootargs, text);
	return true;
}

bool decode_config(const Pmu__V1__MachineConfig *cfg,
		   struct machine_config *ret, struct error *e)
{
	char why[SETTINGS_ERROR];

	ret->harts = cfg->harts;
	ret->memory = cfg->memory_bytes;
	ret->m_mode = cfg->start_mode == PMU__V1__START_MODE__START_MODE_M;
	if ((unsigned)cfg->start_mode > PMU__V1__START_MODE__START_MODE_M)
		return error_set(e, ERROR_INVALID,
				 AT(PART_START_MODE, "UNKNOWN_VALUE"),
				 "start_mode: must be S or M, not %d",
				 (int)cfg->start_mode);
	if (cfg->n_settings > SETTINGS_MOST)
		return error_set(e, ERROR_INVALID,
				 AT(PART_SETTINGS, "TOO_MANY"),
				 "config.settings: must be at most %d, not %zu",
				 SETTINGS_MOST, cfg->n_settings);
	if (cfg->recorded)
		settings_init_recorded(&ret->settings);
	else
		settings_init(&ret->settings);
	for (size_t i = 0; i < cfg->n_settings; i++)
		if (!settings_set(&ret->settings, cfg->settings[i]->key,
				  cfg->settings[i]->value, why))
			return refuse_setting(cfg, i, why, e);
	return decode_bootargs(cfg->bootargs, ret, e);
}

/* How far it is to run */

bool decode_until(const Pmu__V1__RunUntilRequest *q, struct machine_until *ret,
		  struct error *e)
{
	switch (q->condition_case) {
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION_INSN:
		ret->kind = UNTIL_INSN;
		ret->value = q->insn;
		return true;
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION_CYCLE:
		ret->kind = UNTIL_CYCLE;
		ret->value = q->cycle;
		return true;
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION_PC:
		ret->kind = UNTIL_PC;
		ret->value = q->pc;
		return true;
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION__NOT_SET:
	case _PMU__V1__RUN_UNTIL_REQUEST__CONDITION__CASE_IS_INT_SIZE:
		break;
	}
	return error_set(e, ERROR_INVALID, AT(PART_CONDITION, "FIELD_MISSING"),
			 "condition: one of insn, cycle, pc is needed");
}

struct machine_step decode_step(const Pmu__V1__StepMachineRequest *q)
{
	struct machine_step step = {
		.insns = q->insns,
		.hart = STEP_NEXT_HART,
		.trap_ends = q->trap_ends,
	};

	if (q->which_case == PMU__V1__STEP_MACHINE_REQUEST__WHICH_HART)
		step.hart = q->hart > INT32_MAX ? INT32_MAX : (int)q->hart;
	return step;
}

struct machine_watchpoint decode_watchpoint(const Pmu__V1__Watchpoint *w)
{
	return (struct machine_watchpoint){
		.address = w->address,
		.bytes = w->bytes,
		.loads = w->loads,
		.stores = w->stores,
	};
}

/* What is looked at and written */

struct inspect_range decode_range(const Pmu__V1__ReadMemoryRequest *q)
{
	return (struct inspect_range){
		.hart = q->hart,
		.address = q->address,
		.size = q->size,
		.virtual = q->virtual_,
	};
}

static bool refuse_csr(struct error *e)
{
	return error_set(e, ERROR_INVALID, AT(PART_CSR, "FIELD_MISSING"),
			 "csr: number or name is needed");
}

bool decode_csr_to_read(const Pmu__V1__ReadCsrRequest *q, struct csr_asked *ret,
			struct error *e)
{
	*ret = (struct csr_asked){ 0 };
	switch (q->csr_case) {
	case PMU__V1__READ_CSR_REQUEST__CSR_NUMBER:
		ret->number = q->number;
		return true;
	case PMU__V1__READ_CSR_REQUEST__CSR_NAME:
		ret->name = q->name;
		return true;
	case PMU__V1__READ_CSR_REQUEST__CSR__NOT_SET:
	case _PMU__V1__READ_CSR_REQUEST__CSR__CASE_IS_INT_SIZE:
		break;
	}
	return refuse_csr(e);
}

bool decode_csr_to_write(const Pmu__V1__WriteCsrRequest *q,
			 struct csr_asked *ret, struct error *e)
{
	*ret = (struct csr_asked){ 0 };
	switch (q->csr_case) {
	case PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER:
		ret->number = q->number;
		return true;
	case PMU__V1__WRITE_CSR_REQUEST__CSR_NAME:
		ret->name = q->name;
		return true;
	case PMU__V1__WRITE_CSR_REQUEST__CSR__NOT_SET:
	case _PMU__V1__WRITE_CSR_REQUEST__CSR__CASE_IS_INT_SIZE:
		break;
	}
	return refuse_csr(e);
}

struct input decode_console_write(const Pmu__V1__WriteConsoleRequest *q)
{
	return (struct input){
		.kind = INPUT_CONSOLE,
		.console = { q->data.data, q->data.len },
	};
}

struct input decode_csr_write(const Pmu__V1__WriteCsrRequest *q,
			      uint32_t number)
{
	return (struct input){
		.kind = INPUT_CSR_WRITE,
		.hart = q->hart,
		.csr_write = { number, q->value },
	};
}

struct input decode_register_write(const Pmu__V1__WriteRegisterRequest *q)
{
	return (struct input){
		.kind = INPUT_REGISTER_WRITE,
		.hart = q->hart,
		.register_write = { q->number, q->value },
	};
}

struct input decode_memory_write(const Pmu__V1__WriteMemoryRequest *q,
				 size_t at, size_t most)
{
	size_t rest = q->data.len - at;

	return (struct input){
		.kind = INPUT_MEMORY_WRITE,
		.hart = q->hart,
		.memory_write = { .address = q->address + at,
				  .bytes = q->data.data + at,
				  .len = rest < most ? rest : most,
				  .virtual = q->virtual_ },
	};
}

bool decode_sbi_request(const Pmu__V1__CallSbiRequest *q, struct input *ret,
			struct error *e)
{
	if (q->n_args > SBI_CALL_ARGS)
		return error_set(e, ERROR_INVALID,
				 AT(PART_SBI_ARGS, "TOO_MANY"),
				 "args: must be at most %d, not %zu",
				 SBI_CALL_ARGS, q->n_args);
	*ret = (struct input){
		.kind = INPUT_SBI_CALL,
		.hart = q->hart,
		.sbi_call = { .n_args = INPUT_SBI_ARGS },
	};
	for (size_t i = 0; i < q->n_args; i++)
		ret->sbi_call.args[i] = q->args[i];
	ret->sbi_call.args[ARG_FID] = q->fid;
	ret->sbi_call.args[ARG_EID] = q->eid;
	return true;
}
