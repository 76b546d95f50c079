/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical address space: who answers an address, range checks that cannot
 * overflow, copies to and from RAM. Meaning belongs to the devices and to the
 * machine.
 */
#include "bus.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

int bus_init(struct bus *bus, uint64_t base, uint64_t size)
{
	void *ram;

	*bus = (struct bus){ .ram_base = base };
	if (!size || (base | size) % BUS_PAGE || base > INT64_MAX ||
	    size > (uint64_t)INT64_MAX - base || size > SIZE_MAX)
		return -EINVAL;
	ram = mmap(NULL, size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (ram == MAP_FAILED)
		return -errno;
	/* A core dump of the machine is not to hold the guest's memory. */
	madvise(ram, size, MADV_DONTDUMP);
	bus->ram = ram;
	bus->ram_size = size;
	return 0;
}

void bus_fini(struct bus *bus)
{
	if (bus->ram)
		munmap(bus->ram, bus->ram_size);
	*bus = (struct bus){ 0 };
}

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a < b ? b - a < a_size : a - b < b_size;
}

void bus_add(struct bus *bus, const struct bus_region *region)
{
	assert(bus->n_regions < BUS_MAX_REGIONS);
	assert(region->size && region->size <= UINT64_MAX - region->base);
	assert(!overlap(region->base, region->size, bus->ram_base,
			bus->ram_size));
	for (unsigned i = 0; i < bus->n_regions; i++)
		assert(!overlap(region->base, region->size,
				bus->regions[i].base, bus->regions[i].size));
	bus->regions[bus->n_regions++] = *region;
}

const struct bus_region *bus_find(const struct bus *bus, uint64_t paddr)
{
	for (unsigned i = 0; i < bus->n_regions; i++) {
		const struct bus_region *r = &bus->regions[i];

		if (paddr >= r->base && paddr - r->base < r->size)
			return r;
	}
	return NULL;
}

bool bus_device_access(const struct bus *bus, uint64_t paddr,
		       struct bus_access *access)
{
	const struct bus_region *r = bus_find(bus, paddr);

	if (!r || !access->size || access->size & (access->size - 1) ||
	    access->size > 8 || paddr % access->size)
		return false;
	access->offset = paddr - r->base;
	if (r->size - access->offset < access->size)
		return false;
	return r->access(r->dev, access);
}

bool bus_is_ram(const struct bus *bus, uint64_t paddr, uint64_t len)
{
	if (!len)
		return true;
	return paddr >= bus->ram_base &&
	       paddr - bus->ram_base < bus->ram_size &&
	       len <= bus->ram_size - (paddr - bus->ram_base);
}

bool bus_read(const struct bus *bus, uint64_t paddr, void *buf, size_t len)
{
	if (!bus_is_ram(bus, paddr, len))
		return false;
	if (len)
		memcpy(buf, bus->ram + (paddr - bus->ram_base), len);
	return true;
}

static void written(struct bus *bus, uint64_t paddr, uint64_t len)
{
	if (bus->written)
		bus->written(bus->host, paddr, len);
}

bool bus_write(struct bus *bus, uint64_t paddr, const void *buf, size_t len)
{
	if (!bus_is_ram(bus, paddr, len))
		return false;
	if (len) {
		memcpy(bus->ram + (paddr - bus->ram_base), buf, len);
		written(bus, paddr, len);
	}
	return true;
}

bool bus_page_is_zero(const struct bus *bus, uint64_t offset)
{
	const uint8_t *page = bus->ram + offset;

	return page[0] == 0 && !memcmp(page, page + 1, BUS_PAGE - 1);
}

bool bus_zero(struct bus *bus, uint64_t paddr, uint64_t len)
{
	if (!bus_is_ram(bus, paddr, len))
		return false;
	if (len) {
		memset(bus->ram + (paddr - bus->ram_base), 0, len);
		written(bus, paddr, len);
	}
	return true;
}

void bus_clear(struct bus *bus)
{
	if (madvise(bus->ram, bus->ram_size, MADV_DONTNEED))
		memset(bus->ram, 0, bus->ram_size);
	written(bus, bus->ram_base, bus->ram_size);
}
