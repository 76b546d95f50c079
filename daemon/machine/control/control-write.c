/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that change what the guest sees: each becomes one stamped input.
 */
#include "codec-answer.h"
#include "codec-request.h"
#include "control-inside.h"
#include "core/input.h"
#include "view/inspect.h"

enum handled control_write_console(struct control *c,
				   const Pmu__V1__WriteConsoleRequest *q,
				   Pmu__V1__WriteConsoleResponse *answer,
				   struct error *e)
{
	const struct input in = decode_console_write(q);

	if (q->data.len && !machine_input(c->machine, &in, NULL, e))
		return HANDLED_FAILED;
	if (q->eof)
		machine_console_eof(c->machine);
	return HANDLED_DONE;
}

enum handled control_write_csr(struct control *c,
			       const Pmu__V1__WriteCsrRequest *q,
			       Pmu__V1__WriteCsrResponse *answer,
			       struct error *e)
{
	struct csr_asked csr;
	struct input in;

	if (!decode_csr_to_write(q, &csr, e) ||
	    !inspect_csr_number(c->machine, q->hart, csr.name, &csr.number, e))
		return HANDLED_FAILED;
	in = decode_csr_write(q, csr.number);
	if (!machine_input(c->machine, &in, NULL, e))
		return HANDLED_FAILED;
	answer->csr = control_csr(c, q->hart, csr.number, e);
	if (!answer->csr)
		return HANDLED_FAILED;
	return HANDLED_DONE;
}

enum handled control_write_register(struct control *c,
				    const Pmu__V1__WriteRegisterRequest *q,
				    Pmu__V1__WriteRegisterResponse *answer,
				    struct error *e)
{
	const struct input in = decode_register_write(q);

	return control_good(machine_input(c->machine, &in, NULL, e));
}

/* An input for each piece, none of them where one could not be done. */
static bool write_memory(struct control *c,
			 const Pmu__V1__WriteMemoryRequest *q, struct error *e)
{
	struct input in = decode_memory_write(q, 0, INPUT_MAX_MEMORY);
	struct input all = decode_memory_write(q, 0, q->data.len);

	if (all.memory_write.len > in.memory_write.len &&
	    !machine_check_write(c->machine, &all, e))
		return false;
	for (size_t at = 0; at < q->data.len; at += in.memory_write.len) {
		in = decode_memory_write(q, at, INPUT_MAX_MEMORY);
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
			  "data: must be from 1 to %d bytes, not %zu",
			  MACHINE_MAX_PEEK, q->data.len);
		return HANDLED_FAILED;
	}
	return control_good(write_memory(c, q, e));
}

enum handled control_call_sbi(struct control *c,
			      const Pmu__V1__CallSbiRequest *q,
			      Pmu__V1__CallSbiResponse *answer, struct error *e)
{
	struct record_sbi *got = control_alloc(c, sizeof(*got));
	struct input in;

	if (!decode_sbi_request(q, &in, e) ||
	    !machine_input(c->machine, &in, got, e))
		return HANDLED_FAILED;
	encode_sbi_answer(got, answer);
	return HANDLED_DONE;
}
