/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of the SBI with their parameters, as its specification has
 * them. A test compares the names with those of the firmware model.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "names.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define FUNCTIONS     10
#define LEGACY	      9	    /* one EID each, from 0 on */
#define WIDE	      ":64" /* a parameter of 64 bits also on RV32 */

struct function {
	const char *name;
	const char *params; /* parted by blanks */
};

static const struct extension {
	uint64_t eid;
	const char *name;
	struct function functions[FUNCTIONS];
} extensions[] = {
	{ 0x10,
	  "BASE",
	  { { "get_spec_version", "" },
	    { "get_impl_id", "" },
	    { "get_impl_version", "" },
	    { "probe_extension", "extension_id" },
	    { "get_mvendorid", "" },
	    { "get_marchid", "" },
	    { "get_mimpid", "" } } },
	{ 0x54494d45, "TIME", { { "set_timer", "stime_value" WIDE } } },
	{ 0x735049, "IPI", { { "send_ipi", "hart_mask hart_mask_base" } } },
	{ 0x52464e43,
	  "RFENCE",
	  { { "remote_fence_i", "hart_mask hart_mask_base" },
	    { "remote_sfence_vma", "hart_mask hart_mask_base start_addr size" },
	    { "remote_sfence_vma_asid",
	      "hart_mask hart_mask_base start_addr size asid" },
	    { "remote_hfence_gvma_vmid",
	      "hart_mask hart_mask_base start_addr size vmid" },
	    { "remote_hfence_gvma",
	      "hart_mask hart_mask_base start_addr size" },
	    { "remote_hfence_vvma_asid",
	      "hart_mask hart_mask_base start_addr size asid" },
	    { "remote_hfence_vvma",
	      "hart_mask hart_mask_base start_addr size" } } },
	{ 0x48534d,
	  "HSM",
	  { { "hart_start", "hartid start_addr opaque" },
	    { "hart_stop", "" },
	    { "hart_get_status", "hartid" },
	    { "hart_suspend", "suspend_type resume_addr opaque" } } },
	{ 0x53525354,
	  "SRST",
	  { { "system_reset", "reset_type reset_reason" } } },
	{ 0x504d55,
	  "PMU",
	  { { "num_counters", "" },
	    { "counter_get_info", "counter_idx" },
	    { "counter_config_matching",
	      "counter_idx_base counter_idx_mask config_flags "
	      "event_idx event_data" WIDE },
	    { "counter_start", "counter_idx_base counter_idx_mask start_flags "
			       "initial_value" WIDE },
	    { "counter_stop", "counter_idx_base counter_idx_mask stop_flags" },
	    { "counter_fw_read", "counter_idx" },
	    { "counter_fw_read_hi", "counter_idx" },
	    { "snapshot_set_shmem", "shmem_phys_lo shmem_phys_hi flags" },
	    { "event_get_info",
	      "shmem_phys_lo shmem_phys_hi num_entries flags" } } },
	{ 0x4442434e,
	  "DBCN",
	  { { "console_write", "num_bytes base_addr_lo base_addr_hi" },
	    { "console_read", "num_bytes base_addr_lo base_addr_hi" },
	    { "console_write_byte", "byte" } } },
	{ 0x53555350,
	  "SUSP",
	  { { "system_suspend", "sleep_type resume_addr opaque" } } },
	{ 0x46574654,
	  "FWFT",
	  { { "set", "feature value flags" }, { "get", "feature" } } },
	{ 0x535345,
	  "SSE",
	  { { "read_attrs", "event_id base_attr_id attr_count output_phys_lo "
			    "output_phys_hi" },
	    { "write_attrs", "event_id base_attr_id attr_count input_phys_lo "
			     "input_phys_hi" },
	    { "register", "event_id handler_entry_pc handler_entry_arg" },
	    { "unregister", "event_id" },
	    { "enable", "event_id" },
	    { "disable", "event_id" },
	    { "complete", "" },
	    { "inject", "event_id hart_id" },
	    { "hart_unmask", "" },
	    { "hart_mask", "" } } },
	{ 0x08454242,
	  "EBB",
	  { { "claim", "counter_idx_base counter_idx_mask" },
	    { "release", "counter_idx_base counter_idx_mask" },
	    { "claimed", "" } } },
	{ 0,
	  "LEGACY",
	  { { "set_timer", "stime_value" WIDE },
	    { "console_putchar", "ch" },
	    { "console_getchar", "" },
	    { "clear_ipi", "" },
	    { "send_ipi", "hart_mask" },
	    { "remote_fence_i", "hart_mask" },
	    { "remote_sfence_vma", "hart_mask start size" },
	    { "remote_sfence_vma_asid", "hart_mask start size asid" },
	    { "shutdown", "" } } },
};

static const struct function *function_of(uint64_t eid, uint64_t fid,
					  const char **ret_extension)
{
	if (eid < LEGACY) {
		fid = eid;
		eid = 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(extensions); i++) {
		const struct extension *e = &extensions[i];

		if (e->eid != eid)
			continue;
		*ret_extension = e->name;
		return fid < FUNCTIONS && e->functions[fid].name
			       ? &e->functions[fid]
			       : NULL;
	}
	*ret_extension = NULL;
	return NULL;
}

const char *name_sbi_call(uint64_t eid, uint64_t fid, char *buf)
{
	const char *extension;
	const struct function *f = function_of(eid, fid, &extension);

	if (f)
		snprintf(buf, NAME_MAX_LEN, "%s.%s", extension, f->name);
	else if (extension)
		snprintf(buf, NAME_MAX_LEN, "%s.%" PRIu64, extension, fid);
	else
		snprintf(buf, NAME_MAX_LEN, "0x%" PRIx64 ".%" PRIu64, eid, fid);
	return buf;
}

int name_sbi_params(uint64_t eid, uint64_t fid,
		    struct name_sbi_param ret[NAME_SBI_PARAMS])
{
	const char *extension;
	const struct function *f = function_of(eid, fid, &extension);
	int n = 0;

	if (!f)
		return -1;
	for (const char *at = f->params; *at; n++) {
		size_t len = strcspn(at, " ");
		size_t name = strcspn(at, " :");

		ret[n].name = at;
		ret[n].len = (int)name;
		ret[n].wide = name != len;
		at += at[len] ? len + 1 : len;
	}
	return n;
}

static bool is_call(const char *extension, const char *function,
		    const char *name)
{
	size_t n = strlen(extension);

	return function && strncasecmp(name, extension, n) == 0 &&
	       name[n] == '.' && strcasecmp(name + n + 1, function) == 0;
}

bool name_find_sbi_call(const char *name, uint64_t *ret_eid, uint64_t *ret_fid)
{
	for (size_t i = 0; i < ARRAY_SIZE(extensions); i++) {
		for (unsigned f = 0; f < FUNCTIONS; f++) {
			if (!is_call(extensions[i].name,
				     extensions[i].functions[f].name, name))
				continue;
			*ret_eid = extensions[i].eid ? extensions[i].eid : f;
			*ret_fid = extensions[i].eid ? f : 0;
			return true;
		}
	}
	return false;
}

const char *name_sbi_call_at(size_t i, char *buf)
{
	for (size_t e = 0; e < ARRAY_SIZE(extensions); e++) {
		for (unsigned f = 0; f < FUNCTIONS; f++) {
			if (!extensions[e].functions[f].name || i--)
				continue;
			snprintf(buf, NAME_MAX_LEN, "%s.%s", extensions[e].name,
				 extensions[e].functions[f].name);
			return buf;
		}
	}
	return NULL;
}
