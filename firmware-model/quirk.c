/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sets the profiles apart, and the only place that knows which profile has
 * what. The code asks for a quirk by name; docs/SBI-PMU.md shows this table.
 */
#include <fw/quirk.h>

#include <string.h>

#include <pmu/rule.h>

/* A flag of the opensbi profile. */
#define OPENSBI(flag, rule, what)                                              \
	{                                                                      \
#flag, offsetof(struct fw_quirks, flag),                       \
			1u << FW_PROFILE_OPENSBI, rule, what                   \
	}
/* A file of OpenSBI 1.9. */
#define SOURCE(path) "OpenSBI " path

static const struct fw_quirk_desc quirks[] = {
	OPENSBI(claims_opensbi, SOURCE("lib/sbi/sbi_ecall_base.c"),
		"get_impl_id and get_impl_version answer as OpenSBI 1.9 does."),
	OPENSBI(ignores_flags, RULE("C18"),
		"Flag bits that are not defined are ignored, except those of "
		"snapshot_set_shmem and event_get_info."),
	OPENSBI(address_32_bits, RULE("C141"),
		"On RV32 no memory above 4 GiB can be named."),
	OPENSBI(hart_id_32_bits, SOURCE("include/sbi/sbi_scratch.h"),
		"Of a hart's id 32 bits are looked at, and of the sum of a "
		"hart "
		"mask's base and a bit's number, which wraps; of a preferred "
		"hart all are kept."),
	OPENSBI(clear_ipi_0, SOURCE("lib/sbi/sbi_ecall_legacy.c"),
		"The legacy clear_ipi answers 0, whether an IPI was pending "
		"or not."),
	OPENSBI(legacy_mask_checked, SOURCE("lib/sbi/sbi_ecall_legacy.c"),
		"The hart mask of a legacy call is one word, and one that "
		"names "
		"a hart that is stopped or not there is INVALID_PARAM and "
		"reaches nobody."),
	OPENSBI(start_stopped_only, SOURCE("lib/sbi/sbi_hsm.c"),
		"To start a suspended hart is INVALID_PARAM, not "
		"ALREADY_AVAILABLE."),
	OPENSBI(suspend_types_known, SOURCE("lib/sbi/sbi_hsm.c"),
		"A platform's type of hart_suspend is NOT_SUPPORTED, not "
		"INVALID_PARAM."),
	OPENSBI(dbcn_failed, SOURCE("lib/sbi/sbi_ecall_dbcn.c"),
		"A console buffer at an address out of reach is FAILED, not "
		"INVALID_PARAM."),
	OPENSBI(fwft_locked_same, SOURCE("lib/sbi/sbi_fwft.c"),
		"A locked feature cannot be set to the value that it has."),
	OPENSBI(ipi_coalesced, RULE("C93"),
		"Several IPIs before their target runs again are received as "
		"one."),
	OPENSBI(fence_sent_always, RULE("C92"),
		"A remote fence counts as sent also where it is for the caller "
		"alone, for nobody, or its hart mask is refused."),
	OPENSBI(fence_as_ipi, RULE("C92"),
		"A remote fence counts as an IPI, too, sent and received."),
	OPENSBI(fence_own_received, RULE("C93"),
		"A remote fence that names the caller counts there as "
		"received."),
	OPENSBI(fence_any_range, SOURCE("lib/sbi/sbi_tlb.c"),
		"A remote fence may have any range and any bits as its ASID "
		"or VMID."),
	OPENSBI(emulated_unretired, RULE("C126"),
		"An instruction that the firmware emulates does not retire."),
	OPENSBI(no_ebb, RULE("C159"),
		"The extension EBB is not offered, and S-mode has none of "
		"Xpmuebb through Smstateen."),

	OPENSBI(pmu_always, RULE("C192"),
		"The extension is offered where no counter can be reached, "
		"too."),
	OPENSBI(no_snapshot, RULE("C77"),
		"Snapshots are not offered unless the setting says so."),
	OPENSBI(holes_skipped, RULE("C17"),
		"A set may hold counters that do not exist; they are passed "
		"over."),
	OPENSBI(id_32_bits, RULE("C206"),
		"counter_get_info looks at 32 bits of the id."),
	OPENSBI(last_answer, RULE("C51"),
		"start and stop say of a set what the last counter said, not "
		"the first one that was refused."),
	OPENSBI(init_value_for_all, RULE("C50"),
		"One initial value may start several counters."),
	OPENSBI(two_values_no_shmem, RULE("C48"),
		"A start with both initial values is NO_SHMEM, not "
		"INVALID_PARAM."),
	OPENSBI(read_hi_any, RULE("C80"),
		"On RV64 the upper half of a firmware counter without event "
		"is 0, not INVALID_PARAM."),
	OPENSBI(skip_match_keeps, RULE("C30"),
		"SKIP_MATCH leaves the counter's event and filters as they "
		"are and succeeds."),
	OPENSBI(skip_match_skims, RULE("C206"),
		"With SKIP_MATCH an event only needs to exist; event 0 and "
		"bits above its twenty pass."),

	OPENSBI(no_own_events, RULE("C19"),
		"The firmware events 256 to 260 do not exist."),
	OPENSBI(no_event_invalid, RULE("C19"),
		"An event that does not exist is INVALID_PARAM, not "
		"NOT_SUPPORTED."),
	OPENSBI(event_bits_ignored, RULE("C22"),
		"Bits above the twenty of a firmware event are ignored."),
	OPENSBI(event_data_ignored, RULE("C21"),
		"event_data of an event that has none is ignored."),
	OPENSBI(list_bits_ignored, RULE("C83"),
		"event_get_info answers 0 for an event with bits above its "
		"twenty, not INVALID_PARAM."),
	OPENSBI(lowest_counts, RULE("C91"),
		"Of several counters with one firmware event the lowest "
		"counts."),

	OPENSBI(boot_sets_of, RULE("C121"),
		"OF of the programmable counters is set at the boot."),
	OPENSBI(config_sets_of, RULE("C37"),
		"OF of a counter is set from its configuration to its start."),
	OPENSBI(start_sets_of, RULE("C55"),
		"A counter that starts while LCOFI is pending has OF set, and "
		"so no interrupt."),
	OPENSBI(restart_sets_of, RULE("C52"),
		"A refused start of a counter that runs sets its OF."),
	OPENSBI(request_outlives_of, RULE("C66"),
		"LCOFIP stays when a configuration or stop with RESET takes OF "
		"from the counter that has asked for it."),
	OPENSBI(reset_clears_minh, RULE("C63"),
		"stop with RESET clears all of mhpmevent: who runs the counter "
		"by Smcdeleg counts M-mode, too."),
	OPENSBI(fixed_unowned, RULE("C26"),
		"cycle and instret have no owner: config_matching gives them "
		"to everybody and leaves them running."),
	OPENSBI(fixed_keeps_filters, RULE("C58"),
		"stop with RESET leaves the filters of cycle and instret."),
	OPENSBI(fixed_only, RULE("C24"),
		"Without Sscofpmf only cycle and instret count cycles and "
		"instructions."),
	OPENSBI(fixed_needs_filters, RULE("C24"),
		"With Sscofpmf and without Smcntrpmf cycle and instret are "
		"not given out, whatever filters are asked for."),
	OPENSBI(fixed_outside_set, RULE("C25"),
		"cycle and instret are given out also with a set that they "
		"are not in."),

	OPENSBI(sse_event_last, SOURCE("lib/sbi/sbi_sse.c"),
		"read_attrs and write_attrs look at the event after "
		"everything else."),
	OPENSBI(sse_handler_first, SOURCE("lib/sbi/sbi_ecall_sse.c"),
		"register looks at the handler's address before the event."),
	OPENSBI(sse_attr_order, SOURCE("lib/sbi/sbi_sse.c"),
		"write_attrs looks at the state before it denies a local "
		"event's preferred hart, and at the value of flags before the "
		"state."),
	OPENSBI(sse_started_only, SOURCE("lib/sbi/sbi_sse.c"),
		"The preferred hart of a global event must be started."),
	OPENSBI(sse_signals_enabled, SOURCE("lib/sbi/sbi_sse.c"),
		"An event that is not enabled cannot be injected."),
	OPENSBI(sse_injects_overflow, SOURCE("lib/sbi/sbi_sse.c"),
		"Overflow events can be injected."),
	OPENSBI(sse_looks_at_hart, SOURCE("lib/sbi/sbi_sse.c"),
		"The hart of an injection must be there, though that of a "
		"global event says nothing."),
	OPENSBI(sse_preferred_only, SOURCE("lib/sbi/sbi_sse.c"),
		"A global event is its preferred hart's alone: while that is "
		"stopped it cannot be injected."),
	OPENSBI(sse_stopped_failed, SOURCE("lib/sbi/sbi_sse.c"),
		"To inject a local event of a stopped hart has failed, and "
		"whether it is supported is looked at first."),
	OPENSBI(sse_by_ipi, SOURCE("lib/sbi/sbi_sse.c"),
		"An event that is injected on another hart, or global, pending "
		"and enabled for one, goes there by an IPI: it counts as one, "
		"and wakes a suspended hart, whatever that can do about it."),
	OPENSBI(sse_survives_stop, SOURCE("lib/sbi/sbi_sse.c"),
		"A hart that stops keeps its events but those enabled or "
		"running, which are unused then, as are global ones that "
		"prefer it; it is unmasked if it was."),
	OPENSBI(sse_owns_registered, SOURCE("lib/sbi/sbi_pmu.c"),
		"S-mode has no LCOFI while the event of overflows is "
		"registered, enabled or not."),
	OPENSBI(sse_disable_clears, SOURCE("lib/sbi/sbi_pmu.c"),
		"Disabling the event of overflows clears LCOFIP; what waits "
		"for the hart to be unmasked stays with the event."),
	OPENSBI(sse_until_stop, SOURCE("lib/sbi/sbi_pmu.c"),
		"LCOFIP stays when the handler of overflows begins, and is no "
		"new event before counter_stop clears it."),
	OPENSBI(sse_stop_always, RULE("C66"),
		"Every counter_stop clears LCOFIP while the firmware has "
		"LCOFI, whatever counters it stops, not only one within the "
		"handler for the overflows of those; what waits for the hart "
		"to be unmasked stays with the event."),

	OPENSBI(dt_lenient, RULE("C100"),
		"A tree with errors is read up to the first bad row, and "
		"used."),
	OPENSBI(dt_disabled, SOURCE("lib/utils/fdt/fdt_pmu.c"),
		"A disabled riscv,pmu node is read."),
	OPENSBI(dt_first_node, SOURCE("lib/utils/fdt/fdt_pmu.c"),
		"The first riscv,pmu node is read only, for all harts."),
	OPENSBI(dt_255_rows, SOURCE("lib/utils/fdt/fdt_pmu.c"),
		"A node has at most 255 rows of counters and of raw events "
		"together."),
};

/* test-fw-quirks.c has a row for each flag, so that none stands here twice. */
_Static_assert(sizeof(quirks) / sizeof(quirks[0]) == FW_N_QUIRKS,
	       "a flag has no row");

static const char *const profiles[] = {
#define X(id, name) [FW_PROFILE_##id] = name,
	FW_PROFILES(X)
#undef X
};

const struct fw_quirk_desc *fw_quirk_desc(unsigned i)
{
	return i < FW_N_QUIRKS ? &quirks[i] : NULL;
}

struct fw_quirks fw_profile_quirks(enum fw_profile profile)
{
	struct fw_quirks ret = { .claims_opensbi = false };

	for (unsigned i = 0; i < FW_N_QUIRKS; i++)
		*(bool *)((char *)&ret + quirks[i].at) =
			quirks[i].in >> profile & 1;
	return ret;
}

bool fw_profile_find(const char *name, enum fw_profile *ret)
{
	for (size_t i = 0; i < sizeof(profiles) / sizeof(*profiles); i++)
		if (!strcmp(profiles[i], name)) {
			*ret = (enum fw_profile)i;
			return true;
		}
	return false;
}
