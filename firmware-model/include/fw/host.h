/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The world around the firmware model: the machine it runs on, as functions
 * that the machine provides, and platforms that map events in code.
 */
#ifndef FW_HOST_H
#define FW_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why and how the system resets (SBI SRST types and reasons). */
struct fw_reset {
	uint32_t type;	 /* 0 shutdown, 1 cold reboot, 2 warm reboot */
	uint32_t reason; /* 0 none, 1 system failure */
};

enum fw_fence_kind {
	FW_FENCE_I,
	FW_SFENCE_VMA,
	FW_SFENCE_VMA_ASID,
	FW_HFENCE_GVMA,
	FW_HFENCE_GVMA_VMID,
	FW_HFENCE_VVMA, /* of the guest that the caller's hgatp names */
	FW_HFENCE_VVMA_ASID
};

/*
 * The machine, as firmware reaches it. @hart is an index 0..n_harts-1, all
 * calls are synchronous and take no guest time. None may be NULL.
 */
struct fw_host_ops {
	/* Copies to/from guest physical RAM. False: not all of it is RAM. */
	bool (*mem_read)(void *host, uint64_t paddr, void *buf, size_t len);
	bool (*mem_write)(void *host, uint64_t paddr, const void *buf,
			  size_t len);
	/* Is [paddr, paddr + len) RAM? len may be huge; wrapping is false. */
	bool (*mem_is_ram)(void *host, uint64_t paddr, uint64_t len);
	void (*console_write)(void *host, const uint8_t *bytes, size_t len);
	/* The number of bytes got, 0 when none wait. */
	size_t (*console_read)(void *host, uint8_t *buf, size_t len);
	/* The fence takes effect on @hart before it runs on. */
	void (*fence)(void *host, unsigned hart, enum fw_fence_kind kind);
	/* A software interrupt that S-mode sent is pending on @hart. */
	void (*ipi_sent)(void *host, unsigned hart);
	/* @hart begins at @pc in S-mode with a0 = hartid, a1 = opaque. */
	void (*hart_start)(void *host, unsigned hart, uint64_t pc,
			   uint64_t opaque);
	/* @hart does not run and its clock stands until hart_start(). */
	void (*hart_stop)(void *host, unsigned hart);
	/*
	 * @hart waits as WFI does (pmu_hart_wakes(), its mode is M meanwhile),
	 * until fw_hart_woken() or fw_sse_due() at the latest. When it wakes
	 * the host calls fw_hart_resumed(). Then a @retentive suspend goes on
	 * behind the ecall: fw_trap() has returned FW_DONE and the registers
	 * are written. Else it starts at @pc with a0 = hartid and a1 = @opaque:
	 * fw_trap() has returned FW_GONE.
	 */
	void (*hart_suspend)(void *host, unsigned hart, bool retentive,
			     uint64_t pc, uint64_t opaque);
	/* The deadline of @hart's timer changed. */
	void (*timer_changed)(void *host, unsigned hart);
	void (*reset)(void *host, const struct fw_reset *reset);
	/*
	 * @hart, which has given memory for snapshots, starts counters from the
	 * base that Linux then takes by mistake, and is refused (C77).
	 */
	void (*snapshot_mistake)(void *host, unsigned hart);
};

/*
 * Platforms that map events in code instead of a device tree. Any may be NULL.
 * Counters are returned as a bitmap of hardware counters 0-31; @ret_select is
 * what goes to mhpmevent. @event_data: without the bits that SBI ignores (C40).
 */
struct fw_platform_ops {
	bool (*map_event)(void *platform, uint32_t event_idx,
			  uint64_t event_data, uint32_t *ret_counters,
			  uint64_t *ret_select);
	/*
	 * Platform firmware events (event_idx code 65535): is @event_data one?
	 * They are counted by fw_platform_event().
	 */
	bool (*has_platform_event)(void *platform, uint64_t event_data);
	void *platform;
};

#endif
