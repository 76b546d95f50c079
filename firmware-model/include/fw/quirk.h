/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the reference firmware's answers are not the specification's: one flag
 * for each difference, which can be set alone. A profile is a set of them.
 * What each one means, and where it is from, has the table of quirk.c.
 */
#ifndef FW_QUIRK_H
#define FW_QUIRK_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

/* False everywhere: by the letter, and where that is silent as decided. */
struct fw_quirks {
	bool claims_opensbi;
	bool ignores_flags;
	bool address_32_bits;
	bool hart_id_32_bits;
	bool clear_ipi_0;
	bool legacy_mask_checked;
	bool start_stopped_only;
	bool suspend_types_known;
	bool dbcn_failed;
	bool fwft_locked_same;
	bool ipi_coalesced;
	bool fence_sent_always;
	bool fence_as_ipi;
	bool fence_own_received;
	bool fence_any_range;
	bool emulated_unretired;
	bool no_ebb;

	bool pmu_always;
	bool no_snapshot;
	bool holes_skipped;
	bool id_32_bits;
	bool last_answer;
	bool init_value_for_all;
	bool two_values_no_shmem;
	bool read_hi_any;
	bool skip_match_keeps;
	bool skip_match_skims;

	bool no_own_events;
	bool no_event_invalid;
	bool event_bits_ignored;
	bool event_data_ignored;
	bool list_bits_ignored;
	bool lowest_counts;

	bool boot_sets_of;
	bool config_sets_of;
	bool start_sets_of;
	bool restart_sets_of;
	bool request_outlives_of;
	bool reset_clears_minh;
	bool fixed_unowned;
	bool fixed_keeps_filters;
	bool fixed_only;
	bool fixed_needs_filters;
	bool fixed_outside_set;

	bool sse_event_last;
	bool sse_handler_first;
	bool sse_attr_order;
	bool sse_started_only;
	bool sse_signals_enabled;
	bool sse_injects_overflow;
	bool sse_looks_at_hart;
	bool sse_preferred_only;
	bool sse_stopped_failed;
	bool sse_by_ipi;
	bool sse_survives_stop;
	bool sse_owns_registered;
	bool sse_disable_clears;
	bool sse_until_stop;
	bool sse_stop_always;

	bool dt_lenient;
	bool dt_disabled;
	bool dt_first_node;
	bool dt_255_rows;
};

enum {
	FW_N_QUIRKS = sizeof(struct fw_quirks) / sizeof(bool)
};

/* Sets of quirks that have a name. Who is told none takes the default. */
#define FW_PROFILE_DEFAULT_NAME "spec"
#define FW_PROFILES(X)                                                         \
	X(SPEC, FW_PROFILE_DEFAULT_NAME)                                       \
	X(OPENSBI, "opensbi")

enum fw_profile {
#define X(id, name) FW_PROFILE_##id,
	FW_PROFILES(X)
#undef X
	FW_PROFILE_DEFAULT = FW_PROFILE_SPEC,
};

/* The quirks of @profile. */
struct fw_quirks fw_profile_quirks(enum fw_profile profile);
/* The profile called @name; false: there is none. */
bool fw_profile_find(const char *name, enum fw_profile *ret);

struct fw_quirk_desc {
	const char *name; /* the flag's */
	size_t at;	  /* its place in struct fw_quirks */
	unsigned in;	  /* bit n: profile n has it */
	const char *rule; /* an item of the conformance list, or a source of
			   * the reference's */
	const char *what; /* what the firmware then does, a sentence */
};
/* For who switches one alone. @i: 0 to FW_N_QUIRKS - 1; else NULL. */
const struct fw_quirk_desc *fw_quirk_desc(unsigned i);

#pragma GCC visibility pop

#endif
