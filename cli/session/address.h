/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of a machine as people write them: numbers, or names in its ELF. */
#ifndef CLI_SESSION_ADDRESS_H
#define CLI_SESSION_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

struct pmud;

/*
 * Takes "main+8" apart, and "main". @ret_name is to be freed. False: it is
 * neither, a number for one.
 */
bool address_split(const char *text, char **ret_name, uint64_t *ret_offset);

/*
 * "0x80200000", "main", "main+8": a name is that of a symbol in an ELF file of
 * @machine (SymbolService). @what names the argument in messages. Returns an
 * exit code after an error was said: EXIT_USAGE for what is neither,
 * EXIT_NOT_FOUND for a name that no file has.
 */
int address_parse(struct pmud *s, const char *machine, const char *what,
		  const char *text, uint64_t *ret);
/*
 * The same of one where an instruction begins: none does at an odd one, which
 * would be waited for in vain (EXIT_USAGE).
 */
int address_parse_pc(struct pmud *s, const char *machine, const char *what,
		     const char *text, uint64_t *ret);

#endif
