/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfutils finds an address by going through all symbols, each time: a kernel
 * has hundreds of thousands. So all of them are asked for once.
 */
#include "symbol-functions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbol-alias.h"
#include "symbol-index.h"
#include "symbol-map.h"
#include "symbols-inside.h"

/* A name that an instruction may stand under. */
struct label {
	GElf_Addr address;
	GElf_Word section;
	bool function; /* not only a name in an assembler's file */
	int order;     /* in the file's table */
	uint32_t key;  /* of the name: symbol-alias.h */
	const char *name;
};

struct symbol_functions {
	struct symbol_index *index; /* of all that have a place, by number */
	struct label *labels;	    /* by address */
	struct label *placed;	    /* the same by section, then address */
	size_t n_labels;
};

/* One of the file's table. */
struct table_entry {
	const char *name; /* NULL: none, or it does not end */
	GElf_Addr address;
	GElf_Word section;
	GElf_Sym sym;
	Elf *elf;
	Dwarf_Addr bias; /* of the addresses in @elf */
};

static struct table_entry entry_at(struct symbols *s, int i)
{
	struct table_entry e = { .section = SHN_UNDEF };

	e.name = dwfl_module_getsym_info(s->module, i, &e.sym, &e.address,
					 &e.section, &e.elf, &e.bias);
	e.name = symbols_ended(s, e.elf, e.name);
	return e;
}

static int type_of(const struct table_entry *e)
{
	return GELF_ST_TYPE(e->sym.st_info);
}

/* False: it is in none. */
static bool section_of(const struct table_entry *e, GElf_Shdr *ret)
{
	Elf_Scn *section = NULL;

	if (e->section < SHN_LORESERVE)
		section = elf_getscn(e->elf, e->section);
	return section && gelf_getshdr(section, ret);
}

/* At its own address it is in any case; a number is nowhere else. */
static uint64_t section_end(const struct table_entry *e)
{
	GElf_Shdr header;
	uint64_t end = 0;

	if (section_of(e, &header))
		end = header.sh_addr + e->bias + header.sh_size;
	return end > e->address ? end : e->address + 1;
}

static bool is_in_code(const struct table_entry *e)
{
	GElf_Shdr header;

	return section_of(e, &header) && header.sh_flags & SHF_EXECINSTR;
}

static unsigned rank_of(const struct table_entry *e)
{
	switch (GELF_ST_BIND(e->sym.st_info)) {
	case STB_GLOBAL:
		return 2;
	case STB_WEAK:
		return 1;
	default:
		return 0;
	}
}

static bool has_place(const struct table_entry *e)
{
	return e->name && *e->name && e->section != SHN_UNDEF &&
	       type_of(e) != STT_SECTION && type_of(e) != STT_FILE &&
	       type_of(e) != STT_TLS;
}

/*
 * Mapping symbols ("$x", "$d") stand where the code of an assembler's file
 * begins, and say nothing. Linkers put names of sections at a function, too.
 */
static bool is_label(const struct table_entry *e)
{
	return e->name && *e->name && e->name[0] != '$' &&
	       e->section != SHN_ABS && /* a number, not a place */
	       (type_of(e) == STT_FUNC ||
		(type_of(e) == STT_NOTYPE && is_in_code(e)));
}

/* The one that is told is the last of an address. */
static int compare(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int ret;

	if (x->address != y->address)
		return x->address > y->address ? 1 : -1;
	if (x->function != y->function)
		return x->function - y->function;
	ret = symbol_alias_compare(y->key, y->name, x->key, x->name);
	return ret ? ret : x->order - y->order;
}

static int compare_placed(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	if (x->section != y->section)
		return x->section > y->section ? 1 : -1;
	return compare(a, b);
}

static void take(struct symbol_functions *f, const struct table_entry *e, int i,
		 struct symbol_extent *all, size_t *n)
{
	const bool label = is_label(e);
	uint32_t key = 0;

	if (label || has_place(e))
		key = symbol_alias_key(e->name);
	if (has_place(e))
		all[(*n)++] = (struct symbol_extent){
			.start = e->address,
			.size = e->sym.st_size,
			.section_end = e->sym.st_size ? 0 : section_end(e),
			.name = e->name,
			.key = key,
			.rank = rank_of(e),
			.number = (uint32_t)i,
		};
	if (label)
		f->labels[f->n_labels++] = (struct label){
			.address = e->address,
			.section = e->section,
			.function = type_of(e) == STT_FUNC,
			.order = i,
			.key = key,
			.name = e->name,
		};
}

/* False: out of memory. */
static bool fill(struct symbol_functions *f, struct symbols *s, size_t most)
{
	struct symbol_extent *all = calloc(most, sizeof(*all));
	size_t n = 0;

	f->labels = calloc(most, sizeof(*f->labels));
	f->placed = calloc(most, sizeof(*f->placed));
	if (!all || !f->labels || !f->placed) {
		free(all);
		return false;
	}
	for (size_t i = 1; i < most; i++) {
		struct table_entry e = entry_at(s, (int)i);

		take(f, &e, (int)i, all, &n);
	}
	f->index = symbol_index_new(all, n);
	free(all);
	memcpy(f->placed, f->labels, f->n_labels * sizeof(*f->placed));
	qsort(f->labels, f->n_labels, sizeof(*f->labels), compare);
	qsort(f->placed, f->n_labels, sizeof(*f->placed), compare_placed);
	return f->index != NULL;
}

/* NULL: out of memory. */
static const struct symbol_functions *functions_of(struct symbols *s)
{
	int n = dwfl_module_getsymtab(s->module);

	if (s->functions)
		return s->functions;
	s->functions = calloc(1, sizeof(*s->functions));
	if (s->functions && fill(s->functions, s, n > 1 ? (size_t)n : 1))
		return s->functions;
	symbol_functions_free(s->functions);
	s->functions = NULL;
	return NULL;
}

void symbol_functions_free(struct symbol_functions *f)
{
	if (!f)
		return;
	symbol_index_free(f->index);
	free(f->labels);
	free(f->placed);
	free(f);
}

/* How many of @n sorted @labels are at or before @pc, or in sections before. */
static size_t count_labels(const struct label *labels, size_t n, GElf_Addr pc,
			   const GElf_Word *section)
{
	size_t low = 0;

	for (size_t high = labels ? n : 0; low < high;) {
		const struct label *l = &labels[low + (high - low) / 2];
		bool before = l->address <= pc;

		if (section && l->section != *section)
			before = l->section < *section;
		if (before)
			low = (size_t)(l - labels) + 1;
		else
			high = (size_t)(l - labels);
	}
	return low;
}

/* The last label of @section at or before @pc, or NULL. */
static const struct label *find_label(const struct symbol_functions *f,
				      GElf_Addr pc, GElf_Word section)
{
	const struct label *l;
	size_t n;

	n = count_labels(f->labels, f->n_labels, pc, NULL);
	l = n ? &f->labels[n - 1] : NULL;
	/* the linker's name of a section's end stands where the next begins */
	if (l && l->function && l->address == pc)
		return l;
	/* not walked to: all labels before may be of another section */
	n = count_labels(f->placed, f->n_labels, pc, &section);
	l = n ? &f->placed[n - 1] : NULL;
	return l && l->section == section ? l : NULL;
}

static void find_listed(const struct symbol_map *map, uint64_t pc,
			struct symbol *ret)
{
	struct map_symbol found;

	if (!symbol_map_find(map, pc, &found))
		return;
	ret->function = found.name;
	ret->offset = pc - found.address;
}

static void find_named(struct symbols *s, uint64_t pc, struct symbol *ret)
{
	const struct symbol_functions *f = functions_of(s);
	uint32_t number = f ? symbol_index_find(f->index, pc) : 0;
	const struct label *label;
	struct table_entry e;

	if (!number)
		return;
	e = entry_at(s, (int)number);
	if (type_of(&e) == STT_FUNC) {
		ret->function = e.name;
		ret->offset = pc - e.address;
		return;
	}
	label = find_label(f, pc, e.section);
	ret->function = label ? label->name : NULL;
	ret->offset = label ? pc - label->address : 0;
}

void symbols_find_function(struct symbols *s, uint64_t pc, struct symbol *ret)
{
	if (s->map)
		find_listed(s->map, pc, ret);
	else
		find_named(s, pc, ret);
}
