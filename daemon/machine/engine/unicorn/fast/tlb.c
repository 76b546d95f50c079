/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unicorn's function that empties one page wants its CPU, which nothing public
 * gives. The one that empties a whole TLB gets it as well: a function of ours
 * stands in front of that and notes what it sees, while it is asked to.
 *
 * The other in front of Unicorn's decides whether a page of code that has just
 * been translated may be written through an entry that is there already.
 */
#include "../adapter.h"

#include "helper-exit.h"
#include "tlb.h"

static void **asked; /* NULL: nobody wants to know the CPU */

#ifdef UNICORN_HELPERS_WRAPPED

/* Unicorn's; weak: another build may not have them. */
__attribute__((weak)) void tlb_flush_page_riscv32(void *cpu, uint32_t vaddr);
__attribute__((weak)) void tlb_flush_page_riscv64(void *cpu, uint64_t vaddr);

static void fast_met(void *cpu) __attribute__((used));
static bool fast_is_clean(const void *cpu, uint64_t page, uint64_t size)
	__attribute__((used));

static void fast_met(void *cpu)
{
	if (asked != NULL)
		*asked = cpu;
}

/*
 * A page turns into code only while no entry lets it be written (note_code() of
 * fill.c), and an entry that does makes it dirty: so there is none, unless it
 * is.
 */
static bool fast_is_clean(const void *cpu, uint64_t page, uint64_t size)
{
	const struct slot *s = fast_entered();
	const struct page *code;
	struct fast_spared *clean;

	if (s == NULL || s->e->clean.off != NULL)
		return false;
	clean = &s->e->clean;
	clean->all++;
	if (size > PAGE_SIZE || fetch_host(s, page, &code) == NULL)
		return false;
	if (code->dirty && s->e->cfg.spoil != FAST_SPOIL_CLEAN)
		return false;
	clean->taken += code->code;
	return code->code;
}

#define FLUSH_ALL(xlen)                                                        \
	__asm__(".text\n"                                                      \
		".weak __real_tlb_flush_riscv" xlen "\n"                       \
		".globl __wrap_tlb_flush_riscv" xlen "\n"                      \
		".type __wrap_tlb_flush_riscv" xlen ", @function\n"            \
		"__wrap_tlb_flush_riscv" xlen ":\n"                            \
		"	push %rdi\n"                                                 \
		"	call fast_met\n"                                             \
		"	pop %rdi\n"                                                  \
		"	jmp __real_tlb_flush_riscv" xlen "\n"                  \
		".size __wrap_tlb_flush_riscv" xlen                            \
		", . - __wrap_tlb_flush_riscv" xlen "\n")

/* (CPU, address of the page, bytes from there to the end of the block) */
#define NOTE_WRITES(xlen)                                                      \
	__asm__(".text\n"                                                      \
		".weak __real_tlb_reset_dirty_by_vaddr_riscv" xlen "\n"        \
		".globl __wrap_tlb_reset_dirty_by_vaddr_riscv" xlen "\n"       \
		".type __wrap_tlb_reset_dirty_by_vaddr_riscv" xlen             \
		", @function\n"                                                \
		"__wrap_tlb_reset_dirty_by_vaddr_riscv" xlen ":\n"             \
		"	push %rdi\n"                                                 \
		"	push %rsi\n"                                                 \
		"	push %rdx\n"                                                 \
		"	call fast_is_clean\n"                                        \
		"	pop %rdx\n"                                                  \
		"	pop %rsi\n"                                                  \
		"	pop %rdi\n"                                                  \
		"	test %al, %al\n"                                             \
		"	je __real_tlb_reset_dirty_by_vaddr_riscv" xlen "\n"    \
		"	ret\n"                                                       \
		".size __wrap_tlb_reset_dirty_by_vaddr_riscv" xlen             \
		", . - __wrap_tlb_reset_dirty_by_vaddr_riscv" xlen "\n")

FLUSH_ALL("32");
NOTE_WRITES("32");
FLUSH_ALL("64");
NOTE_WRITES("64");

#else

static void (*const tlb_flush_page_riscv32)(void *cpu, uint32_t vaddr);
static void (*const tlb_flush_page_riscv64)(void *cpu, uint64_t vaddr);

#endif

bool fast_tlb_linked(void)
{
	return tlb_flush_page_riscv32 != NULL && tlb_flush_page_riscv64 != NULL;
}

void *fast_cpu(uc_engine *uc)
{
	void *cpu = NULL;

	asked = &cpu;
	uc_ctl_flush_tlb(uc);
	asked = NULL;
	return cpu;
}

static uint64_t class_of(uint64_t vaddr)
{
	return UINT64_C(1) << (vaddr >> PAGE_BITS) % FAST_CLASSES;
}

/* Those of the slot's TLBs that may hold the page count it, if all may. */
static bool goes_alone(struct slot *s, uint64_t class, bool *ret_is_there)
{
	*ret_is_there = false;
	for (unsigned i = 0; i < s->spaces.n; i++) {
		const struct fast_filled *f = &s->filled[i];

		if (!(f->classes & class))
			continue;
		if (f->gone >= (unsigned)__builtin_popcountll(f->classes))
			return false;
		*ret_is_there = true;
	}
	for (unsigned i = 0; i < s->spaces.n; i++)
		s->filled[i].gone += (s->filled[i].classes & class) != 0;
	return true;
}

bool fast_flush_page(struct slot *s, uint64_t vaddr)
{
	bool is_there;

	if (!goes_alone(s, class_of(vaddr), &is_there))
		return false;
	if (!is_there)
		return true;
	vaddr += s->e->cfg.spoil == FAST_SPOIL_PAGE ? PAGE_SIZE : 0;
	if (s->e->cfg.xlen == 32)
		tlb_flush_page_riscv32(s->cpu, (uint32_t)vaddr);
	else
		tlb_flush_page_riscv64(s->cpu, vaddr);
	return true;
}

void fast_filled(struct fast_filled *f, uint64_t vaddr)
{
	f->classes |= class_of(vaddr);
}
