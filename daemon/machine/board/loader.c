/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts images into RAM: which ranges are taken, flat images, the place of the
 * device tree. Every image is checked as a whole first and copied then, so a
 * refused one leaves no trace. ELF files are loader-elf.c's, kernels
 * loader-linux.c's.
 */
#include "loader-inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FOUR_GIB (4ull << 30)

int loader_fail(struct loader *l, enum loader_errno why, const char *format,
		...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(l->error, sizeof(l->error), format, args);
	va_end(args);
	return -(int)why;
}

const char *loader_error(const struct loader *l)
{
	return l->error;
}

/* Ranges */

static bool overlaps(const struct loader_range *r, uint64_t start,
		     uint64_t size)
{
	return start < r->start ? r->start - start < size
				: start - r->start < r->size;
}

const struct loader_range *loader_find_range(const struct loader *l,
					     uint64_t start, uint64_t size)
{
	for (unsigned i = 0; i < l->n_ranges; i++)
		if (overlaps(&l->ranges[i], start, size))
			return &l->ranges[i];
	return NULL;
}

int loader_claim(struct loader *l, const struct loader_range *want)
{
	const struct loader_range *other;
	uint64_t base = l->bus->ram_base;

	if (!bus_is_ram(l->bus, want->start, want->size))
		return loader_fail(
			l, LOADER_ERANGE,
			"%s (0x%llx bytes at 0x%llx) is outside RAM, which "
			"is 0x%llx-0x%llx",
			want->what, (unsigned long long)want->size,
			(unsigned long long)want->start,
			(unsigned long long)base,
			(unsigned long long)(base + l->bus->ram_size - 1));
	other = loader_find_range(l, want->start, want->size);
	if (other)
		return loader_fail(
			l, LOADER_EOVERLAP,
			"%s (0x%llx bytes at 0x%llx) overlaps %s (0x%llx "
			"bytes at 0x%llx)",
			want->what, (unsigned long long)want->size,
			(unsigned long long)want->start, other->what,
			(unsigned long long)other->size,
			(unsigned long long)other->start);
	if (l->n_ranges == LOADER_MAX_RANGES)
		return loader_fail(
			l, LOADER_ELIMIT,
			"%s: the machine takes at most %d parts of images",
			want->what, LOADER_MAX_RANGES);
	l->ranges[l->n_ranges++] = *want;
	return 0;
}

/* "image 1 at 0x80200000-0x80200fff, ...", as many as there is room for. */
static void list_ranges(const struct loader *l, char text[LOADER_TEXT / 2])
{
	size_t n = 0, room = LOADER_TEXT / 2;

	text[0] = 0;
	for (unsigned i = 0; i < l->n_ranges; i++) {
		const struct loader_range *r = &l->ranges[i];
		int len = snprintf(
			text + n, room - n, "%s%s at 0x%llx-0x%llx",
			i ? ", " : "", r->what, (unsigned long long)r->start,
			(unsigned long long)(r->start + r->size - 1));

		if ((size_t)len >= room - n) {
			strcpy(text + (n > room - 6 ? room - 6 : n), ", ...");
			return;
		}
		n += (size_t)len;
	}
}

int loader_check_entry(struct loader *l, uint64_t entry)
{
	const struct loader_range *r = loader_find_range(l, entry, 1);
	char there[LOADER_TEXT / 2];

	if (entry & 1)
		return loader_fail(l, LOADER_EFORMAT, "entry 0x%llx is odd",
				   (unsigned long long)entry);
	if (r && !r->data)
		return 0;
	if (r)
		return loader_fail(
			l, LOADER_EFORMAT,
			"entry 0x%llx is in %s (0x%llx bytes at 0x%llx), which "
			"is not executable",
			(unsigned long long)entry, r->what,
			(unsigned long long)r->size,
			(unsigned long long)r->start);
	list_ranges(l, there);
	return loader_fail(l, LOADER_ERANGE,
			   "entry 0x%llx is in nothing that is loaded: %s",
			   (unsigned long long)entry, there);
}

int loader_put(struct loader *l, const struct loader_range *want,
	       const void *bytes, size_t size, struct loader_image *ret)
{
	int err = loader_claim(l, want);

	if (err)
		return err;
	err = l->entry ? loader_check_entry(l, l->entry) : 0;
	if (err) {
		l->n_ranges--;
		return err;
	}
	bus_write(l->bus, want->start, bytes, size);
	l->n_images++;
	l->note[0] = 0;
	*ret = (struct loader_image){ .entry = l->entry ? l->entry
							: want->start };
	return 0;
}

bool loader_is_linux(const uint8_t *bytes, size_t size)
{
	return size >= LINUX_HEADER_SIZE &&
	       (!memcmp(bytes + LINUX_MAGIC_2, "RSC\5", 4) ||
		!memcmp(bytes + LINUX_MAGIC, "RISCV\0\0", 8));
}

/* What a Linux kernel needs beyond its bytes, by its header; else 0. */
static uint64_t linux_size(const uint8_t *bytes, size_t size)
{
	uint64_t need = 0;

	if (loader_is_linux(bytes, size))
		memcpy(&need, bytes + LINUX_IMAGE_SIZE, sizeof(need));
	return need;
}

int loader_flat(struct loader *l, const void *bytes, size_t size,
		uint64_t paddr, struct loader_image *ret)
{
	struct loader_range want = { .start = paddr, .size = size };
	uint64_t need = linux_size(bytes, size);

	if (!size)
		return loader_fail(l, LOADER_EFORMAT, "image %u is empty",
				   l->n_images + 1);
	if (need > want.size)
		want.size = need;
	snprintf(want.what, sizeof(want.what), "image %u", l->n_images + 1);
	return loader_put(l, &want, bytes, size, ret);
}

/* The highest free place; each range in the way moves it down. */
static bool find_high(const struct loader *l, uint64_t size, uint64_t align,
		      uint64_t *ret)
{
	uint64_t base = l->bus->ram_base, top = base + l->bus->ram_size;
	const struct loader_range *r;

	if (top > FOUR_GIB)
		top = FOUR_GIB;
	for (;;) {
		if (top < base || top - base < size)
			return false;
		*ret = (top - size) & ~(align - 1);
		if (*ret < base)
			return false;
		r = loader_find_range(l, *ret, size);
		if (!r)
			return true;
		top = r->start;
	}
}

int loader_find_high(struct loader *l, uint64_t size, uint64_t align,
		     uint64_t *ret)
{
	if (size && find_high(l, size, align, ret))
		return 0;
	return loader_fail(l, LOADER_ERANGE,
			   "no room for 0x%llx bytes beside the images in RAM "
			   "below 4 GiB",
			   (unsigned long long)size);
}

int loader_high(struct loader *l, const void *bytes, size_t size,
		uint64_t align, uint64_t *ret_paddr)
{
	struct loader_image img;
	uint64_t paddr = 0;
	int err = loader_find_high(l, size, align, &paddr);

	if (!err)
		err = loader_flat(l, bytes, size, paddr, &img);
	if (!err)
		*ret_paddr = paddr;
	return err;
}
