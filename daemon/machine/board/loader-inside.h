/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the loader share. */
#ifndef BOARD_LOADER_INSIDE_H
#define BOARD_LOADER_INSIDE_H

#include "loader.h"

/* Keeps the text for loader_error(); returns -@why. */
__attribute__((format(printf, 3, 4))) int
loader_fail(struct loader *l, enum loader_errno why, const char *format, ...);
/* Takes [start, start + size), size > 0, or says why it cannot. */
int loader_claim(struct loader *l, const struct loader_range *want);
/* May execution begin at @entry, in what is loaded? */
int loader_check_entry(struct loader *l, uint64_t entry);

#endif
