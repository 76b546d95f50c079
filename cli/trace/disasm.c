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

/* All that @argv prints with @input as INPUT_FD, cut at @size. */
static bool output_of(char *const argv[], int input, char *buf, size_t size)
{
	posix_spawn_file_actions_t files;
	size_t have = 0;
	ssize_t n = 0;
	int fds[2], status = 1, err;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return false;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, input, INPUT_FD);
	posix_spawn_file_actions_adddup2(&files, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1,
					 0);
	err = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(fds[1]);
	while (!err && have < size - 1 &&
	       (n = read(fds[0], buf + have, size - 1 - have)) > 0)
		have += (size_t)n;
	buf[have] = '\0';
	close(fds[0]);
	if (!err)
		waitpid(pid, &status, 0);
	return !err && status == 0;
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
