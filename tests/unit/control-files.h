/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF files of one function, which a machine's process is sent. */
#ifndef TESTS_UNIT_CONTROL_FILES_H
#define TESTS_UNIT_CONTROL_FILES_H

#include <elf.h>

#include "control-peer.h"

enum {
	FILES_MAX = 0x20000 /* bytes of one */
};

/* An ELF file with one function, whose name is one letter. */
struct file {
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	Elf64_Shdr sh[4];
	Elf64_Sym sym[2];
	char names[4];
};

#define IN_FILE(member) offsetof(struct file, member)

static inline struct file file_of(char name, uint64_t address, uint64_t offset)
{
	return (struct file){
		.eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
				     ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_RISCV,
			.e_version = EV_CURRENT,
			.e_phoff = IN_FILE(ph),
			.e_shoff = IN_FILE(sh),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 4,
			.e_shstrndx = 3 },
		.ph = { .p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_offset = offset,
			.p_vaddr = address,
			.p_paddr = address,
			.p_filesz = 8,
			.p_memsz = 8,
			.p_align = 8 },
		.sh = { { 0 },
			{ .sh_type = SHT_PROGBITS,
			  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			  .sh_addr = address,
			  .sh_offset = offset,
			  .sh_size = 8,
			  .sh_addralign = 4 },
			{ .sh_type = SHT_SYMTAB,
			  .sh_offset = IN_FILE(sym),
			  .sh_size = 2 * sizeof(Elf64_Sym),
			  .sh_link = 3,
			  .sh_info = 1,
			  .sh_addralign = 8,
			  .sh_entsize = sizeof(Elf64_Sym) },
			{ .sh_type = SHT_STRTAB,
			  .sh_offset = IN_FILE(names),
			  .sh_size = 4,
			  .sh_addralign = 1 } },
		.sym = { { 0 },
			 { .st_name = 1,
			   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			   .st_shndx = 1,
			   .st_value = address,
			   .st_size = 8 } },
		.names = { 0, name, 0, 0 },
	};
}

/* So many bytes, as symbols. */
static inline void send_symbols(const void *image, size_t bytes)
{
	Pmu__V1__LoadImageRequest q = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	start.kind = PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS;
	start.total_bytes = bytes;
	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	q.start = &start;
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &q.base)->code, OK);
	q.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	q.chunk = (ProtobufCBinaryData){ bytes, (uint8_t *)image };
	ck_assert_uint_eq(peer_call(&p, CALL(LoadImage), &q.base)->code, OK);
}

/* Its function is in memory at @address of @offset, and is all zeros. */
static inline uint8_t *file_image(char name, uint64_t address, uint64_t offset)
{
	static uint8_t image[FILES_MAX];
	struct file file = file_of(name, address, offset);

	memset(image, 0, sizeof(image));
	memcpy(image, &file, sizeof(file));
	return image;
}

/* The same; so many bytes in all. */
static inline void send_file(char name, uint64_t address, uint64_t offset,
			     size_t bytes)
{
	send_symbols(file_image(name, address, offset), bytes);
}

#endif
