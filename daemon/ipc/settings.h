/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine's settings, `pmuctl run --set KEY=VALUE`: one table with key,
 * help, type, range and default. pmud lists it and checks with it, pmud-machine
 * builds machines from the parsed form and writes it into trace headers.
 */
#ifndef IPC_SETTINGS_H
#define IPC_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SETTINGS_TEXT = 128,  /* bytes of a value, its end included */
	SETTINGS_ERROR = 512, /* bytes of an error text */
};

/* The values of the choices, in the order the table names them. */
enum settings_wfi {
	SETTINGS_WFI_COUNT,
	SETTINGS_WFI_STOP
};
enum settings_sv {
	SETTINGS_SV_LARGEST,
	SETTINGS_SV_BARE,
	SETTINGS_SV32,
	SETTINGS_SV39,
	SETTINGS_SV48,
	SETTINGS_SV57
};
enum settings_profile {
	SETTINGS_PROFILE_SPEC,
	SETTINGS_PROFILE_OPENSBI
};
enum settings_sbi {
	SETTINGS_SBI_1_0,
	SETTINGS_SBI_2_0,
	SETTINGS_SBI_3_0
};

/* Every setting, parsed. One member for each row of the table. */
struct settings {
	uint64_t xlen, clock_hz, time_hz, cpi, trap_cycles, quantum, wfi_cycles;
	uint64_t zicntr, zihpm, sscofpmf, smcntrpmf, sstc, svadu, svade;
	uint64_t sv, asid_bits;
	uint64_t hpm_counters, hpm_width;
	char hpm_events[SETTINGS_TEXT];
	uint64_t mvendorid, marchid, mimpid;
	uint64_t profile, sbi, snapshot, fw_counters;
	uint64_t max_insns, max_cycles;
	uint64_t engines, step_only, code_buffer, host_slice;
};

enum settings_type {
	SETTINGS_NUMBER, /* decimal or 0x..., with k, M, G for 1000s */
	SETTINGS_HEX,	 /* the same, shown in hexadecimal */
	SETTINGS_SIZE,	 /* bytes, with KiB, MiB, GiB */
	SETTINGS_SWITCH, /* on, off */
	SETTINGS_CHOICE, /* one of the words in @values */
	SETTINGS_LIST,	 /* kept as text; who uses it checks it */
};

struct settings_row {
	const char *key;
	const char *help;
	enum settings_type type;
	uint64_t min, max;
	const char *initial; /* default value, as a user would write it */
	const char
		*values; /* CHOICE: words separated by '|'; LIST: for people */
	bool host_only;	 /* cannot change what the guest sees */
	size_t offset;	 /* in struct settings */
};

/* The table; @ret_n gets the number of rows. */
const struct settings_row *settings_table(size_t *ret_n);
/* What a row accepts, for people: "1 to 64". Returns @buf. */
const char *settings_values(const struct settings_row *row, char *buf,
			    size_t size);

/* All defaults. */
void settings_init(struct settings *s);
/*
 * Sets one. False: @s is unchanged and @ret_error (SETTINGS_ERROR bytes) names
 * key, value and what is accepted.
 */
bool settings_set(struct settings *s, const char *key, const char *value,
		  char *ret_error);
/* What depends on two of them: time-hz <= clock-hz, sv and xlen, ... */
bool settings_check(const struct settings *s, char *ret_error);
/* A row's present value as settings_set() takes it. Returns @buf. */
const char *settings_get(const struct settings *s,
			 const struct settings_row *row, char *buf,
			 size_t size);

#endif
