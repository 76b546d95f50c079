/* SPDX-License-Identifier: BSD-2-Clause */
/* An ELF file on its way in, for loader-elf.c and loader-pie.c alone. */
#ifndef BOARD_LOADER_ELF_H
#define BOARD_LOADER_ELF_H

#include <gelf.h>

#include "loader-inside.h"

/* What moves a position-independent file's words, as far as it has any. */
struct elf_moves {
	Elf_Data *rela[2];   /* DT_RELA, DT_JMPREL */
	const uint8_t *relr; /* DT_RELR */
	size_t relr_size;
	uint64_t n_relr; /* words that it moved */
};

struct elf_file {
	Elf *elf;
	GElf_Ehdr ehdr;
	const uint8_t *bytes;
	size_t size, n_phdrs;
	bool marks_code;      /* some segment is executable */
	unsigned first_range; /* of the loader's, of its segments */
	uint64_t bias;	      /* of a position-independent one, else 0 */
	struct elf_moves moves;
};

/*
 * The @i-th program header; of a position-independent file p_paddr is where
 * the file's code expects it: as far behind the bias as p_vaddr says. False at
 * the end of the table, or where libelf finds it cut off.
 */
static inline bool loader_elf_phdr(const struct elf_file *f, size_t i,
				   GElf_Phdr *ret)
{
	if (i >= f->n_phdrs || !gelf_getphdr(f->elf, (int)i, ret))
		return false;
	if (f->ehdr.e_type == ET_DYN)
		ret->p_paddr = ret->p_vaddr + f->bias;
	return true;
}

/* Does it take memory? */
static inline bool loader_elf_loads(const GElf_Phdr *ph)
{
	return ph->p_type == PT_LOAD && ph->p_memsz;
}

/* Sets the bias, or refuses: -LOADER_EFORMAT. */
int loader_pie_place(struct loader *l, struct elf_file *f);
/*
 * Looks at all that is to be moved, once the segments have their ranges. It
 * writes nothing: -LOADER_EFORMAT.
 */
int loader_pie_check(struct loader *l, struct elf_file *f);
/* Moves what was looked at, once the segments are in RAM. */
void loader_pie_move(struct loader *l, struct elf_file *f);

#endif
