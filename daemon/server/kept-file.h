/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of a kept run, as a file in its folder. */
#ifndef SERVER_KEPT_FILE_H
#define SERVER_KEPT_FILE_H

#include <stdbool.h>

#include "pmu/internal/kept.pb-c.h"
#include "store.h"

/* Writes it whole or not at all, into the folder @dir. False: errno says why.
 */
bool kept_write(int dir, const Pmu__Internal__KeptRun *run);
/*
 * Reads it; it is checked for what must be there. NULL: *@ret_why, a constant
 * text, says why. To be freed by wire_unpack_free().
 */
Pmu__Internal__KeptRun *kept_read(int dir, const char **ret_why);
void kept_unwrite(int dir);

/* Between a store's place and what is written of it. Returns @ret. */
Pmu__Internal__KeptPlace *kept_place(Pmu__Internal__KeptPlace *ret,
				     struct store_place from);
struct store_place kept_store_place(const Pmu__Internal__KeptPlace *place);

#endif
