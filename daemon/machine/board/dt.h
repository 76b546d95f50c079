/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine's device tree: generated from its harts and devices, or the
 * user's own, checked. The generated tree is the one that M-mode sees, with
 * the riscv,pmu bindings in full, one node for each group of harts that count
 * alike; the firmware model reads it, and the machine has it make the guest's
 * copy by fw_dt_fixup(). Where the tree lies in RAM is the loader's and the
 * machine's decision.
 */
#ifndef BOARD_DT_H
#define BOARD_DT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>

#include "board.h"

/* The kernel maps no more than this; the user's tree has the same limit. */
enum {
	DT_MAX_SIZE = 2 << 20,
	DT_MAX_STRINGS = 256 << 10
};
enum {
	DT_MAX_BOOTARGS = 4096,
	DT_MAX_ISA = 512,
	DT_MAX_WARNINGS = 16
};

enum dt_errno { /* returned negated */
	DT_EINVAL = 1,
	DT_ENOMEM,
	DT_EFORMAT, /* the user's tree is malformed */
};

struct dt_config {
	const struct pmu_hart_config *const *harts; /* all of one xlen */
	unsigned n_harts;			    /* 1-PMU_MAX_HARTS */
	enum board_kind board;
	bool serial; /* the second UART */
	bool clint;  /* guest may use it: the node exists */
	uint64_t ram_size;
	uint64_t time_hz;
	const uint8_t *rng_seed;
	size_t rng_seed_size;		   /* 0: no property */
	const char *bootargs;		   /* NULL or "": no property */
	uint64_t initrd_start, initrd_end; /* equal: none */
};

/*
 * Builds the tree. @ret is to be freed with free(). Returns 0, -DT_EINVAL
 * (a field out of range) or -DT_ENOMEM.
 */
int dt_build(void **ret, size_t *ret_size, const struct dt_config *cfg);

/*
 * "rv64imafdc_zicntr_..." in the order of the ISA manual's naming rules.
 * @buf has DT_MAX_ISA bytes.
 */
void dt_isa_string(const struct pmu_hart_config *hart, char *buf);
/* The same extensions as strings, each with its NUL; returns their bytes. */
size_t dt_isa_list(const struct pmu_hart_config *hart, char *buf);

/* What there is to say of the user's tree. Zero it, then set @warn, @arg. */
struct dt_report {
	/* Called for each thing that does not fit the machine. */
	void (*warn)(void *arg, const char *text);
	void *arg;
	unsigned warnings;
	const char *error; /* a literal or @text, never to be freed */
	char text[480];
};

/*
 * Checks the user's tree (8-byte aligned): its structure completely, its cpus,
 * memory and riscv,pmu nodes against @cfg, where differences only warn, at most
 * DT_MAX_WARNINGS times, but that an extension is said to be there which is not
 * is an error. Returns 0, or -DT_EFORMAT with report->error set.
 */
int dt_check(const void *dtb, size_t size, const struct dt_config *cfg,
	     struct dt_report *report);

/*
 * Puts @cfg's bootargs and initrd, where it has them, into a tree that
 * dt_check() took: *@dtb, of malloc(), is replaced. Returns 0, -DT_ENOMEM or
 * -DT_EFORMAT (one that cannot be changed), the tree unchanged.
 */
int dt_set_chosen(void **dtb, size_t *size, const struct dt_config *cfg);

#endif
