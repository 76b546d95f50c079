/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a start adds to the user's own device tree: bootargs and the place of
 * the initrd, which no tree can know. All else stays as the user has it.
 */
#include "dt.h"

#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROOM = 256 /* for names and headers of what is added */
};

/* The node being changed; the first error sticks, later steps do nothing. */
struct change {
	void *fdt;
	int node, err;
};

static void set(struct change *c, const char *name, const void *value,
		size_t len)
{
	if (!c->err)
		c->err = fdt_setprop(c->fdt, c->node, name, value, (int)len);
}

static int set_all(void *fdt, const struct dt_config *cfg)
{
	fdt64_t start = cpu_to_fdt64(cfg->initrd_start);
	fdt64_t end = cpu_to_fdt64(cfg->initrd_end);
	struct change c = { fdt, fdt_path_offset(fdt, "/chosen"), 0 };

	if (c.node == -FDT_ERR_NOTFOUND)
		c.node = fdt_add_subnode(fdt, 0, "chosen");
	if (c.node < 0)
		return c.node;
	if (cfg->bootargs && cfg->bootargs[0])
		set(&c, "bootargs", cfg->bootargs, strlen(cfg->bootargs) + 1);
	if (cfg->initrd_start != cfg->initrd_end) {
		set(&c, "linux,initrd-start", &start, sizeof(start));
		set(&c, "linux,initrd-end", &end, sizeof(end));
	}
	return c.err;
}

int dt_set_chosen(void **dtb, size_t *size, const struct dt_config *cfg)
{
	size_t args = cfg->bootargs ? strlen(cfg->bootargs) : 0;
	size_t room = fdt_totalsize(*dtb) + args + ROOM;
	void *fdt;

	if (!args && cfg->initrd_start == cfg->initrd_end)
		return 0;
	fdt = malloc(room);
	if (!fdt)
		return -DT_ENOMEM;
	if (fdt_open_into(*dtb, fdt, (int)room) || set_all(fdt, cfg) ||
	    fdt_pack(fdt)) {
		free(fdt);
		return -DT_EFORMAT;
	}
	free(*dtb);
	*dtb = fdt;
	*size = fdt_totalsize(fdt);
	return 0;
}
