/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The function work() of a bench guest in bare Unicorn: no hook, no
 * translation, nothing counted. bare IMAGE ROUNDS prints its sum and the
 * seconds it took: the speed that the bench's own is to be measured by.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <gelf.h>
#include <unicorn/unicorn.h>

#define RAM_BASE UINT64_C(0x80000000)
#define RAM_SIZE (UINT64_C(16) << 20)
#define END	 (RAM_BASE + 0x1000) /* where work() returns to */

static void die(const char *what)
{
	fprintf(stderr, "bare: %s\n", what);
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void load(uc_engine *uc, Elf *elf)
{
	size_t n = 0, size;
	char *bytes = elf_rawfile(elf, &size);

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD)
			continue;
		if (p.p_offset + p.p_filesz > size ||
		    uc_mem_write(uc, p.p_paddr, bytes + p.p_offset, p.p_filesz))
			die("a segment does not fit");
	}
}

static uint64_t find(Elf *elf, const char *name)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		Elf_Data *data = elf_getdata(scn, NULL);
		GElf_Shdr shdr;
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(data, i, &sym); i++) {
			const char *at =
				elf_strptr(elf, shdr.sh_link, sym.st_name);

			if (at && !strcmp(at, name))
				return sym.st_value;
		}
	}
	die("no symbol work");
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t sp = RAM_BASE + RAM_SIZE - 16, ra = END, a0;
	uc_engine *uc;
	Elf *elf;
	double start;
	int fd;

	if (argc != 3)
		die("usage: bare IMAGE ROUNDS");
	elf_version(EV_CURRENT);
	fd = open(argv[1], O_RDONLY);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		die("no ELF file");
	if (uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &uc) ||
	    uc_mem_map(uc, RAM_BASE, RAM_SIZE, UC_PROT_ALL))
		die("no engine");
	load(uc, elf);
	a0 = strtoull(argv[2], NULL, 0);
	uc_reg_write(uc, UC_RISCV_REG_SP, &sp);
	uc_reg_write(uc, UC_RISCV_REG_RA, &ra);
	uc_reg_write(uc, UC_RISCV_REG_A0, &a0);
	start = now();
	if (uc_emu_start(uc, find(elf, "work"), END, 0, 0))
		die("the engine failed");
	uc_reg_read(uc, UC_RISCV_REG_A0, &a0);
	printf("sum %#" PRIx64 "\nseconds %.6f\n", a0, now() - start);
	uc_close(uc);
	elf_end(elf);
	close(fd);
	return 0;
}
