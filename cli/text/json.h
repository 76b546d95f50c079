/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any message as JSON, by its descriptor: proto3's rules (64-bit numbers are
 * strings, enums go by name, bytes are base64, names in lowerCamelCase), with
 * all fields present that have a value to show.
 *
 * Text that is not UTF-8 (files, symbols and processes may be called anything)
 * loses nothing: a byte that is of no character is U+EF00 and the byte, from
 * U+EF80 to U+EFFF, which nobody else uses; where somebody does, each of its
 * bytes is told so, too. So the bytes can always be had back.
 */
#ifndef CLI_TEXT_JSON_H
#define CLI_TEXT_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>
#include <protobuf-c/protobuf-c.h>

/* A new reference, or NULL when out of memory. */
json_t *json_message(const ProtobufCMessage *msg);
json_t *json_text(const char *text);
json_t *json_decimal(uint64_t number); /* as text */
/* Of JSON whose text may be any bytes, likewise. */
json_t *json_parse(const char *text);

/*
 * What is built step by step: one that finds no memory, or that comes without a
 * value, frees the whole and makes it NULL, for which all others do nothing but
 * to free theirs.
 */
void json_add(json_t **object, const char *key, json_t *value);
void json_append(json_t **list, json_t *value);
/* The members of @more, which is freed. */
void json_add_all(json_t **object, json_t *more);
/*
 * Writes it as json_dumpf() does, but that controls which JSON would take as
 * they are (U+007f to U+009f) are escaped, for a terminal would obey them.
 * Returns 0 or -1.
 */
int json_write(FILE *out, const json_t *value, size_t flags);
/*
 * Writes it so, and a newline, and frees it. NULL: says that memory is out.
 * Returns an exit code.
 */
int json_put(FILE *out, json_t *value, size_t flags);
/* One message, indented, likewise. */
int json_print(FILE *out, const ProtobufCMessage *msg);

/*
 * Bytes of the character that @text begins with, 0: its first byte is told as
 * JSON_BYTE and the byte.
 */
enum {
	JSON_BYTE = 0xef00
};
size_t json_char(const char *text);

#endif
