/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfutils' libdwfl does the work; this file only asks it. An offline module
 * of an executable keeps its link addresses, which are the guest's.
 */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwfl.h>

#include "number.h"

/* A name that an instruction may stand under. */
struct label {
	GElf_Addr address;
	GElf_Word section;
	const char *name;
};

struct symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct label *labels; /* by address; made when first wanted */
	size_t n_labels;
	bool labelled;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct symbols *symbols_open(const char *path, const char **ret_why)
{
	struct symbols *s = calloc(1, sizeof(*s));

	*ret_why = "out of memory";
	if (!s)
		return NULL;
	s->dwfl = dwfl_begin(&callbacks);
	if (s->dwfl) {
		dwfl_report_begin(s->dwfl);
		s->module = dwfl_report_offline(s->dwfl, path, path, -1);
		dwfl_report_end(s->dwfl, NULL, NULL);
	}
	if (s->module)
		return s;
	*ret_why = dwfl_errmsg(-1);
	symbols_close(s);
	return NULL;
}

void symbols_close(struct symbols *s)
{
	if (!s)
		return;
	if (s->dwfl)
		dwfl_end(s->dwfl);
	free(s->labels);
	free(s);
}

bool symbols_have_functions(const struct symbols *s)
{
	/* the first of a table is none */
	return dwfl_module_getsymtab(s->module) > 1;
}

bool symbols_have_lines(const struct symbols *s)
{
	Dwarf_Addr bias;

	return dwfl_module_nextcu(s->module, NULL, &bias) != NULL;
}

static int compare(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/*
 * Mapping symbols ("$x", "$d") stand where the code of an assembler's file
 * begins, and say nothing.
 */
static bool is_mapping(const char *name)
{
	return name && name[0] == '$';
}

static void make_labels(struct symbols *s)
{
	int n = dwfl_module_getsymtab(s->module);

	s->labelled = true;
	s->labels = n > 0 ? calloc((size_t)n, sizeof(*s->labels)) : NULL;
	for (int i = 1; s->labels && i < n; i++) {
		struct label l = { 0 };
		GElf_Sym sym;
		int type;

		l.name = dwfl_module_getsym_info(s->module, i, &sym, &l.address,
						 &l.section, NULL, NULL);
		type = GELF_ST_TYPE(sym.st_info);
		if (l.name && *l.name && !is_mapping(l.name) &&
		    (type == STT_FUNC || type == STT_NOTYPE))
			s->labels[s->n_labels++] = l;
	}
	if (s->n_labels)
		qsort(s->labels, s->n_labels, sizeof(*s->labels), compare);
}

bool symbols_address(struct symbols *s, const char *text, uint64_t *ret)
{
	size_t len = strcspn(text, "+");
	uint64_t offset = 0;

	if (text[len] && !number_parse(text + len + 1, &offset))
		return false;
	if (!s->labelled)
		make_labels(s);
	for (size_t i = 0; i < s->n_labels; i++) {
		if (strncmp(s->labels[i].name, text, len) != 0 ||
		    s->labels[i].name[len])
			continue;
		*ret = s->labels[i].address + offset;
		return true;
	}
	return false;
}

/* The last label of @section at or before @pc, or NULL. */
static const struct label *find_label(struct symbols *s, GElf_Addr pc,
				      GElf_Word section)
{
	size_t low = 0, high;

	if (!s->labelled)
		make_labels(s);
	for (high = s->n_labels; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (s->labels[middle].address <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	while (low && s->labels[low - 1].section != section)
		low--;
	return low ? &s->labels[low - 1] : NULL;
}

static void find_function(struct symbols *s, uint64_t pc, struct symbol *ret)
{
	const struct label *label;
	GElf_Word section;
	GElf_Sym sym;

	ret->function = dwfl_module_addrinfo(s->module, pc, &ret->offset, &sym,
					     &section, NULL, NULL);
	if (!is_mapping(ret->function))
		return;
	label = find_label(s, pc, section);
	ret->function = label ? label->name : NULL;
	ret->offset = label ? pc - label->address : 0;
}

void symbols_find(struct symbols *s, uint64_t pc, struct symbol *ret)
{
	Dwfl_Line *line;
	const char *slash;

	memset(ret, 0, sizeof(*ret));
	if (!s)
		return;
	find_function(s, pc, ret);
	line = dwfl_module_getsrc(s->module, pc);
	if (!line)
		return;
	ret->file = dwfl_lineinfo(line, NULL, &ret->line, NULL, NULL, NULL);
	slash = ret->file ? strrchr(ret->file, '/') : NULL;
	if (slash)
		ret->file = slash + 1;
}
