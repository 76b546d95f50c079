/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine's fields that are no settings: their defaults and bounds. */
#ifndef SETTINGS_SETTINGS_FIELDS_H
#define SETTINGS_SETTINGS_FIELDS_H

#include "footprint.h"
#include "settings.h"

#define SETTINGS_DEFAULT_HARTS 1 /* a machine's, unsaid */

/* "harts", "memory", "mode"; ended by a row without a key. */
extern const struct settings_row settings_fields[];

#endif
