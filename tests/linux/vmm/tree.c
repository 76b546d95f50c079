/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The device tree of a guest that has harts, RAM, and a firmware; no device.
 * It decides what the nodes say; what they speak of was decided elsewhere.
 */
#include "vmm.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

enum {
	BEGIN_NODE = 1,
	END_NODE = 2,
	PROP = 3,
	END = 9,
	MAGIC = 0xd00dfeed,
	VERSION = 17,
	COMPATIBLE_VERSION = 16,
	CELLS = 2, /* of an address, and of a size */
	INTC = 1   /* phandle of hart 0's interrupt controller */
};

struct header {
	uint32_t magic, total, structure, strings, reserved, version,
		compatible, boot_cpu, strings_size, structure_size;
};

struct tree {
	uint8_t structure[8192];
	char strings[1024];
	size_t used, named;
};

static void bytes(struct tree *t, const void *from, size_t n)
{
	size_t padded = (n + 3) & ~(size_t)3;

	if (t->used + padded > sizeof t->structure)
		fail("the device tree is too large");
	memset(t->structure + t->used, 0, padded);
	memcpy(t->structure + t->used, from, n);
	t->used += padded;
}

static void word(struct tree *t, uint32_t value)
{
	uint32_t big = htobe32(value);

	bytes(t, &big, sizeof big);
}

/* Where the name of a property stands; each stands there once. */
static uint32_t name_at(struct tree *t, const char *name)
{
	size_t at = 0, n = strlen(name) + 1;

	for (; at < t->named; at += strlen(t->strings + at) + 1)
		if (strcmp(t->strings + at, name) == 0)
			return (uint32_t)at;
	if (t->named + n > sizeof t->strings)
		fail("the device tree has too many names");
	memcpy(t->strings + at, name, n);
	t->named += n;
	return (uint32_t)at;
}

static void property(struct tree *t, const char *name, const void *value,
		     size_t n)
{
	word(t, PROP);
	word(t, (uint32_t)n);
	word(t, name_at(t, name));
	bytes(t, value, n);
}

static void text(struct tree *t, const char *name, const char *value)
{
	property(t, name, value, strlen(value) + 1);
}

static void cell(struct tree *t, const char *name, uint32_t value)
{
	uint32_t big = htobe32(value);

	property(t, name, &big, sizeof big);
}

static void number(struct tree *t, const char *name, uint64_t value)
{
	uint64_t big = htobe64(value);

	property(t, name, &big, sizeof big);
}

static void begin(struct tree *t, const char *name)
{
	word(t, BEGIN_NODE);
	bytes(t, name, strlen(name) + 1);
}

static void end(struct tree *t)
{
	word(t, END_NODE);
}

static void cpu(struct tree *t, const struct guest *guest, unsigned int id)
{
	char name[16];

	snprintf(name, sizeof name, "cpu@%x", id);
	begin(t, name);
	text(t, "device_type", "cpu");
	cell(t, "reg", id);
	text(t, "compatible", "riscv");
	text(t, "riscv,isa", guest->isa);
	begin(t, "interrupt-controller");
	cell(t, "#interrupt-cells", 1);
	property(t, "interrupt-controller", "", 0);
	text(t, "compatible", "riscv,cpu-intc");
	cell(t, "phandle", INTC + id);
	end(t);
	end(t);
}

static void chosen(struct tree *t, const struct guest *guest)
{
	static const uint8_t seed[64] = { 1 }; /* known: runs are repeated */

	begin(t, "chosen");
	text(t, "bootargs", guest->bootargs);
	if (guest->initrd_size != 0) {
		number(t, "linux,initrd-start", guest->initrd);
		number(t, "linux,initrd-end",
		       guest->initrd + guest->initrd_size);
	}
	property(t, "rng-seed", seed, sizeof seed);
	end(t);
}

static void nodes(struct tree *t, const struct guest *guest)
{
	uint64_t reg[CELLS] = { htobe64(guest->ram), htobe64(guest->ram_size) };

	begin(t, "");
	cell(t, "#address-cells", CELLS);
	cell(t, "#size-cells", CELLS);
	text(t, "compatible", "linux,dummy-virt");
	chosen(t, guest);
	begin(t, "memory");
	text(t, "device_type", "memory");
	property(t, "reg", reg, sizeof reg);
	end(t);
	begin(t, "cpus");
	cell(t, "#address-cells", 1);
	cell(t, "#size-cells", 0);
	cell(t, "timebase-frequency", (uint32_t)guest->timebase);
	for (unsigned int i = 0; i < guest->vcpus; i++)
		cpu(t, guest, i);
	end(t);
	end(t);
	word(t, END);
}

size_t tree_write(void *out, size_t size, const struct guest *guest)
{
	enum {
		RESERVED = sizeof(struct header),
		STRUCTURE = RESERVED + 16 /* an end without entries */
	};
	static struct tree t;
	struct header header;
	uint8_t *to = out;
	size_t total;

	t.used = t.named = 0;
	nodes(&t, guest);
	total = STRUCTURE + t.used + t.named;
	if (total > size)
		fail("no room for the device tree");
	header = (struct header){
		.magic = htobe32(MAGIC),
		.total = htobe32((uint32_t)total),
		.structure = htobe32(STRUCTURE),
		.strings = htobe32((uint32_t)(STRUCTURE + t.used)),
		.reserved = htobe32(RESERVED),
		.version = htobe32(VERSION),
		.compatible = htobe32(COMPATIBLE_VERSION),
		.strings_size = htobe32((uint32_t)t.named),
		.structure_size = htobe32((uint32_t)t.used),
	};
	memset(to, 0, STRUCTURE);
	memcpy(to, &header, sizeof header);
	memcpy(to + STRUCTURE, t.structure, t.used);
	memcpy(to + STRUCTURE + t.used, t.strings, t.named);
	return total;
}
