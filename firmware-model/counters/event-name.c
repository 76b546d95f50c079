/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware events: their codes, their names, what each counts. */
#include <fw/event-name.h>

#include <stddef.h>

#include <pmu/rule.h>

#include "fw-events.h"

/* In the spec profile: C92 and C93 say what differs in the other. */
#define EVENT(id, code, name, rule, counts)                                    \
	[FW_EV_##id] = { code, name, counts, rule, 0 }
/* This implementation's: SBI 2.0 gave it the codes from 256 on. */
#define OWN(id, code, name, counts)                                            \
	[FW_EV_##id] = { code, name, counts, RULE("C98"), FW_SBI_2_0 }

static const struct fw_event_desc events[FW_N_EVENTS] = {
	EVENT(MISALIGNED_LOAD, 0, "fw_misaligned_load", RULE("C96"),
	      "misaligned loads that trapped to the firmware"),
	EVENT(MISALIGNED_STORE, 1, "fw_misaligned_store", RULE("C96"),
	      "misaligned stores that trapped to the firmware"),
	EVENT(ACCESS_LOAD, 2, "fw_access_load", RULE("C96"),
	      "load access faults that trapped to the firmware"),
	EVENT(ACCESS_STORE, 3, "fw_access_store", RULE("C96"),
	      "store access faults that trapped to the firmware"),
	EVENT(ILLEGAL_INSN, 4, "fw_illegal_insn", RULE("C96"),
	      "illegal instructions that trapped to the firmware"),
	EVENT(SET_TIMER, 5, "fw_set_timer", RULE("C95"),
	      "calls of set_timer, the legacy one and disarming too"),
	EVENT(IPI_SENT, 6, "fw_ipi_sent", RULE("C92"),
	      "other harts signalled by send_ipi"),
	EVENT(IPI_RECEIVED, 7, "fw_ipi_received", RULE("C93"),
	      "signals of other harts"),
	EVENT(FENCE_I_SENT, 8, "fw_fence_i_sent", RULE("C92"),
	      "calls of remote_fence_i that reach another hart"),
	EVENT(FENCE_I_RECEIVED, 9, "fw_fence_i_received", RULE("C93"),
	      "remote_fence_i of other harts executed here"),
	EVENT(SFENCE_SENT, 10, "fw_sfence_vma_sent", RULE("C92"),
	      "calls of remote_sfence_vma that reach another hart"),
	EVENT(SFENCE_RECEIVED, 11, "fw_sfence_vma_received", RULE("C93"),
	      "remote_sfence_vma of other harts executed here"),
	EVENT(SFENCE_ASID_SENT, 12, "fw_sfence_vma_asid_sent", RULE("C92"),
	      "calls of remote_sfence_vma_asid that reach another hart"),
	EVENT(SFENCE_ASID_RECEIVED, 13, "fw_sfence_vma_asid_received",
	      RULE("C93"),
	      "remote_sfence_vma_asid of other harts executed here"),
	EVENT(HFENCE_GVMA_SENT, 14, "fw_hfence_gvma_sent", RULE("C92"),
	      "calls of remote_hfence_gvma that reach another hart"),
	EVENT(HFENCE_GVMA_RECEIVED, 15, "fw_hfence_gvma_received", RULE("C93"),
	      "remote_hfence_gvma of other harts executed here"),
	EVENT(HFENCE_GVMA_VMID_SENT, 16, "fw_hfence_gvma_vmid_sent",
	      RULE("C92"),
	      "calls of remote_hfence_gvma_vmid that reach another hart"),
	EVENT(HFENCE_GVMA_VMID_RECEIVED, 17, "fw_hfence_gvma_vmid_received",
	      RULE("C93"),
	      "remote_hfence_gvma_vmid of other harts executed here"),
	EVENT(HFENCE_VVMA_SENT, 18, "fw_hfence_vvma_sent", RULE("C92"),
	      "calls of remote_hfence_vvma that reach another hart"),
	EVENT(HFENCE_VVMA_RECEIVED, 19, "fw_hfence_vvma_received", RULE("C93"),
	      "remote_hfence_vvma of other harts executed here"),
	EVENT(HFENCE_VVMA_ASID_SENT, 20, "fw_hfence_vvma_asid_sent",
	      RULE("C92"),
	      "calls of remote_hfence_vvma_asid that reach another hart"),
	EVENT(HFENCE_VVMA_ASID_RECEIVED, 21, "fw_hfence_vvma_asid_received",
	      RULE("C93"),
	      "remote_hfence_vvma_asid of other harts executed here"),
	OWN(SBI_CALL, 256, "fw_sbi_call",
	    "SBI calls, those that fail and an instrument's too"),
	OWN(CSR_EMULATED, 257, "fw_csr_emulated",
	    "reads of counters and time that trapped and were emulated"),
	OWN(TRAP_REDIRECTED, 258, "fw_trap_redirected",
	    "exceptions that trapped to the firmware and were handed on"),
	OWN(TIMER_EXPIRED, 259, "fw_timer_expired",
	    "deadlines of set_timer reached; with Sstc the hart has them"),
	OWN(LCOFI_TAKEN, 260, "fw_lcofi_taken",
	    "counter overflow interrupts taken by S-mode or its guests"),
};

const struct fw_event_desc *fw_event_desc(unsigned event)
{
	return event < FW_N_EVENTS ? &events[event] : NULL;
}

const struct fw_event_desc *fw_event_by_code(uint32_t code)
{
	for (unsigned i = 0; i < FW_N_EVENTS; i++)
		if (events[i].code == code)
			return &events[i];
	return NULL;
}
