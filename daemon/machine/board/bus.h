/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical address space: one range of RAM and a table of device regions.
 * The bus decides who answers an address and refuses accesses that no one
 * answers; what an access means is the device's business, and what it means
 * that nobody answers is the machine's (an access fault).
 */
#ifndef BOARD_BUS_H
#define BOARD_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/page.h>

enum {
	BUS_MAX_REGIONS = 16,
	BUS_PAGE = PMU_PAGE, /* RAM is whole pages */
};

/* One access to a device. Naturally aligned, inside the device's region. */
struct bus_access {
	uint64_t offset; /* from the region's base */
	uint64_t now;	 /* the machine clock, exact */
	uint64_t value;	 /* written, or the answer zero-extended */
	uint8_t size;	 /* 1, 2, 4, 8 */
	bool write;
};

/* False: the device does not take this access; nothing has happened. */
typedef bool bus_access_fn(void *dev, struct bus_access *access);

struct bus_region {
	uint64_t base, size;
	bus_access_fn *access;
	void *dev;
	const char *name;
};

/* Told of RAM that somebody other than the guest's own stores changed. */
typedef void bus_written_fn(void *host, uint64_t paddr, uint64_t size);

struct bus {
	uint64_t ram_base, ram_size;
	uint8_t *ram; /* mapped lazily: untouched pages cost nothing */
	unsigned n_regions;
	struct bus_region regions[BUS_MAX_REGIONS];
	bus_written_fn *written;
	void *host;
};

/*
 * An address space with @size bytes of zeroed RAM at @base, both multiples of
 * 4 KiB, the end not beyond 2^63. Returns 0 or a negated errno value.
 */
int bus_init(struct bus *bus, uint64_t base, uint64_t size);
void bus_fini(struct bus *bus);

/* Adds a region that must overlap no other and no RAM (asserted). */
void bus_add(struct bus *bus, const struct bus_region *region);
/* The region that holds @paddr, NULL if none does. */
const struct bus_region *bus_find(const struct bus *bus, uint64_t paddr);
/*
 * Performs @access at @paddr (sets its offset). False: no device there, not
 * naturally aligned, or the device refuses it.
 */
bool bus_device_access(const struct bus *bus, uint64_t paddr,
		       struct bus_access *access);

/* Is every byte of [paddr, paddr + len) RAM? Wrapping is false, len 0 true. */
bool bus_is_ram(const struct bus *bus, uint64_t paddr, uint64_t len);
/* Copies; false, with nothing copied, unless all of it is RAM. */
bool bus_read(const struct bus *bus, uint64_t paddr, void *buf, size_t len);
/* Tells bus->written of the range. */
bool bus_write(struct bus *bus, uint64_t paddr, const void *buf, size_t len);
/* Is the page of RAM at @offset zero? */
bool bus_page_is_zero(const struct bus *bus, uint64_t offset);
bool bus_zero(struct bus *bus, uint64_t paddr, uint64_t len);
/* All of RAM is zero, as at the start; the host has its memory back. */
void bus_clear(struct bus *bus);

#endif
