/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that change what the guest sees: each becomes one stamped input.
 */
#include <string.h>

#include <fw/sbi.h>

#include "control-inside.h"
#include "view/inspect.h"
#include "core/input.h"

enum {
	SBI_CALL_ARGS = 6,
	A6 = 6,
	A7 = 7,
};

enum handled control_write_console(struct control *c,
				   const Pmu__V1__WriteConsoleRequest *q,
				   Pmu__V1__WriteConsoleResponse *answer,
				   struct error *e)
{
	const struct input in = {
		.kind = INPUT_CONSOLE,
		.console = { q->data.data, q->data.len },
	};

	if (q->data.len && !machine_input(c->machine, &in, NULL, e))
		return HANDLED_FAILED;
	if (q->eof)
		machine_console_eof(c->machine);
	return HANDLED_DONE;
}

static bool csr_number(struct control *c, const Pmu__V1__WriteCsrRequest *q,
		       uint32_t *ret, struct error *e)
{
	const char *name = NULL;

	if (q->csr_case == PMU__V1__WRITE_CSR_REQUEST__CSR_NAME)
		name = q->name;
	else if (q->csr_case == PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER)
		*ret = q->number;
	else
		return error_set(e, ERROR_INVALID,
				 AT(PART_CSR, "FIELD_MISSING"),
				 "csr: number or name is needed");
	return inspect_csr_number(c->machine, q->hart, name, ret, e);
}

enum handled control_write_csr(struct control *c,
			       const Pmu__V1__WriteCsrRequest *q,
			       Pmu__V1__WriteCsrResponse *answer,
			       struct error *e)
{
	struct input in = {
		.kind = INPUT_CSR_WRITE,
		.hart = q->hart,
		.csr_write = { .value = q->value },
	};

	if (!csr_number(c, q, &in.csr_write.csr, e) ||
	    !machine_input(c->machine, &in, NULL, e))
		return HANDLED_FAILED;
	answer->csr = control_csr(c, q->hart, in.csr_write.csr, e);
	if (!answer->csr)
		return HANDLED_FAILED;
	return HANDLED_DONE;
}

enum handled control_write_register(struct control *c,
				    const Pmu__V1__WriteRegisterRequest *q,
				    Pmu__V1__WriteRegisterResponse *answer,
				    struct error *e)
{
	const struct input in = {
		.kind = INPUT_REGISTER_WRITE,
		.hart = q->hart,
		.register_write = { q->number, q->value },
	};

	return control_good(machine_input(c->machine, &in, NULL, e));
}

/* Of @q's bytes those from @at on that a record can hold. */
static struct input memory_input(const Pmu__V1__WriteMemoryRequest *q,
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

/* An input for each piece, none of them where one could not be done. */
static bool write_memory(struct control *c,
			 const Pmu__V1__WriteMemoryRequest *q, struct error *e)
{
	struct input in = memory_input(q, 0, INPUT_MAX_MEMORY);
	struct input all = memory_input(q, 0, q->data.len);

	if (all.memory_write.len > in.memory_write.len &&
	    !machine_check_write(c->machine, &all, e))
		return false;
	for (size_t at = 0; at < q->data.len; at += in.memory_write.len) {
		in = memory_input(q, at, INPUT_MAX_MEMORY);
		if (!machine_input(c->machine, &in, NULL, e))
			return false;
	}
	return true;
}

enum handled control_write_memory(struct control *c,
				  const Pmu__V1__WriteMemoryRequest *q,
				  Pmu__V1__WriteMemoryResponse *answer,
				  struct error *e)
{
	if (q->data.len < 1 || q->data.len > MACHINE_MAX_PEEK) {
		error_set(e, ERROR_INVALID, AT(PART_BYTES, "BAD_SIZE"),
			  "data: %zu bytes, 1 to %d are accepted", q->data.len,
			  MACHINE_MAX_PEEK);
		return HANDLED_FAILED;
	}
	return control_good(write_memory(c, q, e));
}

static void tell_answer(struct control *c, const struct record_sbi *call,
			Pmu__V1__CallSbiResponse *ret)
{
	const char *error = sbi_error_name(call->error);
	const char *name = fw_call_name(call->args[A7], call->args[A6]);

	ret->error = call->error;
	ret->value = call->value;
	if (error)
		ret->error_name = control_text(c, error);
	if (name)
		ret->call_name = control_text(c, name);
	if (call->reason[0])
		ret->reason = control_text(c, call->reason);
}

enum handled control_call_sbi(struct control *c,
			      const Pmu__V1__CallSbiRequest *q,
			      Pmu__V1__CallSbiResponse *answer, struct error *e)
{
	struct input in = {
		.kind = INPUT_SBI_CALL,
		.hart = q->hart,
		.sbi_call = { .n_args = INPUT_SBI_ARGS },
	};
	struct record_sbi got = { 0 };

	if (q->n_args > SBI_CALL_ARGS) {
		error_set(e, ERROR_INVALID, AT(PART_SBI_ARGS, "TOO_MANY"),
			  "args: %zu, at most %d are accepted", q->n_args,
			  SBI_CALL_ARGS);
		return HANDLED_FAILED;
	}
	for (size_t i = 0; i < q->n_args; i++)
		in.sbi_call.args[i] = q->args[i];
	in.sbi_call.args[A6] = q->fid;
	in.sbi_call.args[A7] = q->eid;
	if (!machine_input(c->machine, &in, &got, e))
		return HANDLED_FAILED;
	tell_answer(c, &got, answer);
	return HANDLED_DONE;
}
