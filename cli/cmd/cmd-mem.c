/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine's memory: dumped, copied out, written. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "session/address.h"
#include "command.h"
#include "hex-digit.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/json.h"
#include "number.h"
#include "text/out-file.h"
#include "text/parse.h"
#include "pmu/v1/harts.pb-c.h"
#include "text/report.h"

enum {
	CALL_MAX = 1 << 20, /* bytes that one call reads or writes */
	PER_LINE = 16
};

static void dump_line(uint64_t address, const uint8_t *bytes, size_t n)
{
	printf("%016" PRIx64 " ", address);
	for (size_t i = 0; i < PER_LINE; i++) {
		if (i < n)
			printf(" %02x", bytes[i]);
		else
			fputs("   ", stdout);
	}
	fputs("  |", stdout);
	for (size_t i = 0; i < n; i++)
		putchar(bytes[i] >= ' ' && bytes[i] < 0x7f ? bytes[i] : '.');
	puts("|");
}

static int print_memory(uint64_t address, const Pmu__V1__ReadMemoryResponse *r,
			const struct args *args, FILE *file)
{
	if (file && fwrite(r->data.data, 1, r->data.len, file) != r->data.len) {
		report_error("%s: %s", args->output, strerror(errno));
		return EXIT_FAILED;
	}
	if (file)
		return EXIT_OK;
	if (args->json)
		return json_print(stdout, &r->base);
	for (size_t i = 0; i < r->data.len; i += PER_LINE) {
		size_t left = r->data.len - i;

		dump_line(address + i, r->data.data + i,
			  left < PER_LINE ? left : PER_LINE);
	}
	return EXIT_OK;
}

/* Reads in calls of at most CALL_MAX bytes. */
static int read_all(struct pmud *s, const struct args *args, uint64_t size,
		    FILE *file)
{
	Pmu__V1__ReadMemoryRequest req = PMU__V1__READ_MEMORY_REQUEST__INIT;
	Pmu__V1__ReadMemoryResponse *r;
	int code = EXIT_OK;

	req.machine = (char *)args->machine;
	req.virtual_ = args->virtual;
	if (!parse_hart(args, &req.hart))
		return EXIT_USAGE;
	code = address_parse(s, args->machine, "ADDRESS", args->arg[0],
			     &req.address);
	while (!code && size) {
		req.size = size < CALL_MAX ? (uint32_t)size : CALL_MAX;
		r = NULL;
		code = PMUD_CALL(s, ReadMemory, &req, &r);
		if (!code)
			code = print_memory(req.address, r, args, file);
		answer_free(r);
		req.address += req.size;
		size -= req.size;
	}
	return code;
}

static int mem_read(struct pmud *s, struct args *args)
{
	struct out_file *file;
	uint64_t size;
	int code;

	if (!number_parse_size(args->arg[1], &size)) {
		report_error("SIZE: '%s' is not a size", args->arg[1]);
		return EXIT_USAGE;
	}
	code = out_file_open(&file, args->output);
	if (code)
		return code;
	code = read_all(s, args, size, out_file_stream(file));
	return out_file_close(file, !code, code);
}

/* "deadbeef" as bytes, in place of the digits. */
static bool bytes_of(char *text, ProtobufCBinaryData *ret)
{
	size_t n = strlen(text);

	ret->data = (uint8_t *)text;
	ret->len = n / 2;
	for (size_t i = 0; i < n; i += 2) {
		int hi = hex_digit(text[i]);
		int lo = hex_digit(text[i + 1]);

		if (hi < 0 || lo < 0)
			return false;
		ret->data[i / 2] = (uint8_t)(hi << 4 | lo);
	}
	return n != 0;
}

static int mem_write(struct pmud *s, struct args *args)
{
	Pmu__V1__WriteMemoryRequest req = PMU__V1__WRITE_MEMORY_REQUEST__INIT;
	Pmu__V1__WriteMemoryResponse *r = NULL;
	int code;

	req.machine = (char *)args->machine;
	req.virtual_ = args->virtual;
	if (!parse_hart(args, &req.hart))
		return EXIT_USAGE;
	if (!bytes_of(args->arg[1], &req.data)) {
		report_error("BYTES: must be pairs of hexadecimal digits");
		return EXIT_USAGE;
	}
	code = address_parse(s, args->machine, "ADDRESS", args->arg[0],
			     &req.address);
	if (!code)
		code = PMUD_CALL(s, WriteMemory, &req, &r);
	answer_free(r);
	return code;
}

#define WITH_MEMORY (WITH(MACHINE) | WITH(HART) | WITH(VIRTUAL))

const struct command mem_commands[] = {
	{ "mem read", "ADDRESS SIZE",
	  "Print memory; with --output, write the bytes to a file",
	  WITH_MEMORY | WITH(OUTPUT), 2, 2, NEEDS_DAEMON, mem_read },
	{ "mem write", "ADDRESS BYTES",
	  "Write bytes (pairs of hexadecimal digits) to a paused machine",
	  WITH_MEMORY, 2, 2, NEEDS_DAEMON, mem_write },
	{ 0 },
};
