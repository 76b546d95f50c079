/* SPDX-License-Identifier: BSD-2-Clause */
/* Images, consoles and kernels of machines that stay. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "session/follow.h"
#include "session/image.h"
#include "session/initrd.h"
#include "session/kernel-symbols.h"
#include "pmu/v1/machines.pb-c.h"
#include "symbol-map.h"
#include "text/out-file.h"
#include "text/plain-text.h"
#include "text/report.h"

enum {
	INPUT_MAX = 64 << 10 /* bytes of one call */
};

int cmd_load(struct pmud *s, struct args *args)
{
	const char *path = args->n_arg > 1 ? args->arg[1] : NULL;

	if (!path && !args->dtb && !args->kernel && !args->bios &&
	    !initrd_wanted(args)) {
		report_error("an IMAGE, --kernel, --bios, --initrd, --add or "
			     "--dtb is needed");
		return EXIT_USAGE;
	}
	return image_load(s, args->arg[0], args, path, NULL);
}

int cmd_attach(struct pmud *s, struct args *args)
{
	struct follow_config cfg = {
		.pmud = s,
		.machine = args->arg[0],
		.input = true,
	};
	struct follow *f;
	enum follow_end end;
	int code = follow_open(&f, &cfg);

	if (code)
		return code;
	code = follow_run(f, &end);
	follow_close(f);
	return code;
}

int cmd_console(struct pmud *s, struct args *args)
{
	Pmu__V1__ReadConsoleRequest req = PMU__V1__READ_CONSOLE_REQUEST__INIT;
	struct pmuclient_stream *console;
	Pmu__V1__ReadConsoleResponse *r;
	int err;

	req.machine = args->arg[0];
	err = pmuclient_open(pmud_client(s), METHOD_PATH(ReadConsole),
			     &req.base, METHOD_ANSWER(ReadConsole), &console);
	if (err)
		return pmud_fail(s, err);
	while ((err = pmuclient_next(console, pmud_timeout(s),
				     (ProtobufCMessage **)&r)) == 1) {
		fwrite(r->data.data, 1, r->data.len, stdout);
		fflush(stdout);
		answer_free(r);
	}
	pmuclient_close(console);
	return err ? pmud_fail(s, err) : EXIT_OK;
}

static int write_input(struct pmud *s, const struct args *args,
		       const uint8_t *bytes, size_t n, bool eof)
{
	Pmu__V1__WriteConsoleRequest req = PMU__V1__WRITE_CONSOLE_REQUEST__INIT;
	Pmu__V1__WriteConsoleResponse *r = NULL;
	int code;

	req.machine = args->arg[0];
	req.data.data = (uint8_t *)bytes;
	req.data.len = n;
	req.eof = eof;
	code = PMUD_CALL(s, WriteConsole, &req, &r);
	answer_free(r);
	return code;
}

int cmd_input(struct pmud *s, struct args *args)
{
	static uint8_t bytes[INPUT_MAX];
	/* nothing, to learn that there is somebody to write to */
	int code = write_input(s, args, NULL, 0, false);
	ssize_t n = 0;

	while (!code && (n = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0)
		code = write_input(s, args, bytes, (size_t)n, false);
	if (n < 0) {
		report_error("standard input: %s", strerror(errno));
		return EXIT_FAILED;
	}
	return code || !args->eof ? code : write_input(s, args, NULL, 0, true);
}

/* The lines of a System.map. */
static void print_map(FILE *out, const struct symbol_map *map)
{
	struct map_symbol s;

	for (size_t i = 0; i < symbol_map_count(map); i++) {
		symbol_map_get(map, i, &s);
		plain_printf(out, "%016" PRIx64 " %c %s\n", s.address, s.type,
			     s.name);
	}
}

int cmd_kallsyms(struct pmud *s, struct args *args)
{
	struct symbol_map *map = NULL;
	struct out_file *out;
	int code = out_file_open(&out, args->output);

	if (code)
		return code;
	code = kernel_symbols_read(s, args->arg[0], &map);
	if (!code)
		print_map(out ? out_file_stream(out) : stdout, map);
	symbol_map_free(map);
	return out_file_close(out, !code, code);
}
