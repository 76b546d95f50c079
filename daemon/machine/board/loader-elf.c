/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ELF executables: libelf parses them, what their numbers may be, where they
 * begin and where their HTIF words are is decided here. What is special with
 * position-independent ones is loader-pie.c's.
 */
#include "loader-elf.h"

#include <stdio.h>
#include <string.h>

bool loader_is_elf(const void *bytes, size_t size)
{
	return size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG);
}

static int check_ident(struct loader *l, const struct elf_file *f)
{
	const unsigned char *ident = f->ehdr.e_ident;
	int xlen = ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;

	if (f->ehdr.e_machine != EM_RISCV)
		return loader_fail(
			l, LOADER_EFORMAT,
			"the ELF file is for machine %u, not RISC-V (%d)",
			f->ehdr.e_machine, EM_RISCV);
	if (ident[EI_DATA] != ELFDATA2LSB)
		return loader_fail(l, LOADER_EFORMAT,
				   "the ELF file is big-endian; harts are "
				   "little-endian");
	if (xlen != l->xlen)
		return loader_fail(
			l, LOADER_EFORMAT,
			"the ELF file is for RV%d, the machine's harts are "
			"RV%u",
			xlen, l->xlen);
	if (f->ehdr.e_type == ET_DYN && l->pie)
		return 0;
	if (f->ehdr.e_type == ET_DYN)
		return loader_fail(
			l, LOADER_EFORMAT,
			"the ELF file is position independent; link it at "
			"a fixed address (-static -no-pie)");
	if (f->ehdr.e_type != ET_EXEC)
		return loader_fail(
			l, LOADER_EFORMAT,
			"the ELF file is not an executable (type %u)",
			f->ehdr.e_type);
	return 0;
}

/* libelf takes what it can get of the headers; we take all or nothing. */
static int check_phdrs(struct loader *l, struct elf_file *f)
{
	if (elf_getphdrnum(f->elf, &f->n_phdrs) < 0)
		return loader_fail(l, LOADER_EFORMAT,
				   "bad ELF program headers: %s",
				   elf_errmsg(-1));
	if (f->n_phdrs != f->ehdr.e_phnum)
		return loader_fail(
			l, LOADER_EFORMAT,
			"the ELF file's %u program headers are cut off",
			f->ehdr.e_phnum);
	if (f->n_phdrs && f->ehdr.e_phentsize !=
				  gelf_fsize(f->elf, ELF_T_PHDR, 1, EV_CURRENT))
		return loader_fail(
			l, LOADER_EFORMAT,
			"the ELF file's program headers have %u bytes each",
			f->ehdr.e_phentsize);
	return 0;
}

static int open_elf(struct loader *l, const void *bytes, size_t size,
		    struct elf_file *f)
{
	int err;

	f->size = size;
	f->bytes = bytes;
	if (!loader_is_elf(bytes, size))
		return loader_fail(l, LOADER_EFORMAT, "not an ELF file");
	(void)elf_version(EV_CURRENT); /* without it elf_memory() fails */
	/* libelf takes a plain pointer, but reads only. */
	f->elf = elf_memory((char *)(uintptr_t)bytes, size);
	if (!f->elf || !gelf_getehdr(f->elf, &f->ehdr))
		return loader_fail(l, LOADER_EFORMAT, "bad ELF header: %s",
				   elf_errmsg(-1));
	err = check_ident(l, f);
	err = err ? err : check_phdrs(l, f);
	if (!err && f->ehdr.e_type == ET_DYN)
		err = loader_pie_place(l, f);
	return err;
}

/* What a linker does that starts a page early: the most frequent reason. */
static void say_headers(struct loader *l)
{
	size_t n = strlen(l->error);

	snprintf(l->error + n, sizeof(l->error) - n,
		 "; it begins with the headers of the file, which the linker's "
		 "option -n leaves out");
}

static int check_segment(struct loader *l, const struct elf_file *f, size_t i,
			 const GElf_Phdr *ph)
{
	struct loader_range want = {
		.start = ph->p_paddr,
		.size = ph->p_memsz,
		.data = f->marks_code && !(ph->p_flags & PF_X),
	};
	int err;

	if (ph->p_filesz > ph->p_memsz)
		return loader_fail(
			l, LOADER_EFORMAT,
			"segment %zu has more bytes in the file (0x%llx) "
			"than in memory (0x%llx)",
			i, (unsigned long long)ph->p_filesz,
			(unsigned long long)ph->p_memsz);
	if (ph->p_offset > f->size || ph->p_filesz > f->size - ph->p_offset)
		return loader_fail(
			l, LOADER_EFORMAT,
			"segment %zu (0x%llx bytes at offset 0x%llx) is "
			"cut off: the file has 0x%zx bytes",
			i, (unsigned long long)ph->p_filesz,
			(unsigned long long)ph->p_offset, f->size);
	snprintf(want.what, sizeof(want.what), "segment %zu of image %u", i,
		 l->n_images + 1);
	err = loader_claim(l, &want);
	if (err == -LOADER_ERANGE && !ph->p_offset)
		say_headers(l);
	return err;
}

/* Without one such mark in the file the marks say nothing. */
static bool marks_code(const struct elf_file *f)
{
	GElf_Phdr ph;

	for (size_t i = 0; loader_elf_phdr(f, i, &ph); i++)
		if (loader_elf_loads(&ph) && ph.p_flags & PF_X)
			return true;
	return false;
}

static int check_segments(struct loader *l, const struct elf_file *f)
{
	unsigned n = 0;

	for (size_t i = 0; i < f->n_phdrs; i++) {
		GElf_Phdr ph;
		int err;

		if (!loader_elf_phdr(f, i, &ph))
			return loader_fail(
				l, LOADER_EFORMAT,
				"program header %zu is outside the file", i);
		if (!loader_elf_loads(&ph))
			continue;
		n++;
		err = check_segment(l, f, i, &ph);
		if (err)
			return err;
	}
	return n ? 0
		 : loader_fail(l, LOADER_EFORMAT,
			       "the ELF file has nothing to load (no PT_LOAD)");
}

/* Where @vaddr is loaded; false: in no segment. */
static bool to_physical(const struct elf_file *f, uint64_t vaddr, uint64_t *ret)
{
	GElf_Phdr ph;

	for (size_t i = 0; loader_elf_phdr(f, i, &ph); i++) {
		if (!loader_elf_loads(&ph) || vaddr < ph.p_vaddr ||
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

	for (size_t i = 0; loader_elf_phdr(f, i, &ph); i++)
		if (loader_elf_loads(&ph) && paddr >= ph.p_paddr &&
		    paddr - ph.p_paddr < ph.p_memsz)
			return true;
	return false;
}

static int find_entry(struct loader *l, const struct elf_file *f, uint64_t *ret)
{
	uint64_t entry = f->ehdr.e_entry;

	if (l->entry) {
		*ret = l->entry;
		return loader_check_entry(l, l->entry);
	}
	if (!to_physical(f, entry, ret)) {
		if (!holds_physical(f, entry))
			return loader_fail(
				l, LOADER_EFORMAT,
				"the ELF file's entry 0x%llx is in none of "
				"its segments",
				(unsigned long long)entry);
		*ret = entry;
	}
	return loader_check_entry(l, *ret);
}

/* Symbols */

struct elf_symbols {
	Elf_Data *table, *names;
};

/* The first symbol table; a file is to have one only. */
static bool find_symbols(const struct elf_file *f, struct elf_symbols *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(f->elf, scn)) && gelf_getshdr(scn, &sh)) {
		if (sh.sh_type != SHT_SYMTAB)
			continue;
		ret->table = elf_getdata(scn, NULL);
		ret->names = elf_getdata(elf_getscn(f->elf, sh.sh_link), NULL);
		return ret->table && ret->names && ret->table->d_buf &&
		       ret->names->d_buf;
	}
	return false;
}

static bool is_named(const struct elf_symbols *s, const GElf_Sym *sym,
		     const char *name)
{
	size_t len = strlen(name) + 1;

	return sym->st_shndx != SHN_UNDEF && sym->st_name < s->names->d_size &&
	       len <= s->names->d_size - sym->st_name &&
	       !memcmp((const char *)s->names->d_buf + sym->st_name, name, len);
}

/*
 * The word of the symbol @name; 0 with a note if it cannot be there. A section
 * that is not loaded is as good as one that is: its address is a place in RAM.
 */
static uint64_t place_word(struct loader *l, const struct elf_file *f,
			   const char *name, const GElf_Sym *sym)
{
	bool stays = f->ehdr.e_type == ET_DYN && sym->st_shndx == SHN_ABS;
	uint64_t vaddr = sym->st_value;
	uint64_t paddr = stays ? vaddr : vaddr + f->bias;

	if (!stays)
		to_physical(f, vaddr, &paddr);
	if (paddr % 8 == 0 && bus_is_ram(l->bus, paddr, 8))
		return paddr;
	snprintf(l->note, sizeof(l->note),
		 "symbol %s (0x%llx) is no aligned 8-byte word of RAM, so %s",
		 name, (unsigned long long)vaddr,
		 strcmp(name, "tohost") == 0 ? "there is no HTIF"
					     : "HTIF answers nothing");
	return 0;
}

static void find_htif(struct loader *l, const struct elf_file *f,
		      struct loader_image *img)
{
	struct elf_symbols s;
	GElf_Sym sym;

	if (!find_symbols(f, &s))
		return;
	/* up to the table's end, which libelf knows */
	for (int i = 0; gelf_getsym(s.table, i, &sym); i++) {
		if (is_named(&s, &sym, "tohost"))
			img->tohost = place_word(l, f, "tohost", &sym);
		else if (is_named(&s, &sym, "fromhost"))
			img->fromhost = place_word(l, f, "fromhost", &sym);
	}
	if (!img->tohost)
		img->fromhost = 0;
}

/* Loading */

static void copy_segments(struct loader *l, const struct elf_file *f)
{
	GElf_Phdr ph;

	for (size_t i = 0; loader_elf_phdr(f, i, &ph); i++) {
		if (!loader_elf_loads(&ph))
			continue;
		bus_write(l->bus, ph.p_paddr, f->bytes + ph.p_offset,
			  ph.p_filesz);
		bus_zero(l->bus, ph.p_paddr + ph.p_filesz,
			 ph.p_memsz - ph.p_filesz);
	}
}

/* Looks at all of it and writes nothing. */
static int check_all(struct loader *l, struct elf_file *f,
		     struct loader_image *img)
{
	int err;

	f->marks_code = marks_code(f);
	err = check_segments(l, f);
	err = err ? err : find_entry(l, f, &img->entry);
	if (!err && f->ehdr.e_type == ET_DYN && !l->moves_itself)
		err = loader_pie_check(l, f);
	return err;
}

int loader_elf(struct loader *l, const void *bytes, size_t size,
	       struct loader_image *ret)
{
	struct elf_file f = { .first_range = l->n_ranges };
	struct loader_image img = { 0 };
	int err = open_elf(l, bytes, size, &f);

	err = err ? err : check_all(l, &f, &img);
	if (!err) {
		l->note[0] = 0;
		find_htif(l, &f, &img);
		copy_segments(l, &f);
		loader_pie_move(l, &f);
		l->n_images++;
		l->bias = f.bias;
		*ret = img;
	} else {
		l->n_ranges = f.first_range;
	}
	elf_end(f.elf);
	return err;
}
