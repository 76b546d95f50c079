/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seed of randomness that a guest is given: from what a user writes to
 * bytes and back. Where random ones come from is not decided here.
 */
#include <stdio.h>
#include <string.h>

#include "hex-digit.h"
#include "settings-value.h"

/*
 * The SHA-512 of "pmud rng-seed". Traces name it by a word: it stays as it is.
 */
static const uint8_t fixed[] = {
	0xfd, 0xc2, 0x7d, 0xf9, 0xb4, 0x8f, 0x5c, 0x1e, 0x5a, 0x81, 0x4b,
	0x7b, 0x65, 0x23, 0xb3, 0x13, 0xd3, 0xa5, 0xc8, 0x84, 0x4a, 0xf2,
	0xef, 0xd9, 0xf6, 0x00, 0xc6, 0x0b, 0x7d, 0x5e, 0x9a, 0xe3, 0x1a,
	0x2b, 0x71, 0xec, 0x1f, 0x53, 0x90, 0xe4, 0x12, 0xb9, 0x55, 0xaa,
	0xe8, 0xd0, 0x43, 0x81, 0x02, 0x73, 0xd4, 0x1a, 0x52, 0x1c, 0x9c,
	0xf6, 0x1b, 0xd2, 0x30, 0x54, 0x2c, 0x4f, 0x91, 0xbd,
};

static bool parse_bytes(const char *text, struct settings_seed *ret)
{
	size_t len = strlen(text);

	if (len % 2 || len < 2 * SETTINGS_SEED_MIN ||
	    len > 2 * SETTINGS_SEED_MAX)
		return false;
	ret->kind = SETTINGS_SEED_BYTES;
	ret->len = len / 2;
	for (size_t i = 0; i < ret->len; i++) {
		int high = hex_digit(text[2 * i]),
		    low = hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		ret->bytes[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

bool seed_parse(const char *text, struct settings_seed *ret)
{
	struct settings_seed got = { .kind = SETTINGS_SEED_FIXED };

	if (!strcmp(text, "none"))
		got.kind = SETTINGS_SEED_NONE;
	else if (!strcmp(text, "random"))
		got.kind = SETTINGS_SEED_RANDOM;
	else if (strcmp(text, "fixed") != 0 && !parse_bytes(text, &got))
		return false;
	*ret = got;
	return true;
}

void seed_print(const struct settings_seed *seed, char *buf)
{
	static const char *const words[] = {
		[SETTINGS_SEED_FIXED] = "fixed",
		[SETTINGS_SEED_NONE] = "none",
		[SETTINGS_SEED_RANDOM] = "random",
		[SETTINGS_SEED_BYTES] = "",
	};

	snprintf(buf, SETTINGS_TEXT, "%s", words[seed->kind]);
	for (size_t i = 0; i < seed->len; i++)
		snprintf(buf + 2 * i, 3, "%02x", seed->bytes[i]);
}

size_t settings_seed(const struct settings *s, const uint8_t **ret)
{
	switch (s->rng_seed.kind) {
	case SETTINGS_SEED_FIXED:
		*ret = fixed;
		return s->board == SETTINGS_BOARD_PLAIN ? 0 : sizeof(fixed);
	case SETTINGS_SEED_BYTES:
		*ret = s->rng_seed.bytes;
		return s->rng_seed.len;
	case SETTINGS_SEED_NONE:
	case SETTINGS_SEED_RANDOM:
		break;
	}
	*ret = NULL;
	return 0;
}
