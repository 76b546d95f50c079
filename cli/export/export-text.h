/* SPDX-License-Identifier: BSD-2-Clause */
/* Names in texts of other tools; a trace or an ELF file may be anybody's. */
#ifndef CLI_EXPORT_EXPORT_TEXT_H
#define CLI_EXPORT_EXPORT_TEXT_H

#include <stdint.h>
#include <stdio.h>

/*
 * "KEY":"TEXT", where controls are escaped and what is no UTF-8 is told as
 * json.h says, and "KEY":"NUMBER", as JSON has no numbers of 64 bits.
 */
void export_json_text(FILE *out, const char *key, const char *text);
void export_json_number(FILE *out, const char *key, uint64_t value);
void export_json_address(FILE *out, const char *key, uint64_t value);
/* What is no UTF-8 becomes a '?' each. */
void export_to_utf8(char *text);
/* As text of HTML, also in an attribute; a byte of a control is '?'. */
void export_html_text(FILE *out, const char *text);
/*
 * Without controls, as plain-text.h has them, and what else is in @without:
 * each byte of it is '?', so that the length stays.
 */
void export_plain(FILE *out, const char *text, const char *without);

#endif
