/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The common calls in plain C. Machines are named by the id that creating one
 * gives. All return 0 or a negated enum pmuclient_errno, with the words in
 * pmuclient_error(); what pmud refuses is -PMUCLIENT_ERPC.
 */
#ifndef PMUCLIENT_MACHINE_H
#define PMUCLIENT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/v1/events.pb-c.h>
#include <pmu/v1/harts.pb-c.h>
#include <pmu/v1/machines.pb-c.h>
#include <pmu/v1/sbi.pb-c.h>
#include <pmu/v1/traces.pb-c.h>
#include <pmuclient/pmuclient.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

enum {
	PMUCLIENT_ID = 32
}; /* bytes of an id, its end included */

/*
 * Structures that a program fills in begin with their size, sizeof(the same),
 * so that later versions can add members at the end: what is not there is 0.
 */
struct pmuclient_config {
	size_t size;
	unsigned harts;	 /* 0: pmud's default, as of all that follows */
	uint64_t memory; /* bytes */
	bool m_mode;	 /* start in M-mode, without the firmware model */
	bool detach;	 /* live on when this connection ends */
	/* "key=value" strings, NULL behind the last; may be NULL itself */
	const char *const *settings;
	const char *bootargs; /* what a kernel is told; may be NULL */
};

/*
 * Creates a machine. @cfg may be NULL: all defaults. -PMUCLIENT_EINVAL: a
 * setting without '=', or @cfg's size is none.
 */
int pmuclient_create(struct pmuclient *c, const struct pmuclient_config *cfg,
		     char ret_id[PMUCLIENT_ID]);

struct pmuclient_image {
	size_t size;		 /* of this structure */
	Pmu__V1__ImageKind kind; /* UNSPECIFIED: ELF if it begins like one */
	uint64_t address;	 /* of a flat one, physical */
	const void *bytes;
	size_t len;
	uint64_t entry; /* where execution begins; 0: the first image says */
};

/*
 * Uploads an image, before the start. *@ret (may be NULL): where execution
 * begins, SHA-256, what lies where, notes. -PMUCLIENT_EINVAL: @image's size.
 */
int pmuclient_load(struct pmuclient *c, const char *id,
		   const struct pmuclient_image *image,
		   Pmu__V1__LoadImageResponse **ret);

/* What can be done to a machine, or asked of it, in one call. */
enum pmuclient_action {
	PMUCLIENT_GET,	 /* nothing: how it is now */
	PMUCLIENT_START, /* @value: 1 stops before the first instruction */
	PMUCLIENT_PAUSE,
	PMUCLIENT_RESUME,
	PMUCLIENT_STEP,	  /* @value: instructions, 0: 1 */
	PMUCLIENT_DETACH, /* lets it live on when its connection ends */
	PMUCLIENT_DELETE,
};
/*
 * One of them. @value is 0 where nothing else is said. *@ret (may be NULL) is
 * the machine as it is afterwards, NULL when none is told (DETACH, DELETE);
 * free by pmuclient_free_message(&(*ret)->base).
 */
int pmuclient_control(struct pmuclient *c, const char *id,
		      enum pmuclient_action action, uint64_t value,
		      Pmu__V1__MachineInfo **ret);

/* The same by name, where the machine's state is not wanted. */
int pmuclient_start(struct pmuclient *c, const char *id, bool paused);
int pmuclient_pause(struct pmuclient *c, const char *id);
int pmuclient_resume(struct pmuclient *c, const char *id);
/* Executes exactly @insns instructions of one hart. */
int pmuclient_step(struct pmuclient *c, const char *id, uint64_t insns);
int pmuclient_delete(struct pmuclient *c, const char *id);

/* What the machine is now; free by pmuclient_free_message(&(*ret)->base). */
int pmuclient_info(struct pmuclient *c, const char *id,
		   Pmu__V1__GetMachineResponse **ret);
/*
 * Waits until it does not run any more: paused, ended or crashed. *@ret as
 * above (its `machine`). -PMUCLIENT_ETIMEOUT after @timeout_ms (-1: never).
 */
int pmuclient_wait(struct pmuclient *c, const char *id, int timeout_ms,
		   Pmu__V1__WatchMachineResponse **ret);

/* CSRs by name, "mhpmcounter3"; writing needs a paused machine. */
int pmuclient_csr_read(struct pmuclient *c, const char *id, unsigned hart,
		       const char *name, uint64_t *ret);
int pmuclient_csr_write(struct pmuclient *c, const char *id, unsigned hart,
			const char *name, uint64_t value);

/* All registers of a hart; free by pmuclient_free_message(&(*ret)->base). */
int pmuclient_registers(struct pmuclient *c, const char *id, unsigned hart,
			Pmu__V1__ReadRegistersResponse **ret);
/* @number: x0-x31 are 0-31, pc 32, f0-f31 33-64, fcsr 65; a paused machine. */
int pmuclient_register_write(struct pmuclient *c, const char *id, unsigned hart,
			     unsigned number, uint64_t value);

/* Physical memory; at most 1 MiB a call. */
int pmuclient_memory_read(struct pmuclient *c, const char *id, uint64_t address,
			  void *ret, size_t len);
int pmuclient_memory_write(struct pmuclient *c, const char *id,
			   uint64_t address, const void *bytes, size_t len);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
