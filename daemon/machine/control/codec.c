/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the core's inputs are on the wire, and its states, causes and kinds.
 */
#include "codec.h"

#include <string.h>

static void encode_ebb(const struct ebb_act *act, Pmu__V1__EbbInput *ret)
{
	pmu__v1__ebb_input__init(ret);
	ret->what = (Pmu__V1__EbbInput__What)act->what;
	ret->session = act->session;
	ret->counter = act->counter;
	ret->event = act->event;
	ret->period = act->period;
	ret->freezes = act->freezes;
	ret->reloads = act->reloads;
	ret->masked = act->masked;
}

void encode_input(const struct input *in, struct input_message *ret)
{
	*ret = (struct input_message){ .in = PMU__V1__INPUT__INIT };
	ret->in.cycle = in->cycle;
	ret->in.hart = in->hart;
	ret->in.moment = in->moment;
	switch (in->kind) {
	case INPUT_CONSOLE:
		ret->in.kind_case = PMU__V1__INPUT__KIND_CONSOLE;
		ret->in.console.data = (uint8_t *)in->console.bytes;
		ret->in.console.len = in->console.len;
		break;
	case INPUT_CSR_WRITE:
		pmu__v1__csr_write__init(&ret->csr_write);
		ret->csr_write.csr = in->csr_write.csr;
		ret->csr_write.value = in->csr_write.value;
		ret->in.kind_case = PMU__V1__INPUT__KIND_CSR_WRITE;
		ret->in.csr_write = &ret->csr_write;
		break;
	case INPUT_REGISTER_WRITE:
		pmu__v1__register_write__init(&ret->register_write);
		ret->register_write.number = in->register_write.number;
		ret->register_write.value = in->register_write.value;
		ret->in.kind_case = PMU__V1__INPUT__KIND_REGISTER_WRITE;
		ret->in.register_write = &ret->register_write;
		break;
	case INPUT_MEMORY_WRITE:
		pmu__v1__memory_write__init(&ret->memory_write);
		ret->memory_write.address = in->memory_write.address;
		ret->memory_write.data.data = (uint8_t *)in->memory_write.bytes;
		ret->memory_write.data.len = in->memory_write.len;
		ret->memory_write.virtual_ = in->memory_write.virtual;
		ret->in.kind_case = PMU__V1__INPUT__KIND_MEMORY_WRITE;
		ret->in.memory_write = &ret->memory_write;
		break;
	case INPUT_SBI_CALL:
		pmu__v1__sbi_input__init(&ret->sbi_call);
		ret->sbi_call.args = (uint64_t *)in->sbi_call.args;
		ret->sbi_call.n_args = INPUT_SBI_ARGS;
		ret->in.kind_case = PMU__V1__INPUT__KIND_SBI_CALL;
		ret->in.sbi_call = &ret->sbi_call;
		break;
	case INPUT_EBB:
		encode_ebb(&in->ebb, &ret->ebb);
		ret->in.kind_case = PMU__V1__INPUT__KIND_EBB;
		ret->in.ebb = &ret->ebb;
		break;
	case INPUT_INJECT:
		pmu__v1__event_input__init(&ret->inject);
		ret->inject.event =
			(char *)pmu_event_desc(in->inject.event)->name;
		ret->inject.count = in->inject.n;
		ret->inject.last_pc = in->inject.last_pc;
		ret->in.kind_case = PMU__V1__INPUT__KIND_INJECT;
		ret->in.inject = &ret->inject;
		break;
	case INPUT_UNKNOWN:
		break;
	}
}

static void decode_sbi_call(const Pmu__V1__SbiInput *call, struct input *ret)
{
	size_t n =
		call->n_args < INPUT_SBI_ARGS ? call->n_args : INPUT_SBI_ARGS;

	ret->kind = INPUT_SBI_CALL;
	ret->sbi_call.n_args = call->n_args;
	for (size_t i = 0; i < n; i++)
		ret->sbi_call.args[i] = call->args[i];
}

static void decode_ebb(const Pmu__V1__EbbInput *act, struct input *ret)
{
	ret->kind = INPUT_EBB;
	ret->ebb = (struct ebb_act){
		.what = EBB_UNKNOWN,
		.session = act->session,
		.counter = act->counter,
		.event = act->event,
		.period = act->period,
		.freezes = act->freezes,
		.reloads = act->reloads,
		.masked = act->masked,
	};
	if ((unsigned)act->what < EBB_N_WHATS)
		ret->ebb.what = (enum ebb_what)act->what;
}

enum pmu_event decode_event(const char *name)
{
	const struct pmu_event_desc *d = pmu_event_by_name(name);

	return d ? d->event : PMU_N_EVENTS;
}

void decode_input(const Pmu__V1__Input *in, struct input *ret)
{
	*ret = (struct input){ .hart = in->hart,
			       .cycle = in->cycle,
			       .moment = in->moment };
	switch (in->kind_case) {
	case PMU__V1__INPUT__KIND_CONSOLE:
		ret->kind = INPUT_CONSOLE;
		ret->console.bytes = in->console.data;
		ret->console.len = in->console.len;
		break;
	case PMU__V1__INPUT__KIND_CSR_WRITE:
		ret->kind = INPUT_CSR_WRITE;
		ret->csr_write.csr = in->csr_write->csr;
		ret->csr_write.value = in->csr_write->value;
		break;
	case PMU__V1__INPUT__KIND_REGISTER_WRITE:
		ret->kind = INPUT_REGISTER_WRITE;
		ret->register_write.number = in->register_write->number;
		ret->register_write.value = in->register_write->value;
		break;
	case PMU__V1__INPUT__KIND_MEMORY_WRITE:
		ret->kind = INPUT_MEMORY_WRITE;
		ret->memory_write.address = in->memory_write->address;
		ret->memory_write.bytes = in->memory_write->data.data;
		ret->memory_write.len = in->memory_write->data.len;
		ret->memory_write.virtual = in->memory_write->virtual_;
		break;
	case PMU__V1__INPUT__KIND_SBI_CALL:
		decode_sbi_call(in->sbi_call, ret);
		break;
	case PMU__V1__INPUT__KIND_EBB:
		decode_ebb(in->ebb, ret);
		break;
	case PMU__V1__INPUT__KIND_INJECT:
		ret->kind = INPUT_INJECT;
		ret->inject.event = decode_event(in->inject->event);
		ret->inject.n = in->inject->count;
		ret->inject.last_pc = in->inject->last_pc;
		break;
	case PMU__V1__INPUT__KIND__NOT_SET:
	case _PMU__V1__INPUT__KIND__CASE_IS_INT_SIZE:
		break;
	}
}

Pmu__V1__MachineState encode_state(enum machine_state state)
{
	static const Pmu__V1__MachineState states[] = {
#define STATE(name)                                                            \
	[MACHINE_##name] = PMU__V1__MACHINE_STATE__MACHINE_STATE_##name
		STATE(NEW),	STATE(RUNNING), STATE(PAUSED),
		STATE(WAITING), STATE(ENDED),	STATE(CRASHED),
#undef STATE
	};

	return states[state];
}

Pmu__V1__StopCause encode_cause(enum machine_cause cause)
{
	static const Pmu__V1__StopCause causes[] = {
		[CAUSE_NONE] = PMU__V1__STOP_CAUSE__STOP_CAUSE_UNSPECIFIED,
#define CAUSE(name) [CAUSE_##name] = PMU__V1__STOP_CAUSE__STOP_CAUSE_##name
		CAUSE(SHUTDOWN),
		CAUSE(FINISHER_PASS),
		CAUSE(FINISHER_FAIL),
		CAUSE(HTIF),
		CAUSE(SYSTEM_FAILURE),
		CAUSE(REBOOT),
		CAUSE(MAX_INSNS),
		CAUSE(MAX_CYCLES),
		CAUSE(DEADLOCK),
		CAUSE(PAUSE),
		CAUSE(BREAKPOINT),
		CAUSE(STEP),
		CAUSE(UNTIL),
		CAUSE(CRASH),
		CAUSE(TRAP_LOOP),
		CAUSE(WATCHPOINT),
#undef CAUSE
	};

	return causes[cause];
}

Pmu__V1__HartChange__What encode_change(enum hart_change what)
{
	static const Pmu__V1__HartChange__What changes[] = {
#define CHANGE(name) [CHANGE_##name] = PMU__V1__HART_CHANGE__WHAT__WHAT_##name
		CHANGE(STARTED), CHANGE(STOPPED),	 CHANGE(WAITING),
		CHANGE(WOKEN),	 CHANGE(SOFTWARE_EVENT), CHANGE(EVENT_BRANCH),
#undef CHANGE
	};

	return changes[what];
}

Pmu__V1__HartStatus encode_hart_status(enum hart_status status)
{
	static const Pmu__V1__HartStatus statuses[] = {
#define STATUS(name) [HART_##name] = PMU__V1__HART_STATUS__HART_STATUS_##name
		STATUS(STOPPED),
		STATUS(RUNNING),
		STATUS(WAITING),
#undef STATUS
	};

	return statuses[status];
}

Pmu__V1__ChainEnd encode_chain_end(enum chain_end end)
{
	static const Pmu__V1__ChainEnd ends[] = {
		[CHAIN_NONE] = PMU__V1__CHAIN_END__CHAIN_END_UNSPECIFIED,
#define END(name) [CHAIN_##name] = PMU__V1__CHAIN_END__CHAIN_END_##name
		END(BOTTOM),
		END(LIMIT),
		END(BAD_FRAME),
		END(UNREADABLE),
		END(BAD_RETURN),
		END(LEFT_MODE),
		END(NO_RETURN),
#undef END
	};

	return ends[end];
}

Pmu__V1__Reset__Kind encode_reboot(enum reboot_kind kind)
{
	static const Pmu__V1__Reset__Kind kinds[] = {
#define KIND(name) [REBOOT_##name] = PMU__V1__RESET__KIND__KIND_##name
		KIND(COLD),
		KIND(WARM),
		KIND(DEVICE),
#undef KIND
	};

	return kinds[kind];
}

unsigned decode_modes(const Pmu__V1__Privilege *list, size_t n)
{
	unsigned modes = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned mode =
			(unsigned)list[i] - PMU__V1__PRIVILEGE__PRIVILEGE_M;

		if (mode >= PMU_N_MODES)
			return 0;
		modes |= 1u << mode;
	}
	return n ? modes : (1u << PMU_N_MODES) - 1;
}

Pmu__V1__Privilege encode_mode(enum pmu_mode mode)
{
	static const Pmu__V1__Privilege privileges[] = {
#define MODE(name) [PMU_MODE_##name] = PMU__V1__PRIVILEGE__PRIVILEGE_##name
		MODE(M), MODE(S), MODE(U), MODE(VS), MODE(VU),
#undef MODE
	};

	return privileges[mode];
}

Pmu__V1__Privilege encode_next_mode(enum pmu_mode mode, enum pmu_mode next)
{
	return pmu_mode_is_guest(mode) == pmu_mode_is_guest(next)
		       ? PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED
		       : encode_mode(next);
}

Pmu__V1__CsrAccess__Refusal encode_csr_refusal(enum pmu_csr_refusal refusal)
{
	static const Pmu__V1__CsrAccess__Refusal refusals[] = {
		[PMU_CSR_ACCEPTED] =
			PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_UNSPECIFIED,
#define REFUSAL(name)                                                          \
	[PMU_CSR_##name] = PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_##name
		REFUSAL(ABSENT),
		REFUSAL(PRIVILEGE),
		REFUSAL(READ_ONLY),
		REFUSAL(CLOSED),
#undef REFUSAL
	};

	return refusals[refusal];
}

enum image_kind decode_image_kind(Pmu__V1__ImageKind kind)
{
	switch (kind) {
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_ELF:
		return IMAGE_ELF;
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT:
		return IMAGE_FLAT;
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB:
		return IMAGE_DTB;
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_KERNEL:
		return IMAGE_KERNEL;
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_INITRD:
		return IMAGE_INITRD;
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE:
		return IMAGE_FIRMWARE;
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_UNSPECIFIED:
	case PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS:
	case _PMU__V1__IMAGE_KIND_IS_INT_SIZE:
		break;
	}
	return IMAGE_ANY;
}
