/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tests of the loader share: a little RAM, a loader, ELF files made in
 * memory.
 */
#ifndef TESTS_UNIT_LOADER_HOST_H
#define TESTS_UNIT_LOADER_HOST_H

#include <stdlib.h>
#include <string.h>

#include <pmu/rule.h>

#include "board/bus.h"
#include "elf-image.h"
#include "board/loader.h"
#include "unit.h"

#define BASE 0x80000000ull
#define SIZE 0x10000ull

static struct bus bus;
static struct loader l;

static inline void setup(void)
{
	ck_assert_int_eq(bus_init(&bus, BASE, SIZE), 0);
	memset(&l, 0, sizeof(l));
	l.bus = &bus;
	l.xlen = 64;
}

static inline void teardown(void)
{
	bus_fini(&bus);
}

static inline uint8_t byte_at(uint64_t paddr)
{
	uint8_t byte = 0xee;

	ck_assert(bus_read(&bus, paddr, &byte, 1));
	return byte;
}

static inline int load(const struct elf_image *img, struct loader_image *ret)
{
	size_t size;
	uint8_t *bytes = elf_image_make(img, &size);
	int err = loader_elf(&l, bytes, size, ret);

	free(bytes);
	return err;
}

static const struct elf_image plain = {
	.xlen = 64,
	.entry = BASE + 0x10,
	.n_segments = 1,
	.segments = { { BASE, BASE, 0x20, 0x40 } },
};

#endif
