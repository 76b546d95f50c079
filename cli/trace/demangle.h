/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of C++ and Rust as their authors wrote them, by the user's c++filt. */
#ifndef CLI_TRACE_DEMANGLE_H
#define CLI_TRACE_DEMANGLE_H

#include <stdbool.h>

/*
 * The name without parameters and hashes; @name itself where it is a plain one,
 * or nobody knows better. It lives as long as the program, if @name does.
 */
const char *demangle(const char *name);
/* Does @name look like one that a compiler made? */
bool demangle_is_mangled(const char *name);

#endif
