/* SPDX-License-Identifier: BSD-2-Clause */
/* One instruction in words, by the objdump of the user's cross tools. */
#ifndef CLI_TRACE_DISASM_H
#define CLI_TRACE_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DISASM_MAX = 128 /* bytes of a text, its end included */
};

/*
 * What the instruction of @n bytes (2 or 4) at @pc is, to @buf of DISASM_MAX
 * bytes. False: there is no objdump for RISC-V, or it knows no such thing; then
 * the text is the instruction in hexadecimal.
 */
bool disasm(unsigned xlen, uint64_t pc, const uint8_t *bytes, size_t n,
	    char *buf);
/* An instruction at @pc; false: no more. */
typedef bool disasm_take_fn(void *arg, uint64_t pc, const char *text);
/*
 * Those of the ELF file @path from @first to @last, in order. False: there is
 * no objdump that reads it, or @take said so; it may have had some then.
 */
bool disasm_file(const char *path, uint64_t first, uint64_t last,
		 disasm_take_fn *take, void *arg);
/* Bytes of the instruction that begins so: 2 or 4. */
size_t disasm_length(const uint8_t *bytes);

#endif
