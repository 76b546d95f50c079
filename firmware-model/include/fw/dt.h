/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The riscv,pmu node of device trees, outside of a running firmware.
 */
#ifndef FW_DT_H
#define FW_DT_H

#include <stdbool.h>

struct fw;

/*
 * Fix-up of the guest's tree (C104): deletes the M-mode private properties of
 * the riscv,pmu nodes in place, and without @sscofpmf interrupts-extended too.
 * All of its totalsize is read: check a stranger's tree against its true size
 * first, as fw_new() does with dtb_size.
 * Returns 0 (also without such a node) or -FW_EDT: not a device tree.
 */
int fw_dt_fixup(void *dtb, bool sscofpmf);

/*
 * What fw_new() found odd but acceptable in the tree, a line each, "" if
 * nothing. Lives as long as @fw.
 */
const char *fw_dt_warnings(const struct fw *fw);

#endif
