/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays that grow: what is read has no number of things known before. */
#ifndef PMUCTL_ARRAY_H
#define PMUCTL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Room for number @i in an array of @size bytes each, that has all below it:
 * *@array, with room for *@room; NULL and 0 at first. False: out of memory, and
 * it is as before.
 */
bool array_room(void **array, size_t *room, size_t size, size_t i);

#endif
