/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfutils' libdwfl does the work; this file only asks it. An offline module
 * of an executable keeps its link addresses, which are the guest's.
 */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwfl.h>

struct symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
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
	free(s);
}

void symbols_find(struct symbols *s, uint64_t pc, struct symbol *ret)
{
	Dwfl_Line *line;
	GElf_Sym sym;
	const char *slash;

	memset(ret, 0, sizeof(*ret));
	if (!s)
		return;
	ret->function = dwfl_module_addrinfo(s->module, pc, &ret->offset, &sym,
					     NULL, NULL, NULL);
	line = dwfl_module_getsrc(s->module, pc);
	if (!line)
		return;
	ret->file = dwfl_lineinfo(line, NULL, &ret->line, NULL, NULL, NULL);
	slash = ret->file ? strrchr(ret->file, '/') : NULL;
	if (slash)
		ret->file = slash + 1;
}
