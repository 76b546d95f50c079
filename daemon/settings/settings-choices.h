/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of settings that are words, in the order the table names them. */
#ifndef SETTINGS_SETTINGS_CHOICES_H
#define SETTINGS_SETTINGS_CHOICES_H

enum settings_wfi {
	SETTINGS_WFI_COUNT,
	SETTINGS_WFI_STOP
};
enum settings_board {
	SETTINGS_BOARD_VIRT,
	SETTINGS_BOARD_PLAIN
};
enum settings_minmax {
	SETTINGS_MINMAX_EXACT,
	SETTINGS_MINMAX_NATIVE
};
enum settings_engines { /* as engine_config.engines counts them */
	SETTINGS_ENGINES_AUTO,
	SETTINGS_ENGINES_ONE,
	SETTINGS_ENGINES_TWO
};
enum settings_pace {
	SETTINGS_PACE_NONE,
	SETTINGS_PACE_REAL
};
enum settings_sv {
	SETTINGS_SV_LARGEST,
	SETTINGS_SV_BARE,
	SETTINGS_SV32,
	SETTINGS_SV39,
	SETTINGS_SV48,
	SETTINGS_SV57
};
enum settings_pmp {
	SETTINGS_PMP_0,
	SETTINGS_PMP_16,
	SETTINGS_PMP_64
};
enum settings_snapshot {
	SETTINGS_SNAPSHOT_AUTO, /* as the profile has it (C77) */
	SETTINGS_SNAPSHOT_ON,
	SETTINGS_SNAPSHOT_OFF
};
enum settings_sbi {
	SETTINGS_SBI_1_0,
	SETTINGS_SBI_2_0,
	SETTINGS_SBI_3_0
};
enum settings_part_is {
	SETTINGS_PART_PRESET, /* that of the named core */
	SETTINGS_PART_NONE,
	SETTINGS_PART_OWN
};
enum settings_part_kind {
	SETTINGS_PART_CACHE,
	SETTINGS_PART_TLB,
	SETTINGS_PART_PREDICTOR,
	SETTINGS_PART_PREFETCH,
	SETTINGS_PART_STALLS
};
enum settings_timing {
	SETTINGS_TIMING_FIXED, /* so many cycles an instruction */
	SETTINGS_TIMING_INORDER
};
enum settings_seed_kind {
	SETTINGS_SEED_FIXED,
	SETTINGS_SEED_NONE,
	SETTINGS_SEED_RANDOM, /* not drawn yet */
	SETTINGS_SEED_BYTES
};

#endif
