/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions in front of Unicorn's helpers, and what they need to know of
 * its CPU: where registers are and how a block is left. Both are looked for by
 * the self test and never assumed; what an exit does is decided in exits.c.
 */
#include "../adapter.h"

#include <string.h>

#include <pmu/csr.h>
#include <pmu/fcsr.h>
#include <pmu/insn-field.h>

#include "helper-exit.h"
#include "hook-call.h"

enum {
	ENV_LOOK = 1024, /* bytes of the CPU that are searched */
};

static struct slot *entered;

void fast_enter(struct slot *s)
{
	entered = s;
}

struct slot *fast_entered(void)
{
	return entered;
}

static uint64_t get_word(const char *at, unsigned xlen)
{
	uint64_t value;
	uint32_t half;

	if (xlen == 64) {
		memcpy(&value, at, sizeof(value));
		return value;
	}
	memcpy(&half, at, sizeof(half));
	return half;
}

uint64_t fast_env_x(const struct slot *s, unsigned n)
{
	unsigned xlen = s->e->cfg.xlen;

	return get_word(s->exits.env.at + s->exits.env.x + n * xlen / 8, xlen);
}

void fast_env_set_x(struct slot *s, unsigned n, uint64_t value)
{
	unsigned xlen = s->e->cfg.xlen;
	char *at = s->exits.env.at + s->exits.env.x + n * xlen / 8;

	if (xlen == 64)
		memcpy(at, &value, sizeof(value));
	else
		memcpy(at, &value, sizeof(uint32_t));
}

char *fast_env_word(const struct slot *s, size_t off)
{
	return s->exits.env.at + (s->exits.env.words + off);
}

void fast_env_set_privilege(struct slot *s, uint32_t privilege)
{
	memcpy(s->exits.env.at + s->exits.env.privilege, &privilege,
	       sizeof(privilege));
}

#ifdef UNICORN_HELPERS_WRAPPED

/* Where @n words are as in @want, in one place only; else ENV_LOOK. */
static size_t find_words(const char *env, const uint64_t *want, unsigned n,
			 unsigned xlen)
{
	size_t word = xlen / 8, found = ENV_LOOK;

	for (size_t off = 0; off + n * word <= ENV_LOOK; off += word) {
		unsigned same = 0;

		while (same < n &&
		       get_word(env + off + same * word, xlen) == want[same])
			same++;
		if (same == n && found != ENV_LOOK)
			return ENV_LOOK;
		if (same == n)
			found = off;
	}
	return found;
}

static void find_env(struct slot *s, char *env, const uint8_t *ret)
{
	const struct fast_probe *p = s->exits.probe;

	s->exits.env.x = find_words(env, p->x, 32, p->xlen);
	s->exits.env.pc = find_words(env, &p->pc, 1, p->xlen);
	s->exits.env.out = code_way_out(ret);
	if (s->exits.env.x != ENV_LOOK && s->exits.env.pc != ENV_LOOK &&
	    s->exits.env.out != NULL)
		s->exits.env.at = env;
}

/* Whose CPU @env is, if exits inside generated code are its; or NULL. */
static struct slot *inside(const char *env)
{
	struct slot *s = entered;

	return s != NULL && s->exits.inside != NULL && env == s->exits.env.at
		       ? s
		       : NULL;
}

static enum fast_exit ask(struct slot *s, struct engine_exit *exit, bool jumps)
{
	exit->pc = get_word(s->exits.env.at + s->exits.env.pc, s->e->cfg.xlen);
	return s->exits.inside(s, exit, jumps);
}

/* Found by their names, in this file only. */
enum helper_way {
	WAY_REAL,  /* it is Unicorn's */
	WAY_DONE,  /* rd, or pc, gets @value */
	WAY_RAISE, /* an exception ends the run of generated code */
};

struct helper_answer { /* rax and rdx */
	uint64_t value;
	uint64_t way; /* enum helper_way */
};

static struct helper_answer fast_csr(char *env, uint64_t src, uint64_t csr,
				     uint64_t from, uint32_t op)
	__attribute__((used));
static struct helper_answer fast_ret(char *env) __attribute__((used));
static const uint8_t *fast_raise(char *env, uint32_t exception,
				 const uint8_t *ret) __attribute__((used));
static bool fast_wfi(char *env) __attribute__((used));

/*
 * @s: of inside(). @jumps: where it goes on is the value, else what is in rd.
 */
static struct helper_answer leave(struct slot *s, bool jumps)
{
	struct engine_exit exit = { .kind = ENGINE_EXIT_INSN };
	struct helper_answer ret = { 0, WAY_REAL };

	if (s == NULL)
		return ret;
	switch (ask(s, &exit, jumps)) {
	case FAST_EXIT_NOT: /* nor may it be Unicorn's, see slot.spaces */
	case FAST_EXIT_TOLD:
		ret.way = WAY_RAISE;
		break;
	case FAST_EXIT_ON:
		ret.way = WAY_DONE;
		ret.value = jumps ? s->e->live->pc
				  : fast_env_x(s, pmu_insn_rd(exit.insn));
		break;
	}
	return ret;
}

/*
 * csrrw, csrrs or csrrc, by pmu_csr_op: @src is the source's value; of the
 * latter two @from is which register's, or what the immediate is, 0: nothing is
 * written. What is above XLEN means nothing.
 */
static struct helper_answer fast_csr(char *env, uint64_t src, uint64_t csr,
				     uint64_t from, uint32_t op)
{
	struct slot *s = inside(env);
	struct pmu_csr_req req;
	struct helper_answer ret = { 0, WAY_DONE };
	unsigned xlen;

	/* fcsr and its parts are Unicorn's own */
	if (s == NULL || pmu_is_fcsr(csr % PMU_N_CSRS))
		return (struct helper_answer){ 0, WAY_REAL };
	xlen = s->e->cfg.xlen;
	req = (struct pmu_csr_req){
		.num = csr % PMU_N_CSRS,
		.op = op,
		.read = true,
		.write = op == PMU_CSR_WRITE || (uint32_t)from != 0,
		.value = xlen == 64 ? src : (uint32_t)src,
	};
	if (s->exits.quiet(s, get_word(env + s->exits.env.pc, xlen), &req,
			   &ret.value))
		return ret;
	return leave(s, false);
}

/* sret and mret, which are always the host's. */
static struct helper_answer fast_ret(char *env)
{
	return leave(inside(env), true);
}

/*
 * WFI, which Unicorn does by itself in all privileges but one. True: raise an
 * exception of it. Generated code has set pc to what follows.
 */
static bool fast_wfi(char *env)
{
	const struct slot *s = entered;
	uint64_t pc;

	if (s == NULL || env != s->exits.env.at)
		return false;
	pc = get_word(env + s->exits.env.pc, s->e->cfg.xlen) - 4;
	memcpy(env + s->exits.env.pc, &pc, s->e->cfg.xlen / 8);
	return true;
}

/* Where to go instead of raising it, with rax 0; NULL: raise it. */
static const uint8_t *fast_raise(char *env, uint32_t exception,
				 const uint8_t *ret)
{
	struct engine_exit exit = { .kind = ENGINE_EXIT_INSN };
	struct slot *s = entered;

	if (s != NULL && s->exits.probe != NULL)
		find_env(s, env, ret);
	if (inside(env) == NULL || code_way_out(ret) != s->exits.env.out)
		return NULL;
	if (exception != PMU_CAUSE_ECALL_U && exception != PMU_CAUSE_ILLEGAL)
		return NULL;
	if (ask(s, &exit, true) != FAST_EXIT_ON)
		return NULL;
	memcpy(env + s->exits.env.pc, &s->e->live->pc, s->e->cfg.xlen / 8);
	return s->exits.env.out;
}

bool fast_exits_linked(void)
{
	return true;
}

/*
 * In front of a helper of a CSR access (env, source, CSR, and one argument more
 * for csrrs and csrrc; op is its pmu_csr_op), or of sret and mret (env, pc).
 * The real one is jumped to, so that it returns to where this was called from.
 * The exception is raised by the helper that has no search for its place: pc is
 * there already.
 */
_Static_assert(PMU_CSR_WRITE == 0 && PMU_CSR_SET == 1 && PMU_CSR_CLEAR == 2,
	       "as below");

#define EXIT_HELPER(name, xlen, function, op)                                  \
	__asm__(".text\n"                                                      \
		".globl __wrap_helper_" name "_riscv" xlen "\n"                \
		".type __wrap_helper_" name "_riscv" xlen ", @function\n"      \
		"__wrap_helper_" name "_riscv" xlen ":\n"                      \
		"	push %rdi\n"                                                 \
		"	push %rsi\n"                                                 \
		"	push %rdx\n"                                                 \
		"	push %rcx\n"                                                 \
		"	sub $8, %rsp\n"                                              \
		"	mov $" op ", %r8d\n"                                   \
		"	call " function "\n"                                   \
		"	add $8, %rsp\n"                                              \
		"	mov %edx, %r8d\n"                                            \
		"	pop %rcx\n"                                                  \
		"	pop %rdx\n"                                                  \
		"	pop %rsi\n"                                                  \
		"	pop %rdi\n"                                                  \
		"	cmp $1, %r8d\n" /* WAY_DONE */                         \
		"	je 1f\n"                                                     \
		"	jb __real_helper_" name "_riscv" xlen "\n"             \
		"	mov $2, %esi\n" /* PMU_CAUSE_ILLEGAL */                \
		"	jmp __real_helper_raise_exception_riscv" xlen "\n"     \
		"1:	ret\n"                                                     \
		".size __wrap_helper_" name "_riscv" xlen                      \
		", . - __wrap_helper_" name "_riscv" xlen "\n")

/*
 * In front of the helper that raises an exception (env, exception), which does
 * not return: to go on, the block is left as one without a known successor.
 */
#define RAISE_HELPER(xlen)                                                     \
	__asm__(".text\n"                                                      \
		".globl __wrap_helper_raise_exception_riscv" xlen "\n"         \
		".type __wrap_helper_raise_exception_riscv" xlen               \
		", @function\n"                                                \
		"__wrap_helper_raise_exception_riscv" xlen ":\n"               \
		"	push %rdi\n"                                                 \
		"	push %rsi\n"                                                 \
		"	sub $8, %rsp\n"                                              \
		"	mov 24(%rsp), %rdx\n"                                        \
		"	call fast_raise\n"                                           \
		"	add $8, %rsp\n"                                              \
		"	pop %rsi\n"                                                  \
		"	pop %rdi\n"                                                  \
		"	test %rax, %rax\n"                                           \
		"	je __real_helper_raise_exception_riscv" xlen "\n"      \
		"	add $8, %rsp\n"                                              \
		"	mov %rax, %rcx\n"                                            \
		"	xor %eax, %eax\n"                                            \
		"	jmp *%rcx\n"                                                 \
		".size __wrap_helper_raise_exception_riscv" xlen               \
		", . - __wrap_helper_raise_exception_riscv" xlen "\n")

/* In front of the helper of WFI (env). */
#define WAIT_HELPER(xlen)                                                      \
	__asm__(".text\n"                                                      \
		".globl __wrap_helper_wfi_riscv" xlen "\n"                     \
		".type __wrap_helper_wfi_riscv" xlen ", @function\n"           \
		"__wrap_helper_wfi_riscv" xlen ":\n"                           \
		"	push %rdi\n"                                                 \
		"	call fast_wfi\n"                                             \
		"	pop %rdi\n"                                                  \
		"	test %al, %al\n"                                             \
		"	je __real_helper_wfi_riscv" xlen "\n"                  \
		"	mov $2, %esi\n" /* PMU_CAUSE_ILLEGAL */                \
		"	jmp __real_helper_raise_exception_riscv" xlen "\n"     \
		".size __wrap_helper_wfi_riscv" xlen                           \
		", . - __wrap_helper_wfi_riscv" xlen "\n")

EXIT_HELPER("csrrw", "32", "fast_csr", "0");
EXIT_HELPER("csrrs", "32", "fast_csr", "1");
EXIT_HELPER("csrrc", "32", "fast_csr", "2");
EXIT_HELPER("sret", "32", "fast_ret", "0");
EXIT_HELPER("mret", "32", "fast_ret", "0");
RAISE_HELPER("32");
WAIT_HELPER("32");
EXIT_HELPER("csrrw", "64", "fast_csr", "0");
EXIT_HELPER("csrrs", "64", "fast_csr", "1");
EXIT_HELPER("csrrc", "64", "fast_csr", "2");
EXIT_HELPER("sret", "64", "fast_ret", "0");
EXIT_HELPER("mret", "64", "fast_ret", "0");
RAISE_HELPER("64");
WAIT_HELPER("64");

#else

bool fast_exits_linked(void)
{
	return false;
}

#endif
