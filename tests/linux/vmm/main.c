/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vmm: boots a Linux kernel as a guest of KVM, with as little as that takes:
 * RAM, harts, and the console and the end that SBI calls ask this program for.
 * All other calls of the guest, those of the PMU among them, are KVM's own.
 *
 * It decides where kernel, initial file system and tree lie.
 */
#define _GNU_SOURCE
#include "vmm.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RAM  0x80000000ull
#define MIB  (1ull << 20)
#define DBCN 0x4442434eul

/* What older headers do not name. */
#define SBI_EXTENSION (0x08ull << KVM_REG_RISCV_TYPE_SHIFT)
enum {
	SBI_EXTENSION_DBCN = 9,
	ISA_SSCOFPMF = 54,
	CONSOLE_WRITE = 0,
	CONSOLE_READ = 1,
	CONSOLE_WRITE_BYTE = 2,
	SBI_FAILED = -1,
	SBI_NOT_SUPPORTED = -2,
	SBI_INVALID_PARAM = -3,
	HEADER_IMAGE_SIZE = 16 / 8, /* of an Image, in double words */
	TREE_ROOM = 64 << 10
};

struct machine {
	int kvm, vm;
	size_t run_size;
	uint8_t *memory;
	struct guest guest;
	int vcpus[MAX_VCPUS];
};

struct vcpu {
	struct machine *machine;
	unsigned int id;
};

void fail(const char *why, ...)
{
	va_list args;

	va_start(args, why);
	fprintf(stderr, "vmm: ");
	vfprintf(stderr, why, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(1);
}

static int ask(int fd, unsigned long request, const void *argument,
	       const char *what)
{
	int answer = ioctl(fd, request, argument);

	if (answer < 0)
		fail("%s: %s", what, strerror(errno));
	return answer;
}

static uint64_t register_id(uint64_t type, uint64_t index)
{
	return KVM_REG_RISCV | KVM_REG_SIZE_U64 | type | index;
}

static void set(int vcpu, uint64_t type, uint64_t index, uint64_t value)
{
	struct kvm_one_reg reg = { .id = register_id(type, index),
				   .addr = (uintptr_t)&value };

	ask(vcpu, KVM_SET_ONE_REG, &reg, "setting a register");
}

/* What KVM does not know of reads as 0. */
static uint64_t get(int vcpu, uint64_t type, uint64_t index)
{
	uint64_t value = 0;
	struct kvm_one_reg reg = { .id = register_id(type, index),
				   .addr = (uintptr_t)&value };

	return ioctl(vcpu, KVM_GET_ONE_REG, &reg) < 0 ? 0 : value;
}

/* Reads a file to the guest's @address; returns its size. */
static uint64_t load(const struct machine *m, const char *path,
		     uint64_t address)
{
	uint64_t at = address - RAM, begin = at;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		fail("%s: %s", path, strerror(errno));
	while (at < m->guest.ram_size &&
	       (n = read(fd, m->memory + at, m->guest.ram_size - at)) != 0) {
		if (n < 0)
			fail("%s: %s", path, strerror(errno));
		at += (uint64_t)n;
	}
	if (at >= m->guest.ram_size)
		fail("%s: no room in the guest", path);
	close(fd);
	return at - begin;
}

/* Kernel, initial file system and tree, each at the next 2 MiB. */
static void load_all(struct machine *m, const char *kernel, const char *initrd)
{
	struct guest *g = &m->guest;
	uint64_t size = load(m, kernel, g->kernel), claimed;

	claimed = ((const uint64_t *)m->memory)[HEADER_IMAGE_SIZE];
	if (claimed > size && claimed < g->ram_size)
		size = claimed;
	g->initrd = (g->kernel + size + 2 * MIB - 1) & ~(2 * MIB - 1);
	if (strcmp(initrd, "-") != 0)
		g->initrd_size = load(m, initrd, g->initrd);
	g->tree = RAM + g->ram_size - 2 * MIB;
	if (g->initrd + g->initrd_size > g->tree)
		fail("%s: no room in the guest", initrd);
	tree_write(m->memory + (g->tree - RAM), TREE_ROOM, g);
}

static uint64_t console(const struct machine *m, const unsigned long *args,
			long *error)
{
	uint64_t n = args[0], at = args[1] - RAM;

	if (args[2] != 0 || at >= m->guest.ram_size ||
	    n > m->guest.ram_size - at) {
		*error = SBI_INVALID_PARAM;
		return 0;
	}
	return fwrite(m->memory + at, 1, n, stdout);
}

/* A call that KVM leaves to this program. */
static void answer(const struct machine *m, struct kvm_run *run)
{
	const unsigned long *args = run->riscv_sbi.args;
	unsigned long value = 0;
	long error = 0;

	if (run->riscv_sbi.extension_id != DBCN)
		error = SBI_NOT_SUPPORTED;
	else if (run->riscv_sbi.function_id == CONSOLE_WRITE)
		value = console(m, args, &error);
	else if (run->riscv_sbi.function_id == CONSOLE_WRITE_BYTE)
		putchar((int)(args[0] & 0xff));
	else if (run->riscv_sbi.function_id != CONSOLE_READ)
		error = SBI_NOT_SUPPORTED;
	fflush(stdout);
	run->riscv_sbi.ret[0] = (unsigned long)error;
	run->riscv_sbi.ret[1] = value;
}

/* A guest that is not switched off, but reboots or panics, is a failure. */
__attribute__((noreturn)) static void end(uint32_t event)
{
	exit(event == KVM_SYSTEM_EVENT_SHUTDOWN ? 0 : 2);
}

/* Runs until the guest ends, and with it this program. */
static void *run_vcpu(void *of)
{
	const struct vcpu *vcpu = of;
	const struct machine *m = vcpu->machine;
	int fd = m->vcpus[vcpu->id];
	struct kvm_run *run = mmap(NULL, m->run_size, PROT_READ | PROT_WRITE,
				   MAP_SHARED, fd, 0);

	if (run == MAP_FAILED)
		fail("hart %u: %s", vcpu->id, strerror(errno));
	for (;;) {
		if (ioctl(fd, KVM_RUN, 0) < 0) {
			if (errno == EINTR || errno == EAGAIN)
				continue;
			fail("hart %u: %s", vcpu->id, strerror(errno));
		}
		switch (run->exit_reason) {
		case KVM_EXIT_RISCV_SBI:
			answer(m, run);
			break;
		case KVM_EXIT_SYSTEM_EVENT:
			end(run->system_event.type);
		case KVM_EXIT_MMIO:
			fail("hart %u: nothing is at 0x%llx", vcpu->id,
			     run->mmio.phys_addr);
		default:
			fail("hart %u: exit %u", vcpu->id, run->exit_reason);
		}
	}
}

static void make_vm(struct machine *m)
{
	struct kvm_userspace_memory_region ram = {
		.guest_phys_addr = RAM,
		.memory_size = m->guest.ram_size,
	};

	m->kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (m->kvm < 0)
		fail("/dev/kvm: %s", strerror(errno));
	m->run_size = (size_t)ask(m->kvm, KVM_GET_VCPU_MMAP_SIZE, NULL,
				  "size of a hart");
	m->vm = ask(m->kvm, KVM_CREATE_VM, NULL, "creating a machine");
	m->memory = mmap(NULL, m->guest.ram_size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->memory == MAP_FAILED)
		fail("memory of the guest: %s", strerror(errno));
	madvise(m->memory, m->guest.ram_size, MADV_HUGEPAGE);
	ram.userspace_addr = (uintptr_t)m->memory;
	ask(m->vm, KVM_SET_USER_MEMORY_REGION, &ram, "giving it memory");
}

static void make_vcpus(struct machine *m)
{
	for (unsigned long i = 0; i < m->guest.vcpus; i++) {
		int fd = ask(m->vm, KVM_CREATE_VCPU, (void *)i,
			     "creating a hart");

		set(fd, SBI_EXTENSION, SBI_EXTENSION_DBCN, 1);
		m->vcpus[i] = fd;
	}
	m->guest.timebase = get(m->vcpus[0], KVM_REG_RISCV_TIMER,
				KVM_REG_RISCV_TIMER_REG(frequency));
	m->guest.isa = "rv64imafdc_zicsr_zifencei";
	if (get(m->vcpus[0], KVM_REG_RISCV_ISA_EXT, ISA_SSCOFPMF) != 0)
		m->guest.isa = "rv64imafdc_zicsr_zifencei_sscofpmf";
}

/* The first hart begins at the kernel; the guest starts the others. */
static void begin(const struct machine *m)
{
	static struct vcpu vcpus[MAX_VCPUS];
	int first = m->vcpus[0];
	pthread_t thread;

	set(first, KVM_REG_RISCV_CORE, KVM_REG_RISCV_CORE_REG(regs.pc),
	    m->guest.kernel);
	set(first, KVM_REG_RISCV_CORE, KVM_REG_RISCV_CORE_REG(regs.a0), 0);
	set(first, KVM_REG_RISCV_CORE, KVM_REG_RISCV_CORE_REG(regs.a1),
	    m->guest.tree);
	for (unsigned int i = m->guest.vcpus; i-- > 0;) {
		vcpus[i] = (struct vcpu){ (struct machine *)m, i };
		if (i != 0 &&
		    pthread_create(&thread, NULL, run_vcpu, &vcpus[i]) != 0)
			fail("no thread for hart %u", i);
	}
	run_vcpu(&vcpus[0]);
}

int main(int argc, char **argv)
{
	struct machine m = { .guest = { .ram = RAM, .kernel = RAM } };

	if (argc != 6) {
		fprintf(stderr,
			"usage: vmm HARTS MIB KERNEL INITRD|- BOOTARGS\n");
		return 2;
	}
	m.guest.vcpus = (unsigned int)atoi(argv[1]);
	m.guest.ram_size = strtoull(argv[2], NULL, 10) * MIB;
	m.guest.bootargs = argv[5];
	if (m.guest.vcpus < 1 || m.guest.vcpus > MAX_VCPUS)
		fail("1 to %d harts", MAX_VCPUS);
	if (m.guest.ram_size < 64 * MIB)
		fail("a guest has at least 64 MiB");
	make_vm(&m);
	make_vcpus(&m);
	load_all(&m, argv[3], argv[4]);
	begin(&m);
	return 0;
}
