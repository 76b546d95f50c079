/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of the SBI with their parameters, as its specification has
 * them. What a call does is decided by its extension's file.
 */
#include <fw/sbi-name.h>

#define ARRAY_N(a) (sizeof(a) / sizeof((a)[0]))

/* clang-format off */
#define CALL(ext, fid, function, params)                                       \
	{ SBI_EID_##ext, fid, #ext "." #function, params }
#define LEGACY(eid, function, params)                                          \
	{ eid, 0, "LEGACY." #function, params }

static const struct sbi_name names[] = {
	CALL(BASE, 0, get_spec_version, ""),
	CALL(BASE, 1, get_impl_id, ""),
	CALL(BASE, 2, get_impl_version, ""),
	CALL(BASE, 3, probe_extension, "extension_id"),
	CALL(BASE, 4, get_mvendorid, ""),
	CALL(BASE, 5, get_marchid, ""),
	CALL(BASE, 6, get_mimpid, ""),
	CALL(TIME, 0, set_timer, "stime_value:64"),
	CALL(IPI, 0, send_ipi, "hart_mask hart_mask_base"),
	CALL(RFENCE, 0, remote_fence_i, "hart_mask hart_mask_base"),
	CALL(RFENCE, 1, remote_sfence_vma,
	     "hart_mask hart_mask_base start_addr size"),
	CALL(RFENCE, 2, remote_sfence_vma_asid,
	     "hart_mask hart_mask_base start_addr size asid"),
	CALL(RFENCE, 3, remote_hfence_gvma_vmid,
	     "hart_mask hart_mask_base start_addr size vmid"),
	CALL(RFENCE, 4, remote_hfence_gvma,
	     "hart_mask hart_mask_base start_addr size"),
	CALL(RFENCE, 5, remote_hfence_vvma_asid,
	     "hart_mask hart_mask_base start_addr size asid"),
	CALL(RFENCE, 6, remote_hfence_vvma,
	     "hart_mask hart_mask_base start_addr size"),
	CALL(HSM, 0, hart_start, "hartid start_addr opaque"),
	CALL(HSM, 1, hart_stop, ""),
	CALL(HSM, 2, hart_get_status, "hartid"),
	CALL(HSM, 3, hart_suspend, "suspend_type resume_addr opaque"),
	CALL(SRST, 0, system_reset, "reset_type reset_reason"),
	CALL(PMU, 0, num_counters, ""),
	CALL(PMU, 1, counter_get_info, "counter_idx"),
	CALL(PMU, 2, counter_config_matching,
	     "counter_idx_base counter_idx_mask config_flags event_idx "
	     "event_data:64"),
	CALL(PMU, 3, counter_start,
	     "counter_idx_base counter_idx_mask start_flags initial_value:64"),
	CALL(PMU, 4, counter_stop,
	     "counter_idx_base counter_idx_mask stop_flags"),
	CALL(PMU, 5, counter_fw_read, "counter_idx"),
	CALL(PMU, 6, counter_fw_read_hi, "counter_idx"),
	CALL(PMU, 7, snapshot_set_shmem, "shmem_phys_lo shmem_phys_hi flags"),
	CALL(PMU, 8, event_get_info,
	     "shmem_phys_lo shmem_phys_hi num_entries flags"),
	CALL(DBCN, 0, console_write, "num_bytes base_addr_lo base_addr_hi"),
	CALL(DBCN, 1, console_read, "num_bytes base_addr_lo base_addr_hi"),
	CALL(DBCN, 2, console_write_byte, "byte"),
	CALL(SUSP, 0, system_suspend, "sleep_type resume_addr opaque"),
	CALL(FWFT, 0, set, "feature value flags"),
	CALL(FWFT, 1, get, "feature"),
	CALL(SSE, 0, read_attrs,
	     "event_id base_attr_id attr_count output_phys_lo output_phys_hi"),
	CALL(SSE, 1, write_attrs,
	     "event_id base_attr_id attr_count input_phys_lo input_phys_hi"),
	CALL(SSE, 2, register, "event_id handler_entry_pc handler_entry_arg"),
	CALL(SSE, 3, unregister, "event_id"),
	CALL(SSE, 4, enable, "event_id"),
	CALL(SSE, 5, disable, "event_id"),
	CALL(SSE, 6, complete, ""),
	CALL(SSE, 7, inject, "event_id hart_id"),
	CALL(SSE, 8, hart_unmask, ""),
	CALL(SSE, 9, hart_mask, ""),
	CALL(EBB, 0, claim, "counter_idx_base counter_idx_mask"),
	CALL(EBB, 1, release, "counter_idx_base counter_idx_mask"),
	CALL(EBB, 2, claimed, ""),
	LEGACY(0, set_timer, "stime_value:64"),
	LEGACY(1, console_putchar, "ch"),
	LEGACY(2, console_getchar, ""),
	LEGACY(3, clear_ipi, ""),
	LEGACY(4, send_ipi, "hart_mask"),
	LEGACY(5, remote_fence_i, "hart_mask"),
	LEGACY(6, remote_sfence_vma, "hart_mask start size"),
	LEGACY(7, remote_sfence_vma_asid, "hart_mask start size asid"),
	LEGACY(8, shutdown, ""),
};
/* clang-format on */

const struct sbi_name *sbi_name_find(uint64_t eid, uint64_t fid)
{
	if (eid < SBI_EID_BASE)
		fid = 0;
	for (size_t i = 0; i < ARRAY_N(names); i++)
		if (names[i].eid == eid && names[i].fid == fid)
			return &names[i];
	return NULL;
}

const char *sbi_call_name(uint64_t eid, uint64_t fid)
{
	const struct sbi_name *n = sbi_name_find(eid, fid);

	return n ? n->name : NULL;
}

const struct sbi_name *sbi_name_at(size_t i)
{
	return i < ARRAY_N(names) ? &names[i] : NULL;
}

const char *sbi_extension_name(uint64_t eid)
{
	switch (eid) {
#define EXTENSION(name, number)                                                \
	case SBI_EID_##name:                                                   \
		return #name;
		SBI_EXTENSIONS(EXTENSION)
#undef EXTENSION
	default:
		return sbi_name_find(eid, 0) ? "LEGACY" : NULL;
	}
}
