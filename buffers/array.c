/* SPDX-License-Identifier: BSD-2-Clause */
/* Twice the room whenever it is used up: what is added costs the same always.
 */
#include "array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIRST = 64 /* elements */
};

bool array_room(void *array, size_t *room, size_t size, size_t i)
{
	size_t more = *room ? 2 * *room : FIRST;
	void *grown;

	if (i < *room)
		return true;
	if (more > SIZE_MAX / size)
		return false;
	/* the pointer is of the elements' type, whatever that is */
	memcpy(&grown, array, sizeof(grown));
	grown = realloc(grown, more * size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof(grown));
	*room = more;
	return true;
}
