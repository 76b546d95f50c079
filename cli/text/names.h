/* SPDX-License-Identifier: BSD-2-Clause */
/* Short names for numbers: enums of the protocol, trap causes, SBI calls. */
#ifndef CLI_TEXT_NAMES_H
#define CLI_TEXT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

enum {
	NAME_MAX_LEN = 64 /* bytes of a name, its end included */
};

/*
 * MACHINE_STATE_RUNNING is "running", STOP_CAUSE_MAX_INSNS "max-insns": without
 * the enum's prefix, small. UNSPECIFIED is "-", an unknown value its number.
 * Writes to @buf of NAME_MAX_LEN bytes and returns it.
 */
const char *name_enum(const ProtobufCEnumDescriptor *desc, int value,
		      char *buf);
/* "M", "S", "U", "VS", "VU", "-". */
const char *name_privilege(int privilege);
/* U or VU. */
bool privilege_is_user(int privilege);
/* VS or VU. */
bool privilege_is_guest(int privilege);
/*
 * A line of a source to @buf of NAME_MAX_LEN bytes: "38", and "?" for 0, which
 * is code that its compiler has put in no line.
 */
const char *name_line(uint32_t line, char *buf);
/* Of a trap; NULL when it has none. */
const char *name_cause(bool interrupt, uint32_t cause);
/* "PMU.counter_start", or "0x..." and the FID, to @buf. */
const char *name_sbi_call(uint64_t eid, uint64_t fid, char *buf);
/* A parameter of a call: @len bytes at @name. */
struct name_sbi_param {
	const char *name;
	int len;
	bool wide; /* 64 bits, two registers on RV32 */
};
enum {
	NAME_SBI_PARAMS = 6
};
/* Returns how many there are; -1: the call is not known. */
int name_sbi_params(uint64_t eid, uint64_t fid,
		    struct name_sbi_param ret[NAME_SBI_PARAMS]);
/* The reverse of name_sbi_call(); false: there is no such call. */
bool name_find_sbi_call(const char *name, uint64_t *ret_eid, uint64_t *ret_fid);
/* Registers as HartService numbers them; x0 is 0. */
enum {
	REGISTER_F0 = 33,
	REGISTER_FCSR = 65,
};
/* x0-x31, their ABI names, pc, f0-f31 and theirs, fcsr; -1: no register. */
int name_find_register(const char *name);
/* ABI name of an integer register or, from REGISTER_F0 on, a floating-point
 * one. */
const char *name_register(unsigned number);
/* The same, NULL after the last. */
const char *name_register_at(size_t i);

#endif
