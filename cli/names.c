/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names for people. The protocol speaks of numbers; what a number is called in
 * the specifications stands in the tables here.
 */
#include "names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

const char *name_enum(const ProtobufCEnumDescriptor *desc, int value, char *buf)
{
	const ProtobufCEnumValue *v =
		protobuf_c_enum_descriptor_get_value(desc, value);
	const ProtobufCEnumValue *zero =
		protobuf_c_enum_descriptor_get_value(desc, 0);
	size_t prefix = zero ? strlen(zero->name) - strlen("UNSPECIFIED") : 0;
	size_t i;

	if (!v) {
		snprintf(buf, NAME_MAX_LEN, "%d", value);
		return buf;
	}
	if (value == 0)
		return strcpy(buf, "-");
	for (i = 0; v->name[prefix + i] && i < NAME_MAX_LEN - 1; i++) {
		int c = (unsigned char)v->name[prefix + i];

		buf[i] = c == '_' ? '-' : (char)tolower(c);
	}
	buf[i] = '\0';
	return buf;
}

const char *name_privilege(int privilege)
{
	static const char *const names[] = { "-", "M", "S", "U", "VS", "VU" };

	if (privilege < 0 || (size_t)privilege >= ARRAY_SIZE(names))
		return "?";
	return names[privilege];
}

static const char *const exceptions[] = {
	[0] = "instruction address misaligned",
	[1] = "instruction access fault",
	[2] = "illegal instruction",
	[3] = "breakpoint",
	[4] = "load address misaligned",
	[5] = "load access fault",
	[6] = "store address misaligned",
	[7] = "store access fault",
	[8] = "ecall from U",
	[9] = "ecall from S",
	[10] = "ecall from VS",
	[11] = "ecall from M",
	[12] = "instruction page fault",
	[13] = "load page fault",
	[15] = "store page fault",
	[16] = "double trap",
	[18] = "software check",
	[19] = "hardware error",
	[20] = "instruction guest-page fault",
	[21] = "load guest-page fault",
	[22] = "virtual instruction",
	[23] = "store guest-page fault",
};

static const char *const interrupts[] = {
	[1] = "S software",	   [2] = "VS software",
	[3] = "M software",	   [5] = "S timer",
	[6] = "VS timer",	   [7] = "M timer",
	[9] = "S external",	   [10] = "VS external",
	[11] = "M external",	   [12] = "S guest external",
	[13] = "counter overflow",
};

const char *name_cause(bool interrupt, uint32_t cause)
{
	if (interrupt)
		return cause < ARRAY_SIZE(interrupts) ? interrupts[cause]
						      : NULL;
	return cause < ARRAY_SIZE(exceptions) ? exceptions[cause] : NULL;
}

#define FUNCTIONS 10
#define LEGACY	  9 /* one EID each, from 0 on */

static const struct {
	uint64_t eid;
	const char *name;
	const char *functions[FUNCTIONS];
} extensions[] = {
	{ 0x10,
	  "BASE",
	  { "get_spec_version", "get_impl_id", "get_impl_version",
	    "probe_extension", "get_mvendorid", "get_marchid", "get_mimpid" } },
	{ 0x54494d45, "TIME", { "set_timer" } },
	{ 0x735049, "IPI", { "send_ipi" } },
	{ 0x52464e43,
	  "RFENCE",
	  { "remote_fence_i", "remote_sfence_vma", "remote_sfence_vma_asid",
	    "remote_hfence_gvma_vmid", "remote_hfence_gvma",
	    "remote_hfence_vvma_asid", "remote_hfence_vvma" } },
	{ 0x48534d,
	  "HSM",
	  { "hart_start", "hart_stop", "hart_get_status", "hart_suspend" } },
	{ 0x53525354, "SRST", { "system_reset" } },
	{ 0x504d55,
	  "PMU",
	  { "num_counters", "counter_get_info", "counter_config_matching",
	    "counter_start", "counter_stop", "counter_fw_read",
	    "counter_fw_read_hi", "snapshot_set_shmem", "event_get_info" } },
	{ 0x4442434e,
	  "DBCN",
	  { "console_write", "console_read", "console_write_byte" } },
	{ 0x53555350, "SUSP", { "system_suspend" } },
	{ 0x46574654, "FWFT", { "set", "get" } },
	{ 0x535345,
	  "SSE",
	  { "read_attrs", "write_attrs", "register", "unregister", "enable",
	    "disable", "complete", "inject", "hart_unmask", "hart_mask" } },
	{ 0,
	  "LEGACY",
	  { "set_timer", "console_putchar", "console_getchar", "clear_ipi",
	    "send_ipi", "remote_fence_i", "remote_sfence_vma",
	    "remote_sfence_vma_asid", "shutdown" } },
};

static const char *function_of(uint64_t eid, uint64_t fid,
			       const char **ret_extension)
{
	if (eid < LEGACY) {
		fid = eid;
		eid = 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(extensions); i++) {
		if (extensions[i].eid != eid)
			continue;
		*ret_extension = extensions[i].name;
		return fid < FUNCTIONS ? extensions[i].functions[fid] : NULL;
	}
	*ret_extension = NULL;
	return NULL;
}

const char *name_sbi_call(uint64_t eid, uint64_t fid, char *buf)
{
	const char *extension;
	const char *function = function_of(eid, fid, &extension);

	if (function)
		snprintf(buf, NAME_MAX_LEN, "%s.%s", extension, function);
	else if (extension)
		snprintf(buf, NAME_MAX_LEN, "%s.%" PRIu64, extension, fid);
	else
		snprintf(buf, NAME_MAX_LEN, "0x%" PRIx64 ".%" PRIu64, eid, fid);
	return buf;
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
				     extensions[i].functions[f], name))
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
			if (!extensions[e].functions[f] || i--)
				continue;
			snprintf(buf, NAME_MAX_LEN, "%s.%s", extensions[e].name,
				 extensions[e].functions[f]);
			return buf;
		}
	}
	return NULL;
}

const char *name_sbi_error(int64_t error)
{
	static const char *const names[] = {
		"SUCCESS",
		"FAILED",
		"NOT_SUPPORTED",
		"INVALID_PARAM",
		"DENIED",
		"INVALID_ADDRESS",
		"ALREADY_AVAILABLE",
		"ALREADY_STARTED",
		"ALREADY_STOPPED",
		"NO_SHMEM",
		"INVALID_STATE",
		"BAD_RANGE",
		"TIMEOUT",
		"IO",
		"DENIED_LOCKED",
	};

	if (error > 0 || error <= -(int64_t)ARRAY_SIZE(names))
		return NULL;
	return names[-error];
}

/* By number: x0-x31, pc, f0-f31, fcsr. */
static const char *const registers[] = {
	"zero", "ra",	"sp",	"gp",  "tp",  "t0",   "t1",   "t2",  "s0",
	"s1",	"a0",	"a1",	"a2",  "a3",  "a4",   "a5",   "a6",  "a7",
	"s2",	"s3",	"s4",	"s5",  "s6",  "s7",   "s8",   "s9",  "s10",
	"s11",	"t3",	"t4",	"t5",  "t6",  "pc",   "ft0",  "ft1", "ft2",
	"ft3",	"ft4",	"ft5",	"ft6", "ft7", "fs0",  "fs1",  "fa0", "fa1",
	"fa2",	"fa3",	"fa4",	"fa5", "fa6", "fa7",  "fs2",  "fs3", "fs4",
	"fs5",	"fs6",	"fs7",	"fs8", "fs9", "fs10", "fs11", "ft8", "ft9",
	"ft10", "ft11", "fcsr",
};

const char *name_register(unsigned number)
{
	return number < ARRAY_SIZE(registers) ? registers[number] : "?";
}

const char *name_register_at(size_t i)
{
	return i < ARRAY_SIZE(registers) ? registers[i] : NULL;
}

int name_find_register(const char *name)
{
	unsigned long n;
	char *end;

	if (strcmp(name, "fp") == 0)
		return 8;
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		if (strcmp(name, registers[i]) == 0)
			return (int)i;
	}
	if ((name[0] != 'x' && name[0] != 'f') || !isdigit((int)name[1]))
		return -1;
	n = strtoul(name + 1, &end, 10);
	if (*end || n > 31)
		return -1;
	return (int)(name[0] == 'x' ? n : 33 + n);
}
