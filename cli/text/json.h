/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any message as JSON, by its descriptor: proto3's rules (64-bit numbers are
 * strings, enums go by name, bytes are base64, names in lowerCamelCase), with
 * all fields present that have a value to show.
 */
#ifndef CLI_TEXT_JSON_H
#define CLI_TEXT_JSON_H

#include <stdio.h>

#include <jansson.h>
#include <protobuf-c/protobuf-c.h>

/* A new reference, or NULL when out of memory. */
json_t *json_message(const ProtobufCMessage *msg);
/* One message, indented. Returns 0, or -1 (errno). */
int json_print(FILE *out, const ProtobufCMessage *msg);

#endif
