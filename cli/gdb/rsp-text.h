/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What packets of GDB's remote protocol are made of: numbers, bytes, threads,
 * and what vCont asks for. Each function takes what it can from the front of a
 * text, and nothing where it returns false.
 */
#ifndef CLI_GDB_RSP_TEXT_H
#define CLI_GDB_RSP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rsp_text {
	const char *at, *end;
};

static inline struct rsp_text rsp_text(const char *at, size_t len)
{
	return (struct rsp_text){ at, at + len };
}
static inline bool rsp_done(const struct rsp_text *t)
{
	return t->at == t->end;
}

/* Exactly this text. */
bool rsp_word(struct rsp_text *t, const char *word);
/* All up to @stop, or to the end; @stop itself is taken and left out. */
struct rsp_text rsp_until(struct rsp_text *t, char stop);
/* 1 to 16 hexadecimal digits, of 64 bits. */
bool rsp_number(struct rsp_text *t, uint64_t *ret);
/* "A,B" */
bool rsp_pair(struct rsp_text *t, uint64_t *ret_a, uint64_t *ret_b);
/* @len bytes, two digits each. */
bool rsp_bytes(struct rsp_text *t, void *ret, size_t len);
/* The same as a little-endian number, of 1 to 8 bytes. */
bool rsp_value(struct rsp_text *t, size_t len, uint64_t *ret);

/* Bytes as digits, behind @at; both return the end. */
char *rsp_put_bytes(char *at, const void *bytes, size_t len);
char *rsp_put_value(char *at, uint64_t value, size_t len);

/* Threads are harts, from 1 on. */
enum {
	RSP_ANY = 0,
	RSP_ALL = -1
};
/* A number, "-1", or both after "pPROCESS." */
bool rsp_thread(struct rsp_text *t, int64_t *ret);

/* What the actions of a vCont come to; threads as above. */
struct rsp_resume {
	bool others;	 /* more threads than the one that steps go on */
	int64_t step;	 /* the thread that steps, or RSP_ANY: none */
	uint64_t lo, hi; /* and goes on while its pc is in [lo, hi) */
	bool stop;	 /* nothing goes on: all are asked to stop */
};
/*
 * The actions behind "vCont"; false: they are no actions. Of several threads
 * that are to step the first does, the others go on. @n: how many threads.
 */
bool rsp_resume(struct rsp_text *t, int64_t n, struct rsp_resume *ret);

#endif
