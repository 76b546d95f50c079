/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the guest's copy of the tree may show of riscv,pmu (C104). Properties
 * are overwritten with NOP tags, which needs no room and no order of blocks.
 */
#include <libfdt.h>

#include <fw/fw.h>

static const char *const private_props[] = {
	"riscv,event-to-mhpmevent",
	"riscv,event-to-mhpmcounters",
	"riscv,raw-event-to-mhpmcounters",
};
enum {
	N_PRIVATE = sizeof(private_props) / sizeof(*private_props)
};

static int drop(void *dtb, int node, const char *name)
{
	int err = fdt_nop_property(dtb, node, name);

	return err && err != -FDT_ERR_NOTFOUND ? -FW_EDT : 0;
}

static int fix_node(void *dtb, int node, bool sscofpmf)
{
	int err = 0;

	for (unsigned i = 0; !err && i < N_PRIVATE; i++)
		err = drop(dtb, node, private_props[i]);
	if (!err && !sscofpmf)
		err = drop(dtb, node, "interrupts-extended");
	return err;
}

int fw_dt_fixup(void *dtb, bool sscofpmf)
{
	int node = -1, err = 0;

	if (fdt_check_header(dtb) || fdt_check_full(dtb, fdt_totalsize(dtb)))
		return -FW_EDT;
	while (!err) {
		node = fdt_node_offset_by_compatible(dtb, node, "riscv,pmu");
		if (node < 0)
			break;
		err = fix_node(dtb, node, sscofpmf);
	}
	return err;
}
