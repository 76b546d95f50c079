/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays that grow: what is read has no number of things known before. */
#ifndef BUFFERS_ARRAY_H
#define BUFFERS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Room for number @i in an array, a pointer, that has all below it and room for
 * *@room; NULL and 0 at first. False: no memory, and it is as before.
 */
#define ARRAY_ROOM(array, room, i)                                             \
	array_room(&(array), (room), sizeof(*(array)), (i))

/* The same for elements of @size bytes; @array is where the pointer lies. */
bool array_room(void *array, size_t *room, size_t size, size_t i);

#endif
