/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is rare and hard for a machine: code that is written while it runs, a
 * lot of it, accesses across pages, and each way to be refused one. Each says
 * how many instructions of users it took, so that runs can be compared.
 */
#define _GNU_SOURCE
#include "pmutest.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	PAGES = 64,
	SLOT = 8,	 /* bytes of a function */
	WRITES = 2000,	 /* of one function */
	BLOCKS = 120000, /* functions */
	AT_ONCE = 500,	 /* that are written before a fence */
	DEEP = 4,	 /* handlers in each other */
	PLIC = 0x0c000000,
	ADDI = 0x00050513, /* addi a0, a0, 0 */
	RET = 0x00008067,
	MAX_IMMEDIATE = 2047
};

typedef long made(long);

static void *map(size_t size, int protection)
{
	void *at = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);

	if (at == MAP_FAILED)
		fail("mmap: %s", strerror(errno));
	return at;
}

/* A function that adds @n to its argument. */
static void write_function(uint32_t *at, uint32_t n)
{
	at[0] = ADDI | n << 20;
	at[1] = RET;
}

static void fence(void)
{
	__asm__ volatile("fence.i" ::: "memory");
}

static void rewritten(void)
{
	uint32_t *at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	int fd = count_users();
	long sum = 0;

	for (uint32_t i = 0; i < WRITES; i++) {
		/* the second stands where the first did, or behind it */
		uint32_t *to = at + (i % 3 == 0) * 2;

		write_function(to, i % MAX_IMMEDIATE);
		fence();
		sum = ((made *)(uintptr_t)to)(sum) - (long)(i % MAX_IMMEDIATE);
	}
	users_counted(fd, "a function that is written anew");
	same((uint64_t)sum, 0);
}

static void many_blocks(void)
{
	const size_t size = (size_t)BLOCKS * SLOT;
	char *at = map(size, PROT_READ | PROT_WRITE | PROT_EXEC);
	int fd = count_users();
	long sum = 0;

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < BLOCKS; i++) {
			write_function((uint32_t *)(at + (size_t)i * SLOT),
				       (uint32_t)(1 + round));
			if (i % AT_ONCE == AT_ONCE - 1)
				fence();
		}
		for (int i = 0; i < BLOCKS; i++)
			sum = ((made *)(uintptr_t)(at + (size_t)i * SLOT))(sum);
	}
	users_counted(fd, "many functions");
	same((uint64_t)sum, 3 * BLOCKS);
	munmap(at, size);
}

static void across_pages(void)
{
	char *at = map((size_t)PAGES * PAGE, PROT_READ | PROT_WRITE);
	int fd = count_users();
	uint64_t sum = 0;

	for (int page = 1; page < PAGES; page++) {
		for (int back = 1; back < 8; back++) {
			char *to = at + (size_t)page * PAGE - back;
			uint64_t got;

			__asm__ volatile("sd %1, 0(%2)\n\tld %0, 0(%2)"
					 : "=&r"(got)
					 : "r"(0x0123456789abcdefull + back),
					   "r"(to)
					 : "memory");
			sum += got - 0x0123456789abcdefull;
		}
	}
	users_counted(fd, "accesses across pages");
	same(sum, (PAGES - 1) * 28);
}

/* Ways to be refused: what is done at an address. */
static void load(volatile void *at)
{
	uint64_t got;

	__asm__ volatile("ld %0, 0(%1)" : "=r"(got) : "r"(at) : "memory");
}

static void store(volatile void *at)
{
	__asm__ volatile("sd zero, 0(%0)" ::"r"(at) : "memory");
}

static void amo(volatile void *at)
{
	__asm__ volatile("amoadd.w zero, zero, (%0)" ::"r"(at) : "memory");
}

static void reserve(volatile void *at)
{
	uint64_t got;

	__asm__ volatile("lr.w %0, (%1)" : "=r"(got) : "r"(at) : "memory");
}

/* Without a reservation it fails before its page is looked at. */
static void store_reserved(volatile void *at)
{
	uint64_t got;

	__asm__ volatile("lr.w %0, (%1)\n\tsc.w %0, zero, (%1)"
			 : "=&r"(got)
			 : "r"(at)
			 : "memory");
}

static void fetch(volatile void *at)
{
	((made *)(uintptr_t)at)(0);
}

/* There is only the first half of an instruction. */
static void fetch_half(volatile void *at)
{
	*(volatile uint16_t *)at = (uint16_t)ADDI;
	fence();
	fetch(at);
}

static void illegal(volatile void *at)
{
	(void)at;
	__asm__ volatile(".word 0xffffffff");
}

static void vector(volatile void *at)
{
	(void)at;
	__asm__ volatile(".word 0x0d007057"); /* vsetvli zero, zero, e32 */
}

static void machine_csr(volatile void *at)
{
	(void)at;
	__asm__ volatile("csrr zero, 0x300");
}

static void breakpoint(volatile void *at)
{
	(void)at;
	__asm__ volatile("ebreak");
}

enum place {
	NOWHERE,   /* of a page that is not mapped */
	UNALLOWED, /* of one that allows nothing */
	READABLE,
	WRITABLE,   /* and readable */
	CODE,	    /* which is writable, too */
	ALONE,	    /* the same, and there is no page behind it */
	NO_ADDRESS, /* not canonical */
	PAST_END,   /* of a file */
	DEVICE,
	N_PLACES
};

static const int protections[N_PLACES] = {
	[READABLE] = PROT_READ,
	[WRITABLE] = PROT_READ | PROT_WRITE,
	[CODE] = PROT_READ | PROT_WRITE | PROT_EXEC,
	[ALONE] = PROT_READ | PROT_WRITE | PROT_EXEC,
};

static const struct refused {
	const char *what;
	void (*act)(volatile void *at);
	enum place place;
	unsigned int offset;
	int signal, code;
} refused[] = {
	{ "load from no page", load, NOWHERE, 0, SIGSEGV, SEGV_MAPERR },
	{ "store to no page", store, NOWHERE, 0, SIGSEGV, SEGV_MAPERR },
	{ "fetch from no page", fetch, NOWHERE, 0, SIGSEGV, SEGV_MAPERR },
	{ "amo to no page", amo, NOWHERE, 0, SIGSEGV, SEGV_MAPERR },
	{ "lr from no page", reserve, NOWHERE, 0, SIGSEGV, SEGV_MAPERR },
	{ "load not allowed", load, UNALLOWED, 0, SIGSEGV, SEGV_ACCERR },
	{ "store not allowed", store, READABLE, 0, SIGSEGV, SEGV_ACCERR },
	{ "amo not allowed", amo, READABLE, 0, SIGSEGV, SEGV_ACCERR },
	{ "sc not allowed", store_reserved, READABLE, 0, SIGSEGV, SEGV_ACCERR },
	{ "fetch not allowed", fetch, WRITABLE, 0, SIGSEGV, SEGV_ACCERR },
	{ "store into the next page", store, WRITABLE, PAGE - 4, SIGSEGV,
	  SEGV_ACCERR },
	{ "fetch of a half that is not allowed", fetch_half, CODE, PAGE - 2,
	  SIGSEGV, SEGV_ACCERR },
	{ "fetch of a half from no page", fetch_half, ALONE, PAGE - 2, SIGSEGV,
	  SEGV_MAPERR },
	{ "load from no address", load, NO_ADDRESS, 0, SIGSEGV, SEGV_MAPERR },
	{ "store to no address", store, NO_ADDRESS, 0, SIGSEGV, SEGV_MAPERR },
	{ "fetch from no address", fetch, NO_ADDRESS, 0, SIGSEGV, SEGV_MAPERR },
	{ "load past a file's end", load, PAST_END, 0, SIGBUS, BUS_ADRERR },
	{ "store past a file's end", store, PAST_END, 0, SIGBUS, BUS_ADRERR },
	{ "fetch past a file's end", fetch, PAST_END, 0, SIGBUS, BUS_ADRERR },
	{ "illegal instruction", illegal, NOWHERE, 0, SIGILL, ILL_ILLOPC },
	{ "vector instruction", vector, NOWHERE, 0, SIGILL, ILL_ILLOPC },
	{ "csr of the machine's", machine_csr, NOWHERE, 0, SIGILL, ILL_ILLOPC },
	{ "breakpoint", breakpoint, NOWHERE, 0, SIGTRAP, TRAP_BRKPT },
	{ "misaligned amo", amo, WRITABLE, 1, SIGBUS, BUS_ADRALN },
	{ "amo to a device", amo, DEVICE, 4, SIGSEGV, SEGV_ACCERR },
	{ "wide load from a device", load, DEVICE, 8, SIGSEGV, SEGV_ACCERR },
	{ "misaligned load from a device", load, DEVICE, 1, SIGSEGV,
	  SEGV_ACCERR },
	{ "misaligned store to a device", store, DEVICE, 1, SIGSEGV,
	  SEGV_ACCERR },
};

static sigjmp_buf back;
static volatile int got_signal, got_code;
static void *volatile got_address;

static void caught(int signal, siginfo_t *info, void *context)
{
	(void)context;
	got_signal = signal;
	got_code = info->si_code;
	got_address = info->si_addr;
	siglongjmp(back, 1);
}

static void catch (void (*handler)(int, siginfo_t *, void *), int flags)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP };
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | flags };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
}

static char *map_file(int fd, int protection, off_t offset)
{
	char *at = MAP_FAILED;

	if (fd >= 0)
		at = mmap(NULL, PAGE, protection, MAP_SHARED, fd, offset);
	if (at == MAP_FAILED)
		fail("mapping a file or a device: %s", strerror(errno));
	close(fd);
	return at;
}

/* Where each row's place is; the page after a writable one allows nothing. */
static char *place(enum place which)
{
	char *two;

	switch (which) {
	case NO_ADDRESS:
		return (char *)(uintptr_t)(1ull << 62);
	case PAST_END:
		return map_file(memfd_create("empty", MFD_CLOEXEC),
				PROT_READ | PROT_WRITE | PROT_EXEC, 0);
	case DEVICE:
		return map_file(open("/dev/mem", O_RDWR | O_CLOEXEC),
				PROT_READ | PROT_WRITE, PLIC);
	case NOWHERE:
	case UNALLOWED:
	case READABLE:
	case WRITABLE:
	case CODE:
	case ALONE:
		break;
	case N_PLACES:
		fail("no such place");
	}
	two = map(2L * PAGE, PROT_NONE);
	mprotect(two, PAGE, protections[which]);
	if (which == NOWHERE)
		munmap(two, PAGE);
	if (which == ALONE)
		munmap(two + PAGE, PAGE);
	return two;
}

/* Whether it is told at which address: at the first byte that is refused. */
static bool of_page(const struct refused *row)
{
	if (row->signal == SIGBUS)
		return row->code == BUS_ADRERR;
	return row->signal == SIGSEGV && row->place != DEVICE;
}

static void each_refusal(void)
{
	char *volatile at;
	int fd = count_users();

	catch (caught, 0);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const struct refused *row = &refused[i];

		got_signal = got_code = 0;
		at = place(row->place);
		if (sigsetjmp(back, 1) == 0)
			row->act(at + row->offset);
		demand(got_signal == row->signal && got_code == row->code,
		       "%s: signal %d, code %d", row->what, got_signal,
		       got_code);
		demand(!of_page(row) ||
			       got_address == at + (row->offset ? PAGE : 0),
		       "%s: at %p, and the page is at %p", row->what,
		       got_address, at);
	}
	users_counted(fd, "refusals");
}

static char *unallowed;
static volatile int depth, deepest;

/* Does what it was called for, until it is deep enough. */
static void again(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	deepest = ++depth;
	if (depth == DEEP)
		mprotect(unallowed, PAGE, PROT_READ | PROT_WRITE);
	load(unallowed);
	depth--;
}

static void in_each_other(void)
{
	int fd = count_users();

	unallowed = map(PAGE, PROT_NONE);
	catch (again, SA_NODEFER);
	load(unallowed);
	users_counted(fd, "faults in handlers of faults");
	same((uint64_t)deepest, DEEP);
	same((uint64_t)depth, 0);
}

/* The kernel's own accesses for a user are refused, too. */
static void by_the_kernel(void)
{
	char *at = place(READABLE);
	int fd = count_users(), ends[2];

	if (pipe(ends) != 0)
		fail("pipe: %s", strerror(errno));
	holds(write(ends[1], at + PAGE, 8) < 0 && errno == EFAULT);
	same((uint64_t)write(ends[1], at, 8), 8);
	holds(read(ends[0], at, 8) < 0 && errno == EFAULT);
	users_counted(fd, "calls with bad addresses");
}

static uint64_t faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_minflt;
}

static void touch(char *at)
{
	for (int i = 0; i < PAGES; i++)
		at[(size_t)i * PAGE] = (char)i;
}

/* Pages come at their first access, and again when they are shared no more. */
static void first_access(void)
{
	char *at = map((size_t)PAGES * PAGE, PROT_READ | PROT_WRITE);
	uint64_t before = faults(), first, shared;
	int fd = count_users(), status;

	touch(at);
	first = faults() - before;
	if (fork() == 0)
		_exit(0);
	wait(&status);
	before = faults();
	touch(at);
	shared = faults() - before;
	users_counted(fd, "first accesses");
	same(first, PAGES);
	/* the stack is shared with the child, too */
	holds(shared >= PAGES && shared < PAGES + 8);
}

const struct test provoke_tests[] = {
	{ "rewritten", "a function may be written anew at each call",
	  rewritten },
	{ "blocks", "many functions are written, and then others there",
	  many_blocks },
	{ "across", "accesses across pages are whole", across_pages },
	{ "refused", "each refusal has its signal", each_refusal },
	{ "nested", "handlers of faults may fault", in_each_other },
	{ "efault", "the kernel is refused what its caller is", by_the_kernel },
	{ "touch", "pages come at their first access", first_access },
	{ NULL, NULL, NULL },
};
