/* SPDX-License-Identifier: BSD-2-Clause */
/* Twice the room whenever it is used up: what is added costs the same always.
 */
#include "array.h"

#include <stdlib.h>

enum {
	FIRST = 64
};

bool array_room(void **array, size_t *room, size_t size, size_t i)
{
	size_t more = *room ? 2 * *room : FIRST;
	void *grown;

	if (i < *room)
		return true;
	grown = reallocarray(*array, more, size);
	if (!grown)
		return false;
	*array = grown;
	*room = more;
	return true;
}
