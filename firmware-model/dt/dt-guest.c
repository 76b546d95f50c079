/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the guest's copy of the tree may show of riscv,pmu (C104), and of the
 * interrupt controller. Properties are overwritten, with NOP tags where they
 * go, which needs no room and no order of blocks.
 */
#include <libfdt.h>
#include <stdlib.h>

#include <pmu/trap.h>

#include "dt-reader.h"

static const char *const private_props[] = {
	DT_PROP_SELECTS,
	DT_PROP_RANGES,
	DT_PROP_RAWS,
};
enum {
	N_PRIVATE = sizeof(private_props) / sizeof(*private_props)
};

/* Harts that have the overflow interrupt. */
struct lcofi {
	const uint32_t *hartid;
	size_t n;
};

static int drop(void *dtb, int node, const char *name)
{
	int err = fdt_nop_property(dtb, node, name);

	return err && err != -FDT_ERR_NOTFOUND ? -FW_EDT : 0;
}

static bool has_lcofi(const struct lcofi *l, uint32_t hartid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->hartid[i] == hartid)
			return true;
	return false;
}

/* Has every hart that the node at hand names an overflow interrupt? */
static bool all_have_lcofi(struct dt_reader *r, const struct lcofi *l)
{
	struct fw_dt *dt = r->dt;

	for (unsigned i = 0; i < dt->n_harts; i++)
		dt->hart[i].map = NULL;
	dt_name_harts(r);
	for (unsigned i = 0; i < dt->n_harts; i++)
		if (dt->hart[i].map && !has_lcofi(l, dt->hart[i].hartid))
			return false;
	return l->n;
}

static int fix_node(struct dt_reader *r, void *dtb, const struct lcofi *l)
{
	int err = 0;

	if (!all_have_lcofi(r, l))
		err = drop(dtb, r->node, DT_PROP_HARTS);
	for (unsigned i = 0; !err && i < N_PRIVATE; i++)
		err = drop(dtb, r->node, private_props[i]);
	return err;
}

static int fix_nodes(struct dt_reader *r, void *dtb, const struct lcofi *l)
{
	int err = 0;

	dt_read_cpus(r);
	r->map = r->dt->map;
	r->node = -1;
	while (!err) {
		r->node = fdt_node_offset_by_compatible(dtb, r->node,
							DT_COMPATIBLE);
		if (r->node < 0)
			break;
		err = fix_node(r, dtb, l);
	}
	return err;
}

/*
 * M-mode's contexts of a PLIC are the firmware's: the binding's number for
 * none stands where their interrupt does.
 */
static void hide_contexts(void *dtb, int node)
{
	int len;
	const fdt32_t *cells =
		fdt_getprop(dtb, node, "interrupts-extended", &len);

	for (int i = 1; cells && i < len / (int)sizeof(*cells); i += 2)
		if (fdt32_ld(&cells[i]) == PMU_IRQ_MEI)
			fdt_setprop_inplace_namelen_partial(
				dtb, node, "interrupts-extended",
				sizeof("interrupts-extended") - 1,
				(uint32_t)i * sizeof(*cells),
				&(fdt32_t){ cpu_to_fdt32(UINT32_MAX) },
				sizeof(*cells));
}

static void hide_plics(void *dtb)
{
	static const char *const compatible[] = { "sifive,plic-1.0.0",
						  "riscv,plic0" };

	for (size_t i = 0; i < sizeof(compatible) / sizeof(*compatible); i++) {
		int node = -1;

		while ((node = fdt_node_offset_by_compatible(
				dtb, node, compatible[i])) >= 0)
			hide_contexts(dtb, node);
	}
}

int fw_dt_fixup(void *dtb, const uint32_t *lcofi_harts, size_t n)
{
	const struct lcofi lcofi = { lcofi_harts, n };
	struct fw_dt_source src = { .dtb = dtb };
	struct dt_reader r = { .src = &src };
	int err;

	if (fdt_check_header(dtb) || fdt_check_full(dtb, fdt_totalsize(dtb)))
		return -FW_EDT;
	r.dt = calloc(1, sizeof(*r.dt) + sizeof(r.dt->map[0]));
	if (!r.dt)
		return -FW_ENOMEM;
	err = fix_nodes(&r, dtb, &lcofi);
	if (!err)
		hide_plics(dtb);
	free(r.dt);
	return err;
}
