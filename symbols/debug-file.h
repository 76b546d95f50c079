/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debug information in files of their own: which an ELF file names, or where it
 * lies. elfutils would open whatever is there, and wait for a FIFO for ever or
 * read a device without end; so the files are looked for here, and opened by
 * whoever has files.
 */
#ifndef SYMBOLS_DEBUG_FILE_H
#define SYMBOLS_DEBUG_FILE_H

#include <elfutils/libdwfl.h>

struct symbols;

/*
 * dwfl's find_debuginfo: by build ID, or by the name in .gnu_debuglink. Its
 * data is the struct symbols. Last it asks the servers of $DEBUGINFOD_URLS.
 */
int debug_file_find(Dwfl_Module *module, void **data, const char *name,
		    Dwarf_Addr base, const char *file, const char *link,
		    GElf_Word crc, char **ret_name);
/*
 * Gives @dwarf what .gnu_debugaltlink names, or something empty in its place:
 * without, libdw looks for it by itself.
 */
void debug_file_set_alternate(struct symbols *s, Dwarf *dwarf);
/* What that made, when nothing uses it any more. */
void debug_file_end(struct symbols *s);

#endif
