/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * DBCN: bytes between guest memory and the console. A call moves at most
 * DBCN_MAX bytes and says how many: the extension allows partial work.
 */
#include "sbi-extension.h"

enum {
	DBCN_MAX = 32768,
	CHUNK = 1024
};

/* The buffer of a call, or an error. */
static int64_t buffer(const struct fw *fw, const struct fw_hart *h,
		      const uint64_t arg[6], uint64_t *ret_paddr)
{
	if (!sbi_paddr(fw, h, arg + 1, ret_paddr))
		return sbi_refuse(
			fw,
			fw->cfg.quirks.dbcn_failed ? SBI_ERR_FAILED
						   : SBI_ERR_INVALID_PARAM,
			(struct fw_refusal){ "no buffer can be at %x with "
					     "upper bits %x",
					     arg[1], arg[2] });
	if (arg[0] &&
	    !fw->machine.ops->mem_is_ram(fw->machine.host, *ret_paddr, arg[0]))
		return REFUSE(fw, INVALID_PARAM,
			      "a buffer of %d bytes at %x is not all in RAM",
			      arg[0], *ret_paddr);
	return SBI_SUCCESS;
}

static size_t step(uint64_t len, uint64_t done)
{
	uint64_t left = (len < DBCN_MAX ? len : DBCN_MAX) - done;

	return left < CHUNK ? (size_t)left : CHUNK;
}

static struct sbi_ret console_write(struct fw *fw, struct sbi_call *call)
{
	const struct fw_host_ops *ops = fw->machine.ops;
	uint8_t bytes[CHUNK];
	uint64_t paddr, done = 0;
	size_t n;
	int64_t err = buffer(fw, sbi_caller(fw, call), call->arg, &paddr);

	if (err)
		return sbi_err(err);
	while ((n = step(call->arg[0], done)) > 0) {
		if (!ops->mem_read(fw->machine.host, paddr + done, bytes, n))
			break;
		ops->console_write(fw->machine.host, bytes, n);
		done += n;
	}
	return sbi_ok(done);
}

static struct sbi_ret console_read(struct fw *fw, struct sbi_call *call)
{
	const struct fw_host_ops *ops = fw->machine.ops;
	uint8_t bytes[CHUNK];
	uint64_t paddr, done = 0;
	size_t n;
	int64_t err = buffer(fw, sbi_caller(fw, call), call->arg, &paddr);

	if (err)
		return sbi_err(err);
	while ((n = step(call->arg[0], done)) > 0) {
		n = ops->console_read(fw->machine.host, bytes, n);
		if (!n ||
		    !ops->mem_write(fw->machine.host, paddr + done, bytes, n))
			break;
		done += n;
	}
	return sbi_ok(done);
}

struct sbi_ret sbi_console_byte(struct fw *fw, struct sbi_call *call)
{
	uint8_t byte = (uint8_t)call->arg[0];

	fw->machine.ops->console_write(fw->machine.host, &byte, 1);
	return sbi_ok(0);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(console_write, SBI_V2) },
	[1] = { CALL(console_read, SBI_V2) },
	[2] = { CALL(sbi_console_byte, SBI_V2) },
};

const struct sbi_ext sbi_ext_dbcn = {
	.eid = SBI_EID_DBCN,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
