/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exits without an exception, see docs/ENGINE.md: for a CSR access, an ecall
 * and an instruction that it does not know, generated code calls a helper which
 * raises an exception and so leaves Unicorn's loop. Where Unicorn is linked
 * statically, functions of ours stand in front of these helpers: they hand the
 * instruction to the host and return to generated code.
 */
#ifndef UNICORN_FAST_HELPER_EXIT_H
#define UNICORN_FAST_HELPER_EXIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine_exit;
struct pmu_csr_req;
struct slot;

enum fast_exit {
	FAST_EXIT_NOT,	/* nothing has happened */
	FAST_EXIT_TOLD, /* the host was asked, and Unicorn has to be left */
	FAST_EXIT_ON,	/* it goes on where the host said */
};

/*
 * Hands the instruction at @exit->pc to the host and fills @exit. @jumps: it
 * may go on anywhere, else behind the instruction only.
 */
typedef enum fast_exit fast_exit_fn(struct slot *s, struct engine_exit *exit,
				    bool jumps);

/*
 * May the access to a CSR at @pc be made inside its block? True: it was, rd
 * gets
 * @ret_old, and nothing else is to be done. False: nothing has happened.
 */
typedef bool fast_quiet_fn(struct slot *s, uint64_t pc, struct pmu_csr_req *req,
			   uint64_t *ret_old);

/* What the self test finds out of one slot. */
struct fast_env {
	char *at;	    /* the registers of the CPU, NULL: not known */
	size_t x;	    /* of x0, @at + this */
	size_t pc;	    /* of pc */
	size_t words;	    /* of what a saved context has at 0; 0: not known */
	size_t privilege;   /* while slot.spaces has more than one */
	const uint8_t *out; /* the end of each block, with rax its result */
};

/* What generated code holds when the self test looks for it. */
struct fast_probe {
	uint64_t x[32], pc;
	unsigned xlen;
};

/* Of a slot. */
struct fast_exits {
	struct fast_env env;
	fast_exit_fn *inside;		/* NULL: exits are exceptions */
	fast_quiet_fn *quiet;		/* not NULL where @inside is not */
	const struct fast_probe *probe; /* in the self test */
	bool told; /* the exception that comes is of what the host knows */
	uint64_t n_inside, n_raised;
	uint64_t n_quiet; /* of @n_inside */
};

/* Are there functions of ours in front of the helpers? */
bool fast_exits_linked(void);
/* Code of @s runs from now on, NULL: none. */
void fast_enter(struct slot *s);
struct slot *fast_entered(void);
uint64_t fast_env_x(const struct slot *s, unsigned n);
void fast_env_set_x(struct slot *s, unsigned n, uint64_t value);
/* Where a word is that a saved context has at @off; only with env.words. */
char *fast_env_word(const struct slot *s, size_t off);
/* U, S, H or M, as Unicorn numbers them. */
void fast_env_set_privilege(struct slot *s, uint32_t privilege);

#endif
