/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of settings that are more than a number or a word. */
#ifndef SETTINGS_SETTINGS_PARTS_H
#define SETTINGS_SETTINGS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include <pmu/event.h>
#include <pmu/uarch.h>

#include "settings-choices.h"

enum {
	SETTINGS_SEED_MIN = 32, /* bytes; Linux counts fewer as none */
	SETTINGS_SEED_MAX = 256,
	SETTINGS_SEED_DRAWN = 64, /* of a random one */
};

struct settings_seed {
	enum settings_seed_kind kind;
	size_t len; /* BYTES */
	uint8_t bytes[SETTINGS_SEED_MAX];
};

/* A part of the models of a core. */
struct settings_part {
	enum settings_part_is kind;
	struct pmu_uarch_config own; /* OWN: this part alone, else empty */
};

struct settings;
/* The models that each hart has. */
void settings_uarch(const struct settings *s, struct pmu_uarch_config *ret);
/* What there is to count by them and by the frequencies: pmu_event_set(). */
uint64_t settings_countable(const struct settings *s);
/* The settings that have @event counted, as told to users; NULL: all have. */
const char *settings_of_event(enum pmu_event event);

#endif
