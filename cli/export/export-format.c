/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of formats, and what is the same in writing each of them. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/args.h"
#include "export-folder.h"
#include "export-samples.h"
#include "export.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "text/report.h"

static const struct export_format formats[] = {
	{ .name = "folded", .write = export_folded },
	{ .name = "json", .write = export_json },
	{ .name = "chrome", .write = export_chrome },
	{ .name = "cpuprofile", .write = export_cpuprofile, .again = true },
	{ .name = "callgrind", .write = export_callgrind },
	{ .name = "pprof", .write = export_pprof, .binary = true },
	{ .name = "ctf", .fill = export_ctf },
	{ .name = "perf", .write = export_perf, .binary = true, .again = true },
	{ .name = "html", .write = export_html, .again = true },
	{ 0 },
};

const struct export_format *export_format_at(size_t i)
{
	return formats[i].name ? &formats[i] : NULL;
}

const struct export_format *export_format_find(const char *name)
{
	for (size_t i = 0; formats[i].name; i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	}
	return NULL;
}

/* Can it be read from its beginning again? What is not there is said later. */
static bool is_stream(const char *path)
{
	struct stat st;

	return !strcmp(path, "-") ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

/* Returns an exit code after an error was said. */
static int check(const struct export_format *format, const struct args *args)
{
	bool to_stdout = !args->output || !strcmp(args->output, "-");

	if (format->again && is_stream(args->arg[0])) {
		report_error("--format %s reads the trace more than once: it "
			     "must be a file",
			     format->name);
		return EXIT_USAGE;
	}
	if (format->fill && to_stdout) {
		report_error("--format %s is a folder: give --output",
			     format->name);
		return EXIT_USAGE;
	}
	if (format->binary && to_stdout && isatty(STDOUT_FILENO)) {
		report_error("--format %s is binary and is not written to a "
			     "terminal: give --output",
			     format->name);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

static int write_file(const struct export_format *format,
		      struct export_samples *x, const struct args *args)
{
	struct out_file *file;
	FILE *out;
	int code = out_file_open(&file, args->output);

	if (code)
		return code;
	out = out_file_stream(file);
	code = format->write(x, out ? out : stdout);
	return out_file_close(file, !code, code);
}

static int write_folder(const struct export_format *format,
			struct export_samples *x, const struct args *args)
{
	struct export_folder *folder;
	int code = export_folder_make(&folder, args->output);

	if (code)
		return code;
	code = format->fill(x, folder);
	return export_folder_end(folder, code);
}

int export_trace(const struct export_format *format, const struct args *args)
{
	struct export_samples *x;
	int code = check(format, args);

	if (!code)
		code = export_samples_open(&x, args);
	if (code)
		return code;
	code = format->fill ? write_folder(format, x, args)
			    : write_file(format, x, args);
	if (!code)
		export_note_missing(x);
	export_samples_close(x);
	return code;
}
