/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How bytes of a guest read in a line: the first of them, and "..." for others.
 */
#ifndef CLI_TRACE_BYTES_TEXT_H
#define CLI_TRACE_BYTES_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include <protobuf-c/protobuf-c.h>

/* "of text\n", of @all bytes, of which @b has the first. */
void bytes_as_text(FILE *out, const ProtobufCBinaryData *b, uint64_t all);
/* 00ff12 */
void bytes_as_hex(FILE *out, const ProtobufCBinaryData *b, uint64_t all);

#endif
