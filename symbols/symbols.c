/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfutils' libdwfl does the work; this file only asks it. A module at base 0
 * keeps its link addresses, which are the guest's or, of a program that was
 * moved, what its caller asks by; at another base it is moved, if it can be. A
 * list of symbols is asked in its place.
 */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include "debug-file.h"
#include "symbol-functions.h"
#include "symbol-map.h"
#include "symbols-inside.h"

enum {
	MAX_SEGMENTS = 4096 /* more are not looked at */
};

/* Where elfutils is to look for files by itself. */
static char nowhere[] = "/nonexistent", *nowhere_path = nowhere;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = debug_file_find,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &nowhere_path,
};

/* The one file of a module that was reported without one. */
static int find_elf(Dwfl_Module *module, void **data, const char *name,
		    Dwarf_Addr base, char **ret_name, Elf **ret_elf)
{
	const struct symbols *s = *data;

	*ret_elf = elf_memory((char *)s->bytes, s->size);
	return -1;
}

static const Dwfl_Callbacks memory_callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = debug_file_find,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &nowhere_path,
};

static bool movable(Elf *elf)
{
	GElf_Ehdr ehdr;

	return gelf_getehdr(elf, &ehdr) && ehdr.e_type == ET_DYN;
}

/*
 * Of the first segment, from where elfutils takes the file to begin by it: any
 * other start would say how far it was moved.
 */
static bool bounds(const struct symbols *s, GElf_Addr *ret_start,
		   GElf_Addr *ret_end)
{
	Elf *elf = elf_memory((char *)s->bytes, s->size);
	size_t n = 0;

	*ret_start = *ret_end = 0;
	if (elf && elf_getphdrnum(elf, &n) < 0)
		n = 0;
	for (size_t i = 0; i < n && i < MAX_SEGMENTS && !*ret_end; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		*ret_start = phdr.p_vaddr & -phdr.p_align;
		*ret_end = phdr.p_vaddr + phdr.p_memsz;
	}
	*ret_start += movable(elf) ? s->bias : 0;
	*ret_end += movable(elf) ? s->bias : 0;
	elf_end(elf);
	return *ret_start < *ret_end;
}

static Dwfl_Module *report_memory(struct symbols *s)
{
	GElf_Addr start, end;

	elf_version(EV_CURRENT);
	if (!bounds(s, &start, &end))
		return NULL;
	return dwfl_report_module(s->dwfl, "image", start, end);
}

/* @s, of @path, or without one of its bytes. NULL: it is closed. */
static struct symbols *open_module(struct symbols *s, const char *path,
				   const char **ret_why)
{
	void **data;

	*ret_why = "out of memory";
	s->dwfl = dwfl_begin(path ? &callbacks : &memory_callbacks);
	if (s->dwfl) {
		dwfl_report_begin(s->dwfl);
		/* an offline module would be moved if it can be */
		s->module = path ? dwfl_report_elf(s->dwfl, path, path, -1,
						   s->bias, true)
				 : report_memory(s);
		dwfl_report_end(s->dwfl, NULL, NULL);
	}
	if (s->module) {
		dwfl_module_info(s->module, &data, NULL, NULL, NULL, NULL, NULL,
				 NULL);
		*data = s;
		return s;
	}
	*ret_why = path ? dwfl_errmsg(-1) : "no ELF file with segments";
	symbols_close(s);
	return NULL;
}

struct symbols *symbols_open(const struct symbols_file *file,
			     const char **ret_why)
{
	struct symbols *s = calloc(1, sizeof(*s));

	*ret_why = "out of memory";
	if (!s)
		return NULL;
	s->bias = file->bias;
	s->open = file->open;
	if (file->root)
		s->root = strdup(strcmp(file->root, "/") ? file->root : "");
	if (!file->root || s->root)
		return open_module(s, file->path, ret_why);
	free(s);
	return NULL;
}

static struct symbols *open_bytes(const void *bytes, size_t size, uint64_t bias,
				  const char **ret_why)
{
	struct symbols *s = calloc(1, sizeof(*s));

	*ret_why = "out of memory";
	if (!s)
		return NULL;
	s->bytes = bytes;
	s->size = size;
	s->bias = bias;
	return open_module(s, NULL, ret_why);
}

bool symbols_are_elf(const void *bytes, size_t size)
{
	return size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG);
}

struct symbols *symbols_open_map(struct symbol_map *map)
{
	struct symbols *s = calloc(1, sizeof(*s));

	if (s)
		s->map = map;
	return s;
}

static struct symbols *open_list(const void *bytes, size_t size,
				 const char **ret_why)
{
	struct symbol_map *map = symbol_map_parse(bytes, size, ret_why);
	struct symbols *s = map ? symbols_open_map(map) : NULL;

	if (map && !s) {
		symbol_map_free(map);
		*ret_why = "out of memory";
	}
	return s;
}

struct symbols *symbols_open_memory_at(const void *bytes, size_t size,
				       uint64_t bias, const char **ret_why)
{
	return symbols_are_elf(bytes, size)
		       ? open_bytes(bytes, size, bias, ret_why)
		       : open_list(bytes, size, ret_why);
}

struct symbols *symbols_open_memory(const void *bytes, size_t size,
				    const char **ret_why)
{
	return symbols_open_memory_at(bytes, size, 0, ret_why);
}

void symbols_close(struct symbols *s)
{
	if (!s)
		return;
	if (s->dwfl)
		dwfl_end(s->dwfl);
	debug_file_end(s);
	symbol_map_free(s->map);
	free(s->root);
	symbol_functions_free(s->functions);
	free(s);
}

bool symbols_have_functions(const struct symbols *s)
{
	/* the first of a table is none */
	return s->map || dwfl_module_getsymtab(s->module) > 1;
}

Dwfl_Module *symbols_complete(struct symbols *s)
{
	Dwarf_Addr bias;
	Dwarf *dwarf;

	if (s->complete)
		return s->module;
	s->complete = true;
	dwarf = dwfl_module_getdwarf(s->module, &bias);
	if (dwarf)
		debug_file_set_alternate(s, dwarf);
	return s->module;
}

bool symbols_have_lines(struct symbols *s)
{
	Dwarf_Addr bias;

	return !s->map &&
	       dwfl_module_nextcu(symbols_complete(s), NULL, &bias) != NULL;
}

void symbols_find(struct symbols *s, uint64_t pc, struct symbol *ret)
{
	Dwfl_Line *line;
	const char *slash;

	memset(ret, 0, sizeof(*ret));
	if (!s)
		return;
	symbols_find_function(s, pc, ret);
	if (s->map)
		return;
	line = dwfl_module_getsrc(symbols_complete(s), pc);
	if (!line)
		return;
	ret->path = dwfl_lineinfo(line, NULL, &ret->line, NULL, NULL, NULL);
	slash = ret->path ? strrchr(ret->path, '/') : NULL;
	ret->file = slash ? slash + 1 : ret->path;
}

bool symbols_are_listed(const struct symbols *s)
{
	return s->map != NULL;
}

bool symbols_can_move(const struct symbols *s)
{
	GElf_Addr bias;

	return !s->map && movable(dwfl_module_getelf(s->module, &bias));
}

bool symbols_segment(struct symbols *s, size_t i, struct symbols_segment *ret)
{
	GElf_Addr bias;
	Elf *elf = s->map ? NULL : dwfl_module_getelf(s->module, &bias);
	size_t n = 0;

	if (!elf || elf_getphdrnum(elf, &n) < 0)
		return false;
	for (size_t k = 0; k < n && k < MAX_SEGMENTS; k++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)k, &phdr) ||
		    phdr.p_type != PT_LOAD || !(phdr.p_flags & PF_X) || i--)
			continue;
		*ret = (struct symbols_segment){ phdr.p_vaddr + bias,
						 phdr.p_memsz, phdr.p_offset };
		return true;
	}
	return false;
}

const uint8_t *symbols_code(struct symbols *s, uint64_t address, size_t n)
{
	struct symbols_segment in;
	const char *bytes = NULL;
	GElf_Addr bias;
	size_t size = 0;

	if (s && !s->map)
		bytes = elf_rawfile(dwfl_module_getelf(s->module, &bias),
				    &size);
	for (size_t i = 0; bytes && symbols_segment(s, i, &in); i++) {
		uint64_t at = address - in.start;

		if (address >= in.start && at < in.len && n <= in.len - at &&
		    in.offset <= size && at <= size - in.offset &&
		    n <= size - in.offset - at)
			return (const uint8_t *)bytes + in.offset + at;
	}
	return NULL;
}

bool symbols_at_offset(struct symbols *s, uint64_t offset, uint64_t *ret)
{
	struct symbols_segment found;

	for (size_t i = 0; symbols_segment(s, i, &found); i++) {
		if (offset < found.offset || offset - found.offset >= found.len)
			continue;
		*ret = found.start + (offset - found.offset);
		return true;
	}
	return false;
}
