/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose structure it is decides how much of it there is. */
#include "sized.h"

#include <stdint.h>
#include <string.h>

#include <pmuclient/pmuclient.h>

#include "session.h"

/* Does a newer program use nothing of what is new? */
static int all_zero(const uint8_t *bytes, size_t n)
{
	while (n && !bytes[n - 1])
		n--;
	return n == 0;
}

int sized_take(struct pmuclient *c, const char *what, const void *from,
	       size_t known, void *ret)
{
	size_t size, n;

	memcpy(&size, from, sizeof(size));
	if (size < sizeof(size) || size > 64 * known)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "%s: its size is not set", what);
	n = size < known ? size : known;
	if (!all_zero((const uint8_t *)from + n, size - n))
		return session_fail(c, PMUCLIENT_EINVAL,
				    "%s: of a later version of this library",
				    what);
	memset(ret, 0, known);
	memcpy(ret, from, n);
	return 0;
}
