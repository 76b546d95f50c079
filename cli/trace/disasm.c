/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debian 12 has no library that disassembles RISC-V under a licence that fits,
 * but who builds guests has objdump. It reads the bytes from a descriptor.
 */
#include "disasm.h"

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/regular-file.h"

enum {
	INPUT_FD = 3, /* of objdump */
	OUTPUT_MAX = 4096
};

static const char *const programs[] = {
	"riscv64-unknown-elf-objdump",
	"riscv64-linux-gnu-objdump",
	"riscv32-unknown-elf-objdump",
};

size_t disasm_length(const uint8_t *bytes)
{
	return (bytes[0] & 3) == 3 ? 4 : 2;
}

/* Starts @argv with @input as INPUT_FD. Returns where it prints to, or -1. */
static int start(char *const argv[], int input, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	int fds[2], err;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, input, INPUT_FD);
	posix_spawn_file_actions_adddup2(&files, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1,
					 0);
	err = posix_spawnp(ret_pid, argv[0], &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(fds[1]);
	if (!err)
		return fds[0];
	close(fds[0]);
	return -1;
}

static bool ended_well(pid_t pid)
{
	int status = 1;

	waitpid(pid, &status, 0);
	return status == 0;
}

/* All that @argv prints, cut at @size. */
static bool output_of(char *const argv[], int input, char *buf, size_t size)
{
	size_t have = 0;
	ssize_t n = 0;
	pid_t pid;
	int from = start(argv, input, &pid);

	while (from >= 0 && have < size - 1 &&
	       (n = read(from, buf + have, size - 1 - have)) > 0)
		have += (size_t)n;
	buf[have] = '\0';
	if (from < 0)
		return false;
	close(from);
	return ended_well(pid);
}

/* Of "   80200000:\t00a58593          \taddi a1,a1,10\n" the instruction. */
static bool take_text(const char *output, uint64_t pc, char *buf)
{
	char label[32];
	const char *at;
	size_t n = 0;

	snprintf(label, sizeof(label), "%" PRIx64 ":\t", pc);
	at = strstr(output, label);
	at = at ? strchr(at + strlen(label), '\t') : NULL;
	if (!at)
		return false;
	for (at++; *at && *at != '\n' && n < DISASM_MAX - 1; at++)
		buf[n++] = *at == '\t' ? ' ' : *at;
	buf[n] = '\0';
	return n != 0;
}

static bool run_objdump(const char *program, unsigned xlen, uint64_t pc,
			int input, char *buf)
{
	char output[OUTPUT_MAX], machine[16], base[40], file[] = "/dev/fd/3";
	char name[40], all[] = "-D", kind[] = "-bbinary";
	char *argv[] = { name, all, kind, machine, base, file, NULL };

	snprintf(name, sizeof(name), "%s", program);
	snprintf(machine, sizeof(machine), "-mriscv:rv%u", xlen);
	snprintf(base, sizeof(base), "--adjust-vma=0x%" PRIx64, pc);
	return output_of(argv, input, output, sizeof(output)) &&
	       take_text(output, pc, buf);
}

bool disasm(unsigned xlen, uint64_t pc, const uint8_t *bytes, size_t n,
	    char *buf)
{
	int input = memfd_create("instruction", MFD_CLOEXEC);
	bool done = false;
	uint32_t word = 0;

	memcpy(&word, bytes, n < sizeof(word) ? n : sizeof(word));
	snprintf(buf, DISASM_MAX, ".%dbyte 0x%0*x", (int)n, (int)(2 * n), word);
	if (input < 0)
		return false;
	if (pwrite(input, bytes, n, 0) == (ssize_t)n) {
		for (size_t i = 0;
		     !done && i < sizeof(programs) / sizeof(*programs); i++)
			done = run_objdump(programs[i], xlen, pc, input, buf);
	}
	close(input);
	return done;
}

/* Of "   80200000:\t00a58593          \taddi\ta1,a1,10\n" both. */
static bool take_line(char *line, uint64_t *ret_pc, char **ret_text)
{
	char *end, *text;

	*ret_pc = strtoull(line, &end, 16);
	if (end == line || end[0] != ':' || end[1] != '\t')
		return false;
	text = strchr(end + 2, '\t');
	if (!text)
		return false;
	*ret_text = ++text;
	text[strcspn(text, "\n")] = '\0';
	for (; *text; text++)
		if (*text == '\t')
			*text = ' ';
	return true;
}

/* From an address to another, to whom, and how many instructions so far. */
struct disasm_part {
	uint64_t first, last;
	disasm_take_fn *take;
	void *arg;
	uint64_t taken;
};

/* All that @from says, to who takes it. False: he did not want more. */
static bool take_lines(int from, struct disasm_part *part)
{
	FILE *in = fdopen(from, "r");
	char *line = NULL, *text;
	bool good = in;
	size_t size = 0;
	uint64_t pc;

	while (good && getline(&line, &size, in) > 0) {
		if (!take_line(line, &pc, &text))
			continue;
		part->taken++;
		good = part->take(part->arg, pc, text);
	}
	free(line);
	if (in)
		fclose(in);
	else
		close(from);
	return good;
}

static bool run_on_file(const char *program, int file, struct disasm_part *part)
{
	char name[40], all[] = "-d", from[40], to[40], path[] = "/dev/fd/3";
	char *argv[] = { name, all, from, to, path, NULL };
	bool good;
	pid_t pid;
	int out;

	snprintf(name, sizeof(name), "%s", program);
	snprintf(from, sizeof(from), "--start-address=0x%" PRIx64, part->first);
	snprintf(to, sizeof(to), "--stop-address=0x%" PRIx64, part->last + 1);
	out = start(argv, file, &pid);
	if (out < 0)
		return false;
	good = take_lines(out, part);
	return ended_well(pid) && good;
}

bool disasm_file(const char *path, uint64_t first, uint64_t last,
		 disasm_take_fn *take, void *arg)
{
	struct disasm_part part = { first, last, take, arg, 0 };
	int file = regular_file_open(path);
	bool done = false;

	/* None is told twice: the next is asked where one told nothing. */
	for (size_t i = 0; file >= 0 && !done && !part.taken &&
			   i < sizeof(programs) / sizeof(*programs);
	     i++)
		done = run_on_file(programs[i], file, &part);
	if (file >= 0)
		close(file);
	return done;
}
