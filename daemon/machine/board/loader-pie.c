/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Position-independent ELF files: how far one is moved, and which of its words
 * with it. There is no dynamic loader, so that a file that wants one, or more
 * than words moved, is refused by what it wants.
 */
#include "loader-elf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Its place */

/* Text of the file, for people: printable, and not for ever. */
static void copy_text(const struct elf_file *f, const GElf_Phdr *ph,
		      char ret[64])
{
	size_t n = 0;

	while (ph->p_offset < f->size && n < f->size - ph->p_offset &&
	       n < ph->p_filesz && n < 63) {
		uint8_t c = f->bytes[ph->p_offset + n];

		if (!c)
			break;
		ret[n++] = (char)(c >= ' ' && c <= '~' ? c : '?');
	}
	ret[n] = 0;
}

static int refuse_interpreter(struct loader *l, const struct elf_file *f,
			      const GElf_Phdr *ph)
{
	char name[64];

	copy_text(f, ph, name);
	return loader_fail(l, LOADER_EFORMAT,
			   "the ELF file needs a dynamic loader (%s), which a "
			   "bare machine has not; link it with -static-pie "
			   "-Wl,--no-dynamic-linker",
			   name);
}

/* What all distances must be a multiple of. */
static int add_alignment(struct loader *l, const GElf_Phdr *ph, size_t i,
			 uint64_t *align)
{
	if (ph->p_align & (ph->p_align - 1))
		return loader_fail(l, LOADER_EFORMAT,
				   "segment %zu's alignment 0x%" PRIx64
				   " is no power of two",
				   i, ph->p_align);
	if (ph->p_align > *align)
		*align = ph->p_align;
	return 0;
}

int loader_pie_place(struct loader *l, struct elf_file *f)
{
	uint64_t lowest = UINT64_MAX, align = 1;
	GElf_Phdr ph;
	int err = 0;

	for (size_t i = 0; !err && loader_elf_phdr(f, i, &ph); i++) {
		if (ph.p_type == PT_INTERP && !l->moves_itself)
			return refuse_interpreter(l, f, &ph);
		if (!loader_elf_loads(&ph))
			continue;
		if (ph.p_vaddr < lowest)
			lowest = ph.p_vaddr;
		err = add_alignment(l, &ph, i, &align);
	}
	f->bias = (l->pie - lowest + align - 1) & -align;
	return err;
}

/* What its dynamic section says */

struct dynamic {
	uint64_t rela, rela_bytes, rela_entry;
	uint64_t plt, plt_bytes;
	uint64_t relr, relr_bytes, relr_entry;
};

/* Where the value of a tag goes; NULL: nowhere. */
static uint64_t *value_of(struct dynamic *d, int64_t tag)
{
	switch (tag) {
	case DT_RELA:
		return &d->rela;
	case DT_RELASZ:
		return &d->rela_bytes;
	case DT_RELAENT:
		return &d->rela_entry;
	case DT_JMPREL:
		return &d->plt;
	case DT_PLTRELSZ:
		return &d->plt_bytes;
	case DT_RELR:
		return &d->relr;
	case DT_RELRSZ:
		return &d->relr_bytes;
	case DT_RELRENT:
		return &d->relr_entry;
	default:
		return NULL;
	}
}

static int take_entry(struct loader *l, const GElf_Dyn *dyn, struct dynamic *d)
{
	uint64_t *value = value_of(d, dyn->d_tag);

	if (value)
		*value = dyn->d_un.d_val;
	if (dyn->d_tag == DT_NEEDED)
		return loader_fail(l, LOADER_EFORMAT,
				   "the ELF file needs a shared library "
				   "(DT_NEEDED), which a bare machine has not; "
				   "link it with -static-pie");
	if (dyn->d_tag == DT_RELSZ && dyn->d_un.d_val)
		return loader_fail(l, LOADER_EFORMAT,
				   "the ELF file has relocations without "
				   "addends (DT_REL), which RISC-V has not");
	return 0;
}

static int read_dynamic(struct loader *l, const struct elf_file *f,
			const GElf_Phdr *ph, struct dynamic *ret)
{
	Elf_Data *data = NULL;
	GElf_Dyn dyn;
	int err = 0;

	if (ph->p_offset <= f->size && ph->p_filesz <= f->size - ph->p_offset)
		data = elf_getdata_rawchunk(f->elf, (int64_t)ph->p_offset,
					    ph->p_filesz, ELF_T_DYN);
	if (!data)
		return loader_fail(l, LOADER_EFORMAT,
				   "the dynamic section (0x%" PRIx64
				   " bytes at offset 0x%" PRIx64 ") is cut "
				   "off: the file has 0x%zx bytes",
				   ph->p_filesz, ph->p_offset, f->size);
	for (int i = 0; !err && i < INT32_MAX; i++) {
		if (!gelf_getdyn(data, i, &dyn) || dyn.d_tag == DT_NULL)
			break;
		err = take_entry(l, &dyn, ret);
	}
	return err;
}

/* The offset in the file of @size bytes that are loaded to @vaddr. */
static bool to_offset(const struct elf_file *f, uint64_t vaddr, uint64_t size,
		      uint64_t *ret)
{
	GElf_Phdr ph;

	for (size_t i = 0; loader_elf_phdr(f, i, &ph); i++) {
		if (!loader_elf_loads(&ph) || vaddr < ph.p_vaddr ||
		    vaddr - ph.p_vaddr > ph.p_filesz ||
		    size > ph.p_filesz - (vaddr - ph.p_vaddr))
			continue;
		*ret = ph.p_offset + (vaddr - ph.p_vaddr);
		return true;
	}
	return false;
}

/* A table of the dynamic section. */
struct pie_table {
	const char *name;
	uint64_t vaddr, bytes, entry, want_entry;
};

/* Where it is in the file: all of it, in whole entries. */
static int find_table(struct loader *l, const struct elf_file *f,
		      const struct pie_table *t, uint64_t *ret_offset)
{
	if (t->entry != t->want_entry)
		return loader_fail(l, LOADER_EFORMAT,
				   "an entry of %s has %" PRIu64
				   " bytes, in an ELF file for RV%u %" PRIu64,
				   t->name, t->entry, l->xlen, t->want_entry);
	if (t->bytes % t->want_entry || t->bytes / t->want_entry > INT32_MAX)
		return loader_fail(l, LOADER_EFORMAT,
				   "%s has 0x%" PRIx64
				   " bytes, which are no entries of %" PRIu64,
				   t->name, t->bytes, t->want_entry);
	if (!to_offset(f, t->vaddr, t->bytes, ret_offset))
		return loader_fail(l, LOADER_EFORMAT,
				   "%s (0x%" PRIx64 " bytes at 0x%" PRIx64
				   ") is in none of the segments",
				   t->name, t->bytes, t->vaddr);
	return 0;
}

static int find_rela(struct loader *l, struct elf_file *f,
		     const struct pie_table *t, Elf_Data **ret)
{
	uint64_t offset;
	int err = 0;

	if (!t->bytes)
		return 0;
	err = find_table(l, f, t, &offset);
	if (err)
		return err;
	*ret = elf_getdata_rawchunk(f->elf, (int64_t)offset, t->bytes,
				    ELF_T_RELA);
	return *ret ? 0
		    : loader_fail(l, LOADER_EFORMAT, "%s: %s", t->name,
				  elf_errmsg(-1));
}

static int find_relr(struct loader *l, struct elf_file *f,
		     const struct pie_table *t)
{
	uint64_t offset;
	int err = t->bytes ? find_table(l, f, t, &offset) : 0;

	if (!err && t->bytes) {
		f->moves.relr = f->bytes + offset;
		f->moves.relr_size = t->bytes;
	}
	return err;
}

static int find_tables(struct loader *l, struct elf_file *f,
		       const struct dynamic *d)
{
	uint64_t one = gelf_fsize(f->elf, ELF_T_RELA, 1, EV_CURRENT);
	const struct pie_table rela = { "DT_RELA", d->rela, d->rela_bytes,
					d->rela_entry, one };
	const struct pie_table plt = { "DT_JMPREL", d->plt, d->plt_bytes, one,
				       one };
	const struct pie_table relr = { "DT_RELR", d->relr, d->relr_bytes,
					d->relr_entry, l->xlen / 8u };
	int err = find_rela(l, f, &rela, &f->moves.rela[0]);

	err = err ? err : find_rela(l, f, &plt, &f->moves.rela[1]);
	return err ? err : find_relr(l, f, &relr);
}

/* Its words */

/* Is the word at @vaddr, once moved, all in one of the file's segments? */
static bool has_word(const struct loader *l, const struct elf_file *f,
		     uint64_t vaddr)
{
	uint64_t paddr = vaddr + f->bias, size = l->xlen / 8u;

	for (unsigned i = f->first_range; i < l->n_ranges; i++) {
		const struct loader_range *r = &l->ranges[i];

		if (paddr >= r->start && r->size >= size &&
		    paddr - r->start <= r->size - size)
			return true;
	}
	return false;
}

static const char *name_of(uint32_t type)
{
	static const char *const names[] = {
		[R_RISCV_32] = "R_RISCV_32",
		[R_RISCV_64] = "R_RISCV_64",
		[R_RISCV_COPY] = "R_RISCV_COPY",
		[R_RISCV_JUMP_SLOT] = "R_RISCV_JUMP_SLOT",
		[R_RISCV_TLS_DTPMOD32] = "R_RISCV_TLS_DTPMOD32",
		[R_RISCV_TLS_DTPMOD64] = "R_RISCV_TLS_DTPMOD64",
		[R_RISCV_TLS_DTPREL32] = "R_RISCV_TLS_DTPREL32",
		[R_RISCV_TLS_DTPREL64] = "R_RISCV_TLS_DTPREL64",
		[R_RISCV_TLS_TPREL32] = "R_RISCV_TLS_TPREL32",
		[R_RISCV_TLS_TPREL64] = "R_RISCV_TLS_TPREL64",
		[12] = "R_RISCV_TLSDESC", /* of newer headers than some have */
		[R_RISCV_IRELATIVE] = "R_RISCV_IRELATIVE",
	};
	size_t n = sizeof(names) / sizeof(names[0]);

	return type < n && names[type] ? names[type] : "unknown here";
}

static int refuse_word(struct loader *l, uint64_t vaddr)
{
	return loader_fail(l, LOADER_EFORMAT,
			   "the ELF file's relocation at 0x%" PRIx64
			   " is in none of its segments",
			   vaddr);
}

static int check_rela(struct loader *l, const struct elf_file *f,
		      Elf_Data *table)
{
	GElf_Rela r;

	for (int i = 0; table && gelf_getrela(table, i, &r); i++) {
		uint32_t type = (uint32_t)GELF_R_TYPE(r.r_info);

		if (type == R_RISCV_NONE)
			continue;
		if (type != R_RISCV_RELATIVE)
			return loader_fail(
				l, LOADER_EFORMAT,
				"the ELF file's relocation at 0x%" PRIx64
				" is of type %" PRIu32 " (%s): without a "
				"dynamic loader there is R_RISCV_RELATIVE only",
				r.r_offset, type, name_of(type));
		if (!has_word(l, f, r.r_offset))
			return refuse_word(l, r.r_offset);
	}
	return 0;
}

static void move_rela(struct loader *l, const struct elf_file *f,
		      Elf_Data *table)
{
	GElf_Rela r;

	for (int i = 0; table && gelf_getrela(table, i, &r); i++) {
		uint64_t value = (uint64_t)r.r_addend + f->bias;

		if (GELF_R_TYPE(r.r_info) == R_RISCV_RELATIVE)
			bus_write(l->bus, r.r_offset + f->bias, &value,
				  l->xlen / 8u);
	}
}

/* The addresses of DT_RELR: an even entry is one, an odd one bits from it on.
 */
struct relr {
	const struct elf_file *f;
	size_t at, word; /* bytes: the next entry, and one's size */
	uint64_t base, bits, next;
};

static bool next_relr(struct relr *r, uint64_t *ret_vaddr)
{
	const struct elf_moves *m = &r->f->moves;

	while (!r->bits) {
		uint64_t entry = 0;

		if (r->at == m->relr_size)
			return false;
		memcpy(&entry, m->relr + r->at, r->word);
		r->at += r->word;
		if (!(entry & 1)) {
			*ret_vaddr = entry;
			r->base = entry + r->word;
			return true;
		}
		r->bits = entry >> 1;
		r->next = r->base;
		r->base += (8 * r->word - 1) * r->word;
	}
	while (!(r->bits & 1)) {
		r->bits >>= 1;
		r->next += r->word;
	}
	r->bits >>= 1;
	*ret_vaddr = r->next;
	r->next += r->word;
	return true;
}

static int check_relr(struct loader *l, struct elf_file *f)
{
	struct relr r = { .f = f, .word = l->xlen / 8u };
	uint64_t vaddr;

	for (; next_relr(&r, &vaddr); f->moves.n_relr++)
		if (!has_word(l, f, vaddr))
			return refuse_word(l, vaddr);
	return 0;
}

static void move_relr(struct loader *l, struct elf_file *f)
{
	struct relr r = { .f = f, .word = l->xlen / 8u };
	uint64_t vaddr, value = 0;

	while (next_relr(&r, &vaddr)) {
		bus_read(l->bus, vaddr + f->bias, &value, r.word);
		value += f->bias;
		bus_write(l->bus, vaddr + f->bias, &value, r.word);
	}
}

int loader_pie_check(struct loader *l, struct elf_file *f)
{
	struct dynamic d = { 0 };
	GElf_Phdr ph;
	int err = 0;

	for (size_t i = 0; !err && loader_elf_phdr(f, i, &ph); i++)
		if (ph.p_type == PT_DYNAMIC)
			err = read_dynamic(l, f, &ph, &d);
	err = err ? err : find_tables(l, f, &d);
	for (unsigned i = 0; i < 2 && !err; i++)
		err = check_rela(l, f, f->moves.rela[i]);
	return err ? err : check_relr(l, f);
}

/* A word of DT_RELA may be moved twice, one of DT_RELR may not. */
static void note_relr(struct loader *l, const struct elf_file *f)
{
	if (f->moves.n_relr && !l->note[0])
		snprintf(l->note, sizeof(l->note),
			 "%" PRIu64 " words were moved by 0x%" PRIx64
			 ", as DT_RELR says: it must not do so itself",
			 f->moves.n_relr, f->bias);
}

void loader_pie_move(struct loader *l, struct elf_file *f)
{
	for (unsigned i = 0; i < 2; i++)
		move_rela(l, f, f->moves.rela[i]);
	move_relr(l, f);
	note_relr(l, f);
}
