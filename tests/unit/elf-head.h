/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a small ELF file of RISC-V begins: one segment and one section of code,
 * and a table of symbols with its names.
 */
#ifndef TESTS_UNIT_ELF_HEAD_H
#define TESTS_UNIT_ELF_HEAD_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ELF_CODE_BYTES = 8,
	ELF_CODE = 1, /* the section of it */
	ELF_SYMBOLS,
	ELF_NAMES,
	ELF_SECTIONS
};

struct elf_head {
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	Elf64_Shdr sh[ELF_SECTIONS];
};

/* Where its parts are in the file. */
struct elf_parts {
	size_t code;
	size_t symbols, n_symbols;
	size_t names, name_bytes;
};

/* Its code is to be at @address. */
static inline struct elf_head elf_head_of(uint64_t address,
					  const struct elf_parts *at)
{
	return (struct elf_head){
		.eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
				     ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_RISCV,
			.e_version = EV_CURRENT,
			.e_entry = address,
			.e_phoff = offsetof(struct elf_head, ph),
			.e_shoff = offsetof(struct elf_head, sh),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = ELF_SECTIONS,
			.e_shstrndx = ELF_NAMES },
		.ph = { .p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_offset = at->code,
			.p_vaddr = address,
			.p_paddr = address,
			.p_filesz = ELF_CODE_BYTES,
			.p_memsz = ELF_CODE_BYTES,
			.p_align = 8 },
		.sh = { [ELF_CODE] = { .sh_type = SHT_PROGBITS,
				       .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				       .sh_addr = address,
				       .sh_offset = at->code,
				       .sh_size = ELF_CODE_BYTES,
				       .sh_addralign = 4 },
			[ELF_SYMBOLS] = { .sh_type = SHT_SYMTAB,
					  .sh_offset = at->symbols,
					  .sh_size = at->n_symbols *
						     sizeof(Elf64_Sym),
					  .sh_link = ELF_NAMES,
					  .sh_info = 1,
					  .sh_addralign = 8,
					  .sh_entsize = sizeof(Elf64_Sym) },
			[ELF_NAMES] = { .sh_type = SHT_STRTAB,
					.sh_offset = at->names,
					.sh_size = at->name_bytes,
					.sh_addralign = 1 } },
	};
}

/* The whole of the code; @name is where it stands among the names. */
static inline Elf64_Sym elf_function(size_t name, uint64_t address)
{
	return (Elf64_Sym){ .st_name = (Elf64_Word)name,
			    .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			    .st_shndx = ELF_CODE,
			    .st_value = address,
			    .st_size = ELF_CODE_BYTES };
}

#endif
