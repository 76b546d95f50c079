/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware events that SBI numbers 0 to 21, and counting them.
 */
#ifndef FIRMWARE_FW_EVENTS_H
#define FIRMWARE_FW_EVENTS_H

#include <fw/fw.h>

enum fw_event {
	FW_EV_MISALIGNED_LOAD,
	FW_EV_MISALIGNED_STORE,
	FW_EV_ACCESS_LOAD,
	FW_EV_ACCESS_STORE,
	FW_EV_ILLEGAL_INSN,
	FW_EV_SET_TIMER,
	FW_EV_IPI_SENT,
	FW_EV_IPI_RECEIVED,
	FW_EV_FENCE_I_SENT,
	FW_EV_FENCE_I_RECEIVED,
	FW_EV_SFENCE_SENT,
	FW_EV_SFENCE_RECEIVED,
	FW_EV_SFENCE_ASID_SENT,
	FW_EV_SFENCE_ASID_RECEIVED,
	/* 14-21, the HFENCE events, cannot happen without the H extension. */
};

/* @event happened once on @hart. */
void fw_event(struct fw *fw, unsigned hart, enum fw_event event);

#endif
