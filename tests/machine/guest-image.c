/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads guests and their expectations with libelf.
 */
#include "guest-image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include <pmu/isa.h>

#include "../unit/unit.h"

static void read_file(struct guest *g)
{
	FILE *f = fopen(g->path, "rb");

	ck_assert_msg(f, "%s", g->path);
	ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
	g->size = (size_t)ftell(f);
	ck_assert_int_eq(fseek(f, 0, SEEK_SET), 0);
	g->bytes = malloc(g->size);
	ck_assert_uint_eq(fread(g->bytes, 1, g->size, f), g->size);
	fclose(f);
}

static void expect(struct guest *g, const char *name, uint64_t value)
{
	static const char prefix[] = "expect.";
	struct guest_expected *x = &g->expected[g->n_expected];

	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return;
	ck_assert_uint_lt(g->n_expected, GUEST_MAX_EXPECTED);
	snprintf(x->name, sizeof(x->name), "%s", name + sizeof(prefix) - 1);
	x->value = value;
	g->n_expected++;
}

static void read_symbols(struct guest *g, Elf *elf, Elf_Scn *scn)
{
	GElf_Shdr shdr;
	Elf_Data *data;
	GElf_Sym sym;

	if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_SYMTAB)
		return;
	data = elf_getdata(scn, NULL);
	for (int i = 0; gelf_getsym(data, i, &sym); i++)
		expect(g, elf_strptr(elf, shdr.sh_link, sym.st_name),
		       sym.st_value);
}

void guest_read(struct guest *g, const char *path)
{
	const char *base = strrchr(path, '/');
	Elf_Scn *scn = NULL;
	Elf *elf;

	*g = (struct guest){ .path = path };
	snprintf(g->name, sizeof(g->name), "%s", base ? base + 1 : path);
	g->name[strcspn(g->name, ".")] = 0;
	read_file(g);
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)g->bytes, g->size);
	ck_assert_msg(elf, "%s: %s", path, elf_errmsg(-1));
	g->rv32 = gelf_getclass(elf) == ELFCLASS32;
	while ((scn = elf_nextscn(elf, scn)))
		read_symbols(g, elf, scn);
	elf_end(elf);
}

void guest_free(struct guest *g)
{
	free(g->bytes);
	g->bytes = NULL;
}

bool guest_expects(const struct guest *g, const char *name, uint64_t *ret)
{
	for (unsigned i = 0; i < g->n_expected; i++) {
		if (strcmp(g->expected[i].name, name) != 0)
			continue;
		*ret = g->expected[i].value;
		return true;
	}
	return false;
}

bool guest_is(const struct guest *g, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(g->name, name, n) &&
	       (!g->name[n] || !strncmp(g->name + n, "-rv", 3));
}

const char *guest_switches(const struct guest *g, char *text, size_t size)
{
	size_t n;
	const struct pmu_ext_desc *ext = pmu_ext_table(&n);
	uint64_t on;

	text[0] = 0;
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(text);

		if (guest_expects(g, ext[i].name, &on) && on)
			snprintf(text + len, size - len, " %s=on", ext[i].name);
	}
	return text;
}

/* The models that a guest can ask for, from 1 on. */
static const char *const models[] = {
	"",
	" l1d=64:64:1",
	" uarch=small l1d=1024:64:2",
	" llc=64:64:1",
	" uarch=small l1d=1024:64:2 timing=inorder",
	" l1d=64:64:1 stalls=0:1:0:0:0 timing=inorder",
	(" l1i=128:64:1 l1d=128:64:1 llc=1024:64:1 itlb=1:1 dtlb=1:1 stlb=4:4 "
	 "predictor=static prefetch=next stalls=1:10:100:1000:5 "
	 "timing=inorder"),
	" ref-hz=300000000 bus-hz=700000000",
	" l1i=128:64:1 itlb=1:1",
	" predictor=static",
	" l1i=16:16:1",
	" itlb=1:1",
	" dtlb=1:1",
	" dtlb=1:1 stlb=2:1",
	" l1d=128:64:1 prefetch=next",
	" l1d=64:64:1:through",
};

void guest_configure(const struct guest *g, const char *settings,
		     char text[GUEST_SETTINGS], struct fixture_config *ret)
{
	uint64_t harts = 1, s_mode = 0, model = 0;
	char on[128];

	guest_expects(g, "harts", &harts);
	guest_expects(g, "s_mode", &s_mode);
	guest_expects(g, "uarch", &model);
	snprintf(text, GUEST_SETTINGS, "xlen=%d %s%s%s", g->rv32 ? 32 : 64,
		 settings, guest_switches(g, on, sizeof(on)), models[model]);
	*ret = (struct fixture_config){
		.harts = (unsigned)harts,
		.m_mode = !s_mode,
		.settings = text,
		.image = g->bytes,
		.image_size = g->size,
		.traps = true,
		.sbi_calls = true,
		.deliveries = true,
		.sbi_memory = true,
	};
}

void guest_type(struct fixture *f)
{
	static const char input[] = "hello q";
	struct input in = { .kind = INPUT_CONSOLE };
	struct error e;

	for (unsigned i = 0; input[i]; i++) {
		in.cycle = 1000 + 777 * i;
		in.console.bytes = (const uint8_t *)&input[i];
		in.console.len = 1;
		ck_assert_msg(machine_queue(f->m, &in, &e), "%s", e.text);
	}
}

int guest_paths(int argc, char **argv, char ***ret)
{
	const char *text = getenv("PMU_ONE_GUEST_OF");
	int step = text ? atoi(text) : 1;
	int n = 0;

	*ret = argv + 1;
	for (int i = 1; i < argc && step > 0; i += step)
		(*ret)[n++] = argv[i];
	return n;
}
