/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The riscv,pmu nodes of a device tree, with or without a firmware: what they
 * say of which harts, and what is wrong with them. A node names its harts by
 * the interrupt controllers of interrupts-extended; one that names none is for
 * all harts that no other node names.
 *
 * Nothing here needs a machine, so that a tree from a stranger can be looked at
 * where it does no harm. What is kept of it is bounded by the limits below, the
 * number of faults by the tree's size alone.
 */
#ifndef FW_PMU_NODE_H
#define FW_PMU_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fw/quirk.h>

#pragma GCC visibility push(default)

/* macros, as messages name them */
#define FW_DT_MAX_HARTS 64
#define FW_DT_MAX_NODES 64 /* riscv,pmu nodes */
enum {
	FW_DT_MAX_ROWS = 256, /* of each table */
};

enum fw_errno {	       /* returned negated */
	FW_EINVAL = 1, /* configuration */
	FW_ENOMEM,
	FW_EDT, /* the device tree, or what it says of riscv,pmu, is bad */
};

enum fw_dt_level {
	FW_DT_NOTE,    /* good, but the reference does something else */
	FW_DT_WARNING, /* accepted, but hardly what was meant */
	FW_DT_ERROR,   /* the specification profile refuses the tree */
};

struct fw_dt_fault {
	enum fw_dt_level level;
	const char *path;      /* of the node, "/pmu" */
	const char *property;  /* NULL: the node itself */
	unsigned row;	       /* of the table, from 1; 0: all of it */
	const char *text;      /* what is wrong */
	const char *rule;      /* "C101", of docs/SPECIFICATIONS.md */
	const char *reference; /* what the reference firmware does there */
};

struct fw_dt_source {
	const void *dtb;	 /* 8-byte aligned */
	size_t size;		 /* bytes at @dtb, 0: its own totalsize */
	struct fw_quirks quirks; /* of the tree's reader: dt_... */
	/* Called for each fault, which lives as long as the call. May be
	 * NULL. */
	void (*fault)(void *arg, const struct fw_dt_fault *fault);
	void *arg;
};

/* What the nodes say, as a profile understands it. */
struct fw_dt;

/*
 * Reads @src. Of a tree with errors the specification profile has nothing, the
 * other what the reference keeps. @ret is set when 0 is returned, NULL when
 * there is no usable node. Returns 0, -FW_ENOMEM, or -FW_EDT: not a device tree
 * (no fault is reported), or one with errors. Needs nothing of @src afterwards.
 */
int fw_dt_new(struct fw_dt **ret, const struct fw_dt_source *src);
void fw_dt_free(struct fw_dt *dt); /* NULL is fine */

/* The harts of the tree's cpus node, in its order. */
unsigned fw_dt_n_harts(const struct fw_dt *dt);
uint32_t fw_dt_hartid(const struct fw_dt *dt, unsigned i);
/* The path of the node that is for a hart, NULL if none is. */
const char *fw_dt_path(const struct fw_dt *dt, uint32_t hartid);

/* A way to count. Counters 0 and 2 only for cycles and instructions. */
struct fw_dt_way {
	uint64_t select, mask; /* mask: of a raw row, else 0 */
	uint32_t counters;
};
/* A general or cache event on a hart; false: no counter is for it. */
bool fw_dt_event(const struct fw_dt *dt, uint32_t hartid, uint32_t event_idx,
		 struct fw_dt_way *ret);
/* Row @row (from 0) of the raw events on a hart; false: no such row. */
bool fw_dt_raw(const struct fw_dt *dt, uint32_t hartid, unsigned row,
	       struct fw_dt_way *ret);

/*
 * Fix-up of the guest's tree (C104): deletes the M-mode private properties of
 * the riscv,pmu nodes in place, and interrupts-extended of those that are for a
 * hart without Sscofpmf: @lcofi_harts are the @n ids of harts that have it.
 * Contexts of M-mode in PLIC nodes become those of nobody, as OpenSBI does it.
 * All of its totalsize is read: check a stranger's tree against its true size
 * first, as fw_dt_new() does.
 * Returns 0 (also without such a node), -FW_ENOMEM or -FW_EDT: not a device
 * tree.
 */
int fw_dt_fixup(void *dtb, const uint32_t *lcofi_harts, size_t n);

#pragma GCC visibility pop

struct fw;

/*
 * What fw_new() found odd but acceptable in the tree, a line each, "" if
 * nothing. Lives as long as @fw.
 */
const char *fw_dt_warnings(const struct fw *fw);

#endif
