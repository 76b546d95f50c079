/* SPDX-License-Identifier: BSD-2-Clause */
/* A file of elf-image.c, with the words that make it a static PIE. */
#include "pie-image.h"

#include <elf.h>
#include <string.h>

#include "unit.h"

enum {
	AT_TYPE = 16,	/* of the header, of either class */
	SYMTAB = 0x300, /* in the file, as elf-image.c has it */
	INTERPRETER = 0x380,
};

struct file {
	uint8_t *bytes;
	unsigned word; /* 4 or 8 */
};

static void put(const struct file *f, uint64_t at, uint64_t value, unsigned n)
{
	memcpy(f->bytes + at, &value, n);
}

static uint64_t phdr(const struct file *f, unsigned i)
{
	return f->word == 4 ? sizeof(Elf32_Ehdr) + i * sizeof(Elf32_Phdr)
			    : sizeof(Elf64_Ehdr) + i * sizeof(Elf64_Phdr);
}

static void put_type(const struct file *f, unsigned i, uint32_t type)
{
	put(f, phdr(f, i), type, 4);
}

static void put_offset(const struct file *f, unsigned i, uint64_t offset)
{
	put(f, phdr(f, i) + f->word, offset, f->word);
}

static void put_align(const struct file *f, unsigned i, uint64_t align)
{
	put(f, phdr(f, i + 1) - f->word, align, f->word);
}

static bool is_address(uint32_t tag)
{
	return tag == DT_RELA || tag == DT_JMPREL || tag == DT_RELR;
}

static void put_dynamic(const struct file *f, const struct pie_image *img)
{
	uint64_t at = ELF_IMAGE_DATA + PIE_DYNAMIC;

	for (unsigned i = 0; i < ARRAY_SIZE(img->dynamic); i++) {
		uint32_t tag = img->dynamic[i].tag;
		uint64_t base = is_address(tag) ? img->link : 0;

		put(f, at, tag, f->word);
		put(f, at + f->word, img->dynamic[i].value + base, f->word);
		at += 2 * f->word;
	}
}

static void put_tables(const struct file *f, const struct pie_image *img)
{
	uint64_t at = ELF_IMAGE_DATA + PIE_RELA;

	for (unsigned i = 0; i < ARRAY_SIZE(img->rela); i++) {
		put(f, at, img->rela[i].at + img->link, f->word);
		put(f, at + f->word, img->rela[i].type, f->word);
		put(f, at + 2 * f->word, (uint64_t)img->rela[i].addend,
		    f->word);
		at += 3 * f->word;
	}
	at = ELF_IMAGE_DATA + PIE_RELR;
	for (unsigned i = 0; i < ARRAY_SIZE(img->relr); i++) {
		uint64_t base = img->relr[i] & 1 ? 0 : img->link;

		put(f, at, img->relr[i] + base, f->word);
		at += f->word;
	}
}

/* They are of the section with the bytes. */
static void put_symbols(const struct file *f)
{
	unsigned size = f->word == 4 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	unsigned at = f->word == 4 ? offsetof(Elf32_Sym, st_shndx)
				   : offsetof(Elf64_Sym, st_shndx);

	for (unsigned i = 1; i <= 2; i++)
		put(f, SYMTAB + i * size + at, 1, 2);
}

uint8_t *pie_image_make(const struct pie_image *img, size_t *ret_size)
{
	const struct elf_image elf = {
		.xlen = img->xlen ? img->xlen : 64,
		.entry = img->link,
		.n_segments = img->interpreter ? 3 : 2,
		.segments = { { img->link, 0, PIE_BYTES, PIE_MEMORY },
			      { img->link + PIE_DYNAMIC, 0, 0, 0 },
			      { 0 } },
		.n_symbols = 2,
		.symbols = { { "tohost", img->link + PIE_TOHOST },
			     { "fromhost", img->link + PIE_FROMHOST } },
	};
	struct file f = { NULL, elf.xlen == 32 ? 4 : 8 };

	f.bytes = elf_image_make(&elf, ret_size);
	put(&f, AT_TYPE, ET_DYN, 2);
	put_align(&f, 0, img->align);
	put_type(&f, 1, PT_DYNAMIC);
	put_offset(&f, 1,
		   img->dynamic_at ? img->dynamic_at
				   : ELF_IMAGE_DATA + PIE_DYNAMIC);
	put(&f, phdr(&f, 1) + (f.word == 4 ? 16 : 32),
	    2 * f.word * ARRAY_SIZE(img->dynamic), f.word);
	put_dynamic(&f, img);
	put_tables(&f, img);
	if (!img->absolute)
		put_symbols(&f);
	if (!img->interpreter)
		return f.bytes;
	put_type(&f, 2, PT_INTERP);
	put_offset(&f, 2, INTERPRETER);
	put(&f, phdr(&f, 2) + (f.word == 4 ? 16 : 32),
	    strlen(img->interpreter) + 1, f.word);
	strcpy((char *)f.bytes + INTERPRETER, img->interpreter);
	return f.bytes;
}
