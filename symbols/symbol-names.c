/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of symbols, of which elfutils says where they begin, and no more: a
 * hostile table's last one has no end, or all symbols share one of many bytes.
 */
#include <stdint.h>
#include <string.h>

#include "symbol-map.h"
#include "symbols-inside.h"

enum {
	ALIKE_TIMES = 8 /* a file's bytes: names may be shared, or packed */
};

/* Where @elf's bytes begin, and the last of them that ends a text. */
static const struct symbols_text *text_of(struct symbols *s, Elf *elf)
{
	struct symbols_text *ret = s->texts;
	size_t size = 0;

	while (ret->elf && ret->elf != elf &&
	       ret < &s->texts[SYMBOLS_TEXTS - 1])
		ret++;
	if (ret->elf != elf) {
		ret->elf = elf;
		ret->bytes = elf_rawfile(elf, &size);
		ret->last = ret->bytes ? memrchr(ret->bytes, 0, size) : NULL;
	}
	return ret;
}

const char *symbols_ended(struct symbols *s, Elf *elf, const char *name)
{
	const struct symbols_text *text;

	if (!name || !elf)
		return NULL;
	/* numbers, as it may be of another object */
	text = text_of(s, elf);
	return text->last && (uintptr_t)name >= (uintptr_t)text->bytes &&
			       (uintptr_t)name <= (uintptr_t)text->last
		       ? name
		       : NULL;
}

bool symbols_entry(struct symbols *s, int i, const char **ret,
		   uint64_t *ret_address, uint64_t *ret_size)
{
	GElf_Word section;
	GElf_Sym sym;
	Elf *elf = NULL;
	int type;

	*ret = dwfl_module_getsym_info(s->module, i, &sym, ret_address,
				       &section, &elf, NULL);
	*ret = symbols_ended(s, elf, *ret);
	type = GELF_ST_TYPE(sym.st_info);
	if (!*ret || section == SHN_UNDEF || type == STT_FILE ||
	    type == STT_SECTION)
		return false;
	*ret_size = sym.st_size;
	return true;
}

/* What is alike in vain is taken from @left. */
static bool is_same(const char *name, const char *wanted, uint64_t *left)
{
	uint64_t n = 0;

	while (name[n] == wanted[n] && name[n])
		n++;
	if (name[n] == wanted[n])
		return true;
	*left -= n < *left ? n : *left;
	return false;
}

bool symbols_extent(struct symbols *s, const char *name, uint64_t *ret,
		    uint64_t *ret_size)
{
	uint64_t left = s->bytes ? ALIKE_TIMES * (uint64_t)s->size : UINT64_MAX;
	int n;

	if (s->map) {
		*ret_size = 0;
		return symbol_map_address(s->map, name, ret);
	}
	n = dwfl_module_getsymtab(s->module);
	for (int i = 1; i < n && left; i++) {
		const char *found;
		uint64_t address, size;

		if (!symbols_entry(s, i, &found, &address, &size) ||
		    !is_same(found, name, &left))
			continue;
		*ret = address;
		*ret_size = size;
		return true;
	}
	return false;
}

bool symbols_address(struct symbols *s, const char *name, uint64_t *ret)
{
	uint64_t size;

	return symbols_extent(s, name, ret, &size);
}
