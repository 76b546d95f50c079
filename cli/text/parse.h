/* SPDX-License-Identifier: BSD-2-Clause */
/* Positional arguments that are numbers: read, or the mistake said. */
#ifndef CLI_TEXT_PARSE_H
#define CLI_TEXT_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/args.h"

/*
 * An argument of a call or the value of a register, also a negative one. @what
 * names it in the message.
 */
bool parse_value(const char *what, const char *text, uint64_t *ret);
/* --hart, as the protocol has it. */
bool parse_hart(const struct args *args, uint32_t *ret);

#endif
