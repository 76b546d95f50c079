/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes the file with libelf into a memory file; the layout is fixed, so
 * that tests can cut and change it at known places.
 */
#include "elf-image.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"

enum {
	ELF_IMAGE_SYMTAB = 0x300,
	ELF_IMAGE_STRTAB = 0x400,
	ELF_IMAGE_SHDRS = 0x480
};

static void elf_section(Elf *e, GElf_Shdr sh, Elf_Type type, void *bytes)
{
	Elf_Scn *scn = elf_newscn(e);
	Elf_Data *d = elf_newdata(scn);
	GElf_Shdr old;

	ck_assert(gelf_getshdr(scn, &old));
	ck_assert(gelf_update_shdr(scn, &sh));
	d->d_buf = bytes;
	d->d_size = sh.sh_size;
	d->d_type = type;
	d->d_version = EV_CURRENT;
	d->d_align = sh.sh_addralign;
}

static void elf_headers(Elf *e, const struct elf_image *img)
{
	GElf_Ehdr eh;

	ck_assert(gelf_newehdr(e, img->xlen == 32 ? ELFCLASS32 : ELFCLASS64));
	ck_assert(gelf_getehdr(e, &eh));
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_type = ET_EXEC;
	eh.e_machine = EM_RISCV;
	eh.e_version = EV_CURRENT;
	eh.e_entry = img->entry;
	eh.e_phoff = img->xlen == 32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
	eh.e_shoff = ELF_IMAGE_SHDRS;
	ck_assert(gelf_update_ehdr(e, &eh));
	if (!img->n_segments)
		return;
	ck_assert(gelf_newphdr(e, img->n_segments));
	for (unsigned i = 0; i < img->n_segments; i++) {
		const struct elf_segment *s = &img->segments[i];
		GElf_Phdr ph = { PT_LOAD,	 s->data ? PF_R : PF_R | PF_X,
				 ELF_IMAGE_DATA, s->vaddr,
				 s->paddr,	 s->filesz,
				 s->memsz,	 8 };

		ck_assert(gelf_update_phdr(e, (int)i, &ph));
	}
}

static void elf_symbols(Elf *e, const struct elf_image *img, uint8_t *table,
			char *names)
{
	size_t one = gelf_fsize(e, ELF_T_SYM, 1, EV_CURRENT), len = 1;
	Elf_Data d = { .d_buf = table,
		       .d_type = ELF_T_SYM,
		       .d_size = one * (img->n_symbols + 1),
		       .d_version = EV_CURRENT };

	for (unsigned i = 0; i < img->n_symbols; i++) {
		const char *name = img->symbols[i].name;
		Elf32_Sym s32 = { .st_name = (uint32_t)len,
				  .st_value = (uint32_t)img->symbols[i].value,
				  .st_shndx = SHN_ABS };
		Elf64_Sym s64 = { .st_name = (uint32_t)len,
				  .st_value = img->symbols[i].value,
				  .st_shndx = SHN_ABS };

		memcpy(table + (i + 1) * one,
		       img->xlen == 32 ? (void *)&s32 : (void *)&s64, one);
		memcpy(names + len, name, strlen(name) + 1);
		len += strlen(name) + 1;
	}
	elf_section(e,
		    (GElf_Shdr){ .sh_type = SHT_SYMTAB,
				 .sh_offset = ELF_IMAGE_SYMTAB,
				 .sh_size = d.d_size,
				 .sh_link = 3,
				 .sh_addralign = 8,
				 .sh_entsize = one },
		    ELF_T_SYM, table);
	elf_section(e,
		    (GElf_Shdr){ .sh_type = SHT_STRTAB,
				 .sh_offset = ELF_IMAGE_STRTAB,
				 .sh_size = len,
				 .sh_addralign = 1 },
		    ELF_T_BYTE, names);
}

uint8_t *elf_image_make(const struct elf_image *img, size_t *ret_size)
{
	uint8_t data[ELF_IMAGE_BYTES], table[128] = { 0 }, *bytes;
	char names[64] = { 0 };
	int fd = memfd_create("elf", 0);
	Elf *e;
	off_t size;

	ck_assert_int_ne(elf_version(EV_CURRENT), EV_NONE);
	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i + 1);
	e = elf_begin(fd, ELF_C_WRITE, NULL);
	ck_assert(e);
	elf_headers(e, img);
	elf_flagelf(e, ELF_C_SET, ELF_F_LAYOUT);
	elf_section(e,
		    (GElf_Shdr){ .sh_type = SHT_PROGBITS,
				 .sh_offset = ELF_IMAGE_DATA,
				 .sh_size = sizeof(data),
				 .sh_addralign = 8 },
		    ELF_T_BYTE, data);
	if (img->n_symbols)
		elf_symbols(e, img, table, names);
	size = elf_update(e, ELF_C_WRITE);
	ck_assert_msg(size > 0, "%s", elf_errmsg(-1));
	elf_end(e);
	bytes = malloc((size_t)size);
	ck_assert(bytes && pread(fd, bytes, (size_t)size, 0) == size);
	close(fd);
	*ret_size = (size_t)size;
	return bytes;
}
