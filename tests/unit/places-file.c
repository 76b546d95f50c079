/* SPDX-License-Identifier: BSD-2-Clause */
/* See places-file.h. */
#include "places-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols.h"
#include "unit.h"

static const char *path;
struct places_file elf;
uint64_t places_file_bias;
static uint64_t said_bias; /* which is nothing to a file that cannot be moved */

Elf64_Ehdr *places_file_header(void)
{
	return (Elf64_Ehdr *)elf.bytes;
}

Elf64_Phdr *places_file_segment(unsigned i)
{
	return (Elf64_Phdr *)(elf.bytes + places_file_header()->e_phoff) + i;
}

void places_file_arguments(int argc, char **argv)
{
	path = argv[1];
}

void places_file_setup(void)
{
	FILE *f = fopen(path, "rb");

	ck_assert_ptr_nonnull(f);
	places_file_bias = said_bias = 0;
	elf.bytes = malloc(1 << 20);
	elf.size = fread(elf.bytes, 1, 1 << 20, f);
	fclose(f);
}

void places_file_teardown(void)
{
	free(elf.bytes);
}

struct symbols *places_file_from_memory(void)
{
	const char *why;
	struct symbols *s =
		symbols_open_memory_at(elf.bytes, elf.size, said_bias, &why);

	PREPARING(ck_assert_msg(s, "%s", why));
	return s;
}

/* As a file of its own. */
static struct symbols *from_file(void)
{
	int fd = memfd_create("elf", 0);
	const char *why;
	struct symbols *s;
	char name[40];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	PREPARING(
		ck_assert(write(fd, elf.bytes, elf.size) == (ssize_t)elf.size));
	s = symbols_open(
		&(struct symbols_file){ .path = name, .bias = said_bias },
		&why);
	close(fd);
	PREPARING(ck_assert_msg(s, "%s", why));
	return s;
}

void places_file_strip(void)
{
	Elf64_Ehdr *h = places_file_header();

	h->e_shnum = 0;
	h->e_shoff = 0;
	h->e_shstrndx = 0;
}

static void as_it_is(void)
{
}

static void may_be_moved(void)
{
	places_file_header()->e_type = ET_DYN;
}

void places_file_move(bool moves)
{
	if (!moves)
		return;
	may_be_moved();
	places_file_bias = said_bias = MOVED;
}

static void moved(void)
{
	places_file_move(true);
}

static void said_to_be_moved(void)
{
	said_bias = MOVED;
}

/* The first segment from its first code on, the others where they are. */
void places_file_not_by_pages(void)
{
	Elf64_Phdr *p = places_file_segment(0);

	while (p->p_type != PT_LOAD)
		p++;
	p->p_offset += FIRST + 4 - p->p_vaddr;
	p->p_filesz -= FIRST + 4 - p->p_vaddr;
	p->p_memsz = p->p_filesz;
	p->p_vaddr = p->p_paddr = FIRST + 4;
}

static void without_alignment(void)
{
	for (unsigned i = 0; i < places_file_header()->e_phnum; i++)
		places_file_segment(i)->p_align = 0;
}

/* The highest comes first. */
void places_file_not_by_address(void)
{
	unsigned n = places_file_header()->e_phnum;

	for (unsigned i = 0; i < n / 2; i++) {
		Elf64_Phdr one = *places_file_segment(i);

		*places_file_segment(i) = *places_file_segment(n - 1 - i);
		*places_file_segment(n - 1 - i) = one;
	}
}

const struct places_file_kind places_file_kinds[N_KINDS] = {
	{ "a file", as_it_is, from_file },
	{ "bytes", as_it_is, places_file_from_memory },
	{ "a file that may be moved", may_be_moved, from_file },
	{ "bytes that may be moved", may_be_moved, places_file_from_memory },
	{ "a file that begins within a page", places_file_not_by_pages,
	  from_file },
	{ "bytes that begin within a page", places_file_not_by_pages,
	  places_file_from_memory },
	{ "bytes that say no alignment", without_alignment,
	  places_file_from_memory },
	{ "a file that is not by address", places_file_not_by_address,
	  from_file },
	{ "bytes that are not by address", places_file_not_by_address,
	  places_file_from_memory },
	{ "a file that was moved", moved, from_file },
	{ "bytes that were moved", moved, places_file_from_memory },
	{ "bytes that cannot be moved", said_to_be_moved,
	  places_file_from_memory },
};
