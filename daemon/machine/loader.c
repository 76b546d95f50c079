/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts images into RAM. Every image is checked as a whole first and copied
 * then, so a refused one leaves no trace. libelf parses ELF files; what their
 * numbers may be is decided here.
 */
#include "loader.h"

#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
	LINUX_HEADER = 64,
	LINUX_IMAGE_SIZE = 16,
	LINUX_MAGIC = 56
};
static const uint8_t linux_magic[4] = { 'R', 'S', 'C', 5 };

#define FOUR_GIB (4ull << 30)

static int __attribute__((format(printf, 3, 4)))
fail(struct loader *l, enum loader_errno why, const char *format, ...)
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

static const struct loader_range *find_range(const struct loader *l,
					     uint64_t start, uint64_t size)
{
	for (unsigned i = 0; i < l->n_ranges; i++)
		if (overlaps(&l->ranges[i], start, size))
			return &l->ranges[i];
	return NULL;
}

/* Takes [start, start + size), size > 0, or says why it cannot. */
static int claim(struct loader *l, const struct loader_range *want)
{
	const struct loader_range *other;
	uint64_t base = l->bus->ram_base;

	if (!bus_is_ram(l->bus, want->start, want->size))
		return fail(l, LOADER_ERANGE,
			    "%s (0x%llx bytes at 0x%llx) is outside RAM, which "
			    "is 0x%llx-0x%llx",
			    want->what, (unsigned long long)want->size,
			    (unsigned long long)want->start,
			    (unsigned long long)base,
			    (unsigned long long)(base + l->bus->ram_size - 1));
	other = find_range(l, want->start, want->size);
	if (other)
		return fail(l, LOADER_EOVERLAP,
			    "%s (0x%llx bytes at 0x%llx) overlaps %s (0x%llx "
			    "bytes at 0x%llx)",
			    want->what, (unsigned long long)want->size,
			    (unsigned long long)want->start, other->what,
			    (unsigned long long)other->size,
			    (unsigned long long)other->start);
	if (l->n_ranges == LOADER_MAX_RANGES)
		return fail(l, LOADER_ELIMIT,
			    "%s: the machine takes at most %d parts of images",
			    want->what, LOADER_MAX_RANGES);
	l->ranges[l->n_ranges++] = *want;
	return 0;
}

/* ELF */

struct elf_file {
	Elf *elf;
	GElf_Ehdr ehdr;
	size_t size, n_phdrs;
};

bool loader_is_elf(const void *bytes, size_t size)
{
	return size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG);
}

static int check_ident(struct loader *l, const struct elf_file *f)
{
	const unsigned char *ident = f->ehdr.e_ident;
	int xlen = ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;

	if (f->ehdr.e_machine != EM_RISCV)
		return fail(l, LOADER_EFORMAT,
			    "the ELF file is for machine %u, not RISC-V (%d)",
			    f->ehdr.e_machine, EM_RISCV);
	if (ident[EI_DATA] != ELFDATA2LSB)
		return fail(l, LOADER_EFORMAT,
			    "the ELF file is big-endian; harts are "
			    "little-endian");
	if (xlen != l->xlen)
		return fail(l, LOADER_EFORMAT,
			    "the ELF file is for RV%d, the machine's harts are "
			    "RV%u",
			    xlen, l->xlen);
	if (f->ehdr.e_type == ET_DYN)
		return fail(l, LOADER_EFORMAT,
			    "the ELF file is position independent; link it at "
			    "a fixed address (-static -no-pie)");
	if (f->ehdr.e_type != ET_EXEC)
		return fail(l, LOADER_EFORMAT,
			    "the ELF file is not an executable (type %u)",
			    f->ehdr.e_type);
	return 0;
}

/* libelf takes what it can get of the headers; we take all or nothing. */
static int check_phdrs(struct loader *l, struct elf_file *f)
{
	if (elf_getphdrnum(f->elf, &f->n_phdrs) < 0)
		return fail(l, LOADER_EFORMAT, "bad ELF program headers: %s",
			    elf_errmsg(-1));
	if (f->n_phdrs != f->ehdr.e_phnum)
		return fail(l, LOADER_EFORMAT,
			    "the ELF file's %u program headers are cut off",
			    f->ehdr.e_phnum);
	if (f->n_phdrs && f->ehdr.e_phentsize !=
				  gelf_fsize(f->elf, ELF_T_PHDR, 1, EV_CURRENT))
		return fail(l, LOADER_EFORMAT,
			    "the ELF file's program headers have %u bytes each",
			    f->ehdr.e_phentsize);
	return 0;
}

static int open_elf(struct loader *l, const void *bytes, size_t size,
		    struct elf_file *f)
{
	int err;

	f->size = size;
	if (!loader_is_elf(bytes, size))
		return fail(l, LOADER_EFORMAT, "not an ELF file");
	if (elf_version(EV_CURRENT) == EV_NONE)
		return fail(l, LOADER_EFORMAT, "libelf: %s", elf_errmsg(-1));
	/* libelf takes a plain pointer, but reads only. */
	f->elf = elf_memory((char *)(uintptr_t)bytes, size);
	if (!f->elf || !gelf_getehdr(f->elf, &f->ehdr))
		return fail(l, LOADER_EFORMAT, "bad ELF header: %s",
			    elf_errmsg(-1));
	err = check_ident(l, f);
	return err ? err : check_phdrs(l, f);
}

/* False at the end of the table, or where libelf finds it cut off. */
static bool get_phdr(const struct elf_file *f, size_t i, GElf_Phdr *ret)
{
	return i < f->n_phdrs && gelf_getphdr(f->elf, (int)i, ret);
}

static bool is_loaded(const GElf_Phdr *ph)
{
	return ph->p_type == PT_LOAD && ph->p_memsz;
}

static int check_segment(struct loader *l, const struct elf_file *f, size_t i,
			 const GElf_Phdr *ph)
{
	struct loader_range want = { .start = ph->p_paddr,
				     .size = ph->p_memsz };

	if (ph->p_filesz > ph->p_memsz)
		return fail(l, LOADER_EFORMAT,
			    "segment %zu has more bytes in the file (0x%llx) "
			    "than in memory (0x%llx)",
			    i, (unsigned long long)ph->p_filesz,
			    (unsigned long long)ph->p_memsz);
	if (ph->p_offset > f->size || ph->p_filesz > f->size - ph->p_offset)
		return fail(l, LOADER_EFORMAT,
			    "segment %zu (0x%llx bytes at offset 0x%llx) is "
			    "cut off: the file has 0x%zx bytes",
			    i, (unsigned long long)ph->p_filesz,
			    (unsigned long long)ph->p_offset, f->size);
	snprintf(want.what, sizeof(want.what), "segment %zu of image %u", i,
		 l->n_images + 1);
	return claim(l, &want);
}

static int check_segments(struct loader *l, const struct elf_file *f)
{
	unsigned n = 0;

	for (size_t i = 0; i < f->n_phdrs; i++) {
		GElf_Phdr ph;
		int err;

		if (!get_phdr(f, i, &ph))
			return fail(l, LOADER_EFORMAT,
				    "program header %zu is outside the file",
				    i);
		if (!is_loaded(&ph))
			continue;
		n++;
		err = check_segment(l, f, i, &ph);
		if (err)
			return err;
	}
	return n ? 0
		 : fail(l, LOADER_EFORMAT,
			"the ELF file has nothing to load (no PT_LOAD)");
}

/* Where @vaddr is loaded; false: in no segment. */
static bool to_physical(const struct elf_file *f, uint64_t vaddr, uint64_t *ret)
{
	GElf_Phdr ph;

	for (size_t i = 0; get_phdr(f, i, &ph); i++) {
		if (!is_loaded(&ph) || vaddr < ph.p_vaddr ||
		    vaddr - ph.p_vaddr >= ph.p_memsz)
			continue;
		*ret = ph.p_paddr + (vaddr - ph.p_vaddr);
		return true;
	}
	return false;
}

static bool holds_physical(const struct elf_file *f, uint64_t paddr)
{
	GElf_Phdr ph;

	for (size_t i = 0; get_phdr(f, i, &ph); i++)
		if (is_loaded(&ph) && paddr >= ph.p_paddr &&
		    paddr - ph.p_paddr < ph.p_memsz)
			return true;
	return false;
}

static int find_entry(struct loader *l, const struct elf_file *f, uint64_t *ret)
{
	uint64_t entry = f->ehdr.e_entry;

	if (!to_physical(f, entry, ret)) {
		if (!holds_physical(f, entry))
			return fail(l, LOADER_EFORMAT,
				    "the ELF file's entry 0x%llx is in none of "
				    "its segments",
				    (unsigned long long)entry);
		*ret = entry;
	}
	if (*ret & 1)
		return fail(l, LOADER_EFORMAT,
			    "the ELF file's entry 0x%llx is odd",
			    (unsigned long long)entry);
	return 0;
}

/* Symbols */

struct symbols {
	Elf_Data *table, *names;
	size_t n;
};

/* The first symbol table; a file is to have one only. */
static bool find_symbols(const struct elf_file *f, struct symbols *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(f->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			return false;
		if (sh.sh_type != SHT_SYMTAB)
			continue;
		ret->table = elf_getdata(scn, NULL);
		ret->names = elf_getdata(elf_getscn(f->elf, sh.sh_link), NULL);
		if (!ret->table || !ret->names || !ret->table->d_buf ||
		    !ret->names->d_buf)
			return false;
		ret->n = ret->table->d_size /
			 gelf_fsize(f->elf, ELF_T_SYM, 1, EV_CURRENT);
		return true;
	}
	return false;
}

static bool is_named(const struct symbols *s, const GElf_Sym *sym,
		     const char *name)
{
	size_t len = strlen(name) + 1;

	return sym->st_shndx != SHN_UNDEF && sym->st_name < s->names->d_size &&
	       len <= s->names->d_size - sym->st_name &&
	       !memcmp((const char *)s->names->d_buf + sym->st_name, name, len);
}

static int place_word(struct loader *l, const struct elf_file *f,
		      const char *name, uint64_t vaddr, uint64_t *ret)
{
	uint64_t paddr;

	if (!to_physical(f, vaddr, &paddr) || paddr % 8 ||
	    !bus_is_ram(l->bus, paddr, 8))
		return fail(l, LOADER_EFORMAT,
			    "symbol %s (0x%llx) is no aligned 8-byte word of a "
			    "segment",
			    name, (unsigned long long)vaddr);
	*ret = paddr;
	return 0;
}

static int find_htif(struct loader *l, const struct elf_file *f,
		     struct loader_image *img)
{
	struct symbols s;
	GElf_Sym sym;
	int err = 0;

	if (!find_symbols(f, &s))
		return 0;
	for (size_t i = 0; !err && i < s.n; i++) {
		if (i > INT32_MAX || !gelf_getsym(s.table, (int)i, &sym))
			break;
		if (is_named(&s, &sym, "tohost"))
			err = place_word(l, f, "tohost", sym.st_value,
					 &img->tohost);
		else if (is_named(&s, &sym, "fromhost"))
			err = place_word(l, f, "fromhost", sym.st_value,
					 &img->fromhost);
	}
	return err;
}

/* Loading */

static void copy_segments(struct loader *l, const struct elf_file *f,
			  const uint8_t *bytes)
{
	GElf_Phdr ph;

	for (size_t i = 0; get_phdr(f, i, &ph); i++) {
		if (!is_loaded(&ph))
			continue;
		bus_write(l->bus, ph.p_paddr, bytes + ph.p_offset, ph.p_filesz);
		bus_zero(l->bus, ph.p_paddr + ph.p_filesz,
			 ph.p_memsz - ph.p_filesz);
	}
}

int loader_elf(struct loader *l, const void *bytes, size_t size,
	       struct loader_image *ret)
{
	struct elf_file f = { 0 };
	struct loader_image img = { 0 };
	unsigned n_ranges = l->n_ranges;
	int err = open_elf(l, bytes, size, &f);

	if (!err)
		err = check_segments(l, &f);
	if (!err)
		err = find_entry(l, &f, &img.entry);
	if (!err)
		err = find_htif(l, &f, &img);
	if (!err) {
		copy_segments(l, &f, bytes);
		l->n_images++;
		*ret = img;
	} else {
		l->n_ranges = n_ranges;
	}
	elf_end(f.elf);
	return err;
}

/* What a Linux kernel needs beyond its bytes, by its header; else 0. */
static uint64_t linux_size(const uint8_t *bytes, size_t size)
{
	uint64_t need;

	if (size < LINUX_HEADER ||
	    memcmp(bytes + LINUX_MAGIC, linux_magic, sizeof(linux_magic)) != 0)
		return 0;
	memcpy(&need, bytes + LINUX_IMAGE_SIZE, sizeof(need));
	return need;
}

int loader_flat(struct loader *l, const void *bytes, size_t size,
		uint64_t paddr, struct loader_image *ret)
{
	struct loader_range want = { .start = paddr, .size = size };
	uint64_t need = linux_size(bytes, size);
	int err;

	if (!size)
		return fail(l, LOADER_EFORMAT, "image %u is empty",
			    l->n_images + 1);
	if (need > want.size)
		want.size = need;
	snprintf(want.what, sizeof(want.what), "image %u", l->n_images + 1);
	err = claim(l, &want);
	if (err)
		return err;
	bus_write(l->bus, paddr, bytes, size);
	l->n_images++;
	*ret = (struct loader_image){ .entry = paddr };
	return 0;
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
		r = find_range(l, *ret, size);
		if (!r)
			return true;
		top = r->start;
	}
}

int loader_high(struct loader *l, const void *bytes, size_t size,
		uint64_t align, uint64_t *ret_paddr)
{
	struct loader_image img;
	uint64_t paddr;
	int err;

	if (!size || !find_high(l, size, align, &paddr))
		return fail(l, LOADER_ERANGE,
			    "no room for 0x%zx bytes beside the images in RAM "
			    "below 4 GiB",
			    size);
	err = loader_flat(l, bytes, size, paddr, &img);
	if (!err)
		*ret_paddr = paddr;
	return err;
}
