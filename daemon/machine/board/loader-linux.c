/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linux: what the header of an Image says and where kernel and initrd go. The
 * header is Documentation/arch/riscv/boot-image-header.rst's; it has no XLEN,
 * which the PE header behind it has, where the kernel is an EFI program, too.
 */
#include "loader-inside.h"

#include <stdio.h>
#include <string.h>

enum {
	TEXT_OFFSET = 8, /* of the header, beside those of loader-inside.h */
	FLAGS = 24,
	PE_OFFSET = 60,
};
enum {
	FLAG_BIG_ENDIAN = 1
};
enum { /* of the PE header, from its signature on */
	PE_MACHINE = 4,
	PE_SECTIONS = 6,
	PE_OPTIONAL_SIZE = 20,
	PE_HEADER_SIZE = 24,
	PE_SECTION_SIZE = 40,
	PE_RAW_SIZE = 16, /* of a section */
	PE_RAW_AT = 20,
	PE_RISCV32 = 0x5032,
	PE_RISCV64 = 0x5064,
};

#define MIB	     (UINT64_C(1) << 20)
#define PMD_64	     (2 * MIB) /* a kernel's boundary, and its largest page */
#define PMD_32	     (4 * MIB)
#define OFFSET_RV32  (4 * MIB) /* where kernels for RV32 want to be */
#define INITRD_ALIGN PMD_64

struct bytes {
	const uint8_t *at;
	size_t size;
};

static uint64_t get(struct bytes b, size_t offset, size_t n)
{
	uint64_t value = 0;

	memcpy(&value, b.at + offset, n);
	return value;
}

static bool has(struct bytes b, size_t offset, const void *what, size_t n)
{
	return offset <= b.size && n <= b.size - offset &&
	       !memcmp(b.at + offset, what, n);
}

/* What else people give for an Image, in words; NULL: nothing that is known. */
static const char *likely(struct bytes b)
{
	static const struct {
		size_t offset, n;
		const char *bytes, *what;
	} known[] = {
		{ 0, 2, "\x1f\x8b", "compressed with gzip; decompress it" },
		{ 0, 4, "\x28\xb5\x2f\xfd",
		  "compressed with zstd; decompress "
		  "it" },
		{ 0, 6,
		  "\xfd"
		  "7zXZ\0",
		  "compressed with xz; decompress it" },
		{ 4, 4, "zimg",
		  "an EFI program with a compressed kernel "
		  "inside (CONFIG_EFI_ZBOOT)" },
		{ LINUX_MAGIC_2, 4, "ARM\x64", "an Image for arm64" },
		{ 0x202, 4, "HdrS", "a bzImage for x86" },
		{ 0, 4, "\xd0\x0d\xfe\xed", "a device tree, or a FIT image" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (has(b, known[i].offset, known[i].bytes, known[i].n))
			return known[i].what;
	return NULL;
}

static int refuse_stranger(struct loader *l, struct bytes b)
{
	const char *what = likely(b);

	if (what)
		return loader_fail(l, LOADER_EFORMAT, "the kernel is %s", what);
	if (b.size < LINUX_HEADER_SIZE)
		return loader_fail(l, LOADER_EFORMAT,
				   "the kernel has 0x%zx bytes, the header of "
				   "an Image 0x%x",
				   b.size, LINUX_HEADER_SIZE);
	return loader_fail(l, LOADER_EFORMAT,
			   "the kernel is neither an ELF file nor an Image: "
			   "there is no \"RSC\\5\" at 0x%x",
			   LINUX_MAGIC_2);
}

/* The PE header, if the kernel is an EFI program, too. */
static bool find_pe(struct bytes b, struct bytes *ret)
{
	uint64_t at = get(b, PE_OFFSET, 4);

	if (!has(b, 0, "MZ", 2) || !has(b, at, "PE\0\0", 4) ||
	    b.size - at < PE_HEADER_SIZE)
		return false;
	*ret = (struct bytes){ b.at + at, b.size - at };
	return true;
}

static int check_xlen(struct loader *l, struct bytes pe)
{
	uint64_t machine = get(pe, PE_MACHINE, 2);
	unsigned xlen = machine == PE_RISCV32	? 32
			: machine == PE_RISCV64 ? 64
						: 0;

	if (!xlen)
		return loader_fail(l, LOADER_EFORMAT,
				   "the kernel's PE header is for machine "
				   "0x%llx, not RISC-V",
				   (unsigned long long)machine);
	if (xlen != l->xlen)
		return loader_fail(l, LOADER_EFORMAT,
				   "the kernel is for RV%u, the machine's "
				   "harts are RV%u",
				   xlen, l->xlen);
	return 0;
}

/* The Image's own header does not tell its size in the file, sections do. */
static int check_whole(struct loader *l, struct bytes b, struct bytes pe)
{
	uint64_t at = PE_HEADER_SIZE + get(pe, PE_OPTIONAL_SIZE, 2);
	uint64_t n = get(pe, PE_SECTIONS, 2);

	for (uint64_t i = 0; i < n; i++, at += PE_SECTION_SIZE) {
		uint64_t end;

		if (pe.size < at + PE_SECTION_SIZE)
			return loader_fail(l, LOADER_EFORMAT,
					   "the kernel is cut off in its PE "
					   "header");
		end = get(pe, at + PE_RAW_AT, 4) + get(pe, at + PE_RAW_SIZE, 4);
		if (end > b.size)
			return loader_fail(
				l, LOADER_EFORMAT,
				"the kernel is cut off: it has 0x%zx bytes of "
				"at least 0x%llx",
				b.size, (unsigned long long)end);
	}
	return 0;
}

static int check_header(struct loader *l, struct bytes b)
{
	struct bytes pe;
	int err = 0;

	if (!loader_is_linux(b.at, b.size))
		return refuse_stranger(l, b);
	if (get(b, FLAGS, 8) & FLAG_BIG_ENDIAN)
		return loader_fail(l, LOADER_EFORMAT,
				   "the kernel is big-endian, harts are "
				   "little-endian");
	if (!get(b, LINUX_IMAGE_SIZE, 8))
		return loader_fail(l, LOADER_EFORMAT,
				   "the kernel's image_size is 0, so how much "
				   "memory it uses is not known");
	if (find_pe(b, &pe)) {
		err = check_xlen(l, pe);
		err = err ? err : check_whole(l, b, pe);
	}
	return err;
}

/*
 * Is there RAM for @size bytes, @offset behind its base? Of what is not, the
 * text says how much memory it takes.
 */
static int check_room(struct loader *l, const char *what, uint64_t offset,
		      uint64_t size)
{
	uint64_t need;

	if (__builtin_add_overflow(offset, size, &need))
		return loader_fail(l, LOADER_ERANGE,
				   "the %s (0x%llx bytes, 0x%llx behind the "
				   "base of RAM) fits in no memory",
				   what, (unsigned long long)size,
				   (unsigned long long)offset);
	if (need <= l->bus->ram_size)
		return 0;
	return loader_fail(
		l, LOADER_ERANGE,
		"the %s (0x%llx bytes, 0x%llx behind the base of RAM) needs "
		"more than %llu MiB of memory, the machine has %llu MiB",
		what, (unsigned long long)size, (unsigned long long)offset,
		(unsigned long long)((need - 1) / MIB),
		(unsigned long long)(l->bus->ram_size / MIB));
}

static int check_offset(struct loader *l, uint64_t offset)
{
	uint64_t align = l->xlen == 32 ? PMD_32 : PMD_64;

	if ((l->bus->ram_base + offset) % align == 0)
		return 0;
	return loader_fail(
		l, LOADER_EFORMAT,
		"the kernel's text_offset 0x%llx is no multiple of %llu MiB, "
		"as a kernel for RV%u has it",
		(unsigned long long)offset, (unsigned long long)(align / MIB),
		l->xlen);
}

static int load_image(struct loader *l, struct bytes b,
		      struct loader_image *ret)
{
	struct loader_range want = { .size = b.size, .what = "kernel" };
	uint64_t offset;
	int err = check_header(l, b);

	if (err)
		return err;
	offset = get(b, TEXT_OFFSET, 8);
	err = check_offset(l, offset);
	if (err)
		return err;
	if (get(b, LINUX_IMAGE_SIZE, 8) > want.size)
		want.size = get(b, LINUX_IMAGE_SIZE, 8);
	err = check_room(l, "kernel", offset, want.size);
	if (err)
		return err;
	want.start = l->bus->ram_base + offset;
	err = loader_put(l, &want, b.at, b.size, ret);
	if (err)
		return err;
	if (l->xlen == 64 && offset == OFFSET_RV32)
		snprintf(l->note, sizeof(l->note),
			 "the kernel's text_offset is that of kernels for "
			 "RV32, but harts are RV64");
	return 0;
}

/* vmlinux has addresses that are none of RAM's: the most frequent reason. */
static int load_elf(struct loader *l, struct bytes b, struct loader_image *ret)
{
	int err = loader_elf(l, b.at, b.size, ret);
	size_t n = strlen(l->error);

	if (err == -LOADER_ERANGE)
		snprintf(l->error + n, sizeof(l->error) - n,
			 "; of vmlinux, `objcopy -O binary' makes an Image");
	return err;
}

int loader_kernel(struct loader *l, const void *bytes, size_t size,
		  struct loader_image *ret)
{
	struct bytes b = { bytes, size };
	unsigned n = l->n_ranges;
	int err = loader_is_elf(bytes, size) ? load_elf(l, b, ret)
					     : load_image(l, b, ret);

	/* It uses what is behind its bytes and says how much of it. */
	for (; !err && n < l->n_ranges; n++) {
		const struct loader_range *r = &l->ranges[n];

		if (r->start + r->size > l->kernel_end)
			l->kernel_end = r->start + r->size;
	}
	return err;
}

static uint64_t align_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) & ~(align - 1);
}

/* The first free place behind the kernel, be it behind the end of RAM. */
static uint64_t find_behind(const struct loader *l, uint64_t size)
{
	uint64_t at = align_up(l->kernel_end, INITRD_ALIGN);
	const struct loader_range *r;

	while ((r = loader_find_range(l, at, size)))
		at = align_up(r->start + r->size, INITRD_ALIGN);
	return at;
}

int loader_initrd(struct loader *l, const void *bytes, size_t size,
		  uint64_t *ret_paddr)
{
	struct loader_range want = { .size = size, .what = "initrd" };
	struct loader_image img;
	int err = 0;

	if (!size)
		return loader_fail(l, LOADER_EFORMAT, "the initrd is empty");
	if (l->kernel_end && !l->firmware) {
		want.start = find_behind(l, size);
		err = check_room(l, "initrd", want.start - l->bus->ram_base,
				 size);
	} else {
		err = loader_find_high(l, size, PMD_64, &want.start);
	}
	if (!err)
		err = loader_put(l, &want, bytes, size, &img);
	if (!err)
		*ret_paddr = want.start;
	return err;
}
