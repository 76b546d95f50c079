/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * client/forks.c, told of forks by the test: which descriptors the child
 * closes, and that the list is nobody else's meanwhile.
 */
#include "forks.h"

#include <pthread.h>
#include <string.h>

#include "unit.h"

/* What is asked of the system. */
static struct {
	void (*before)(void), (*in_parent)(void), (*in_child)(void);
	int refuses; /* what registering them answers */
	bool inside; /* the library: Check has locks and files, too */
	bool wrong;  /* a lock taken twice, given back twice, or missing */
	int held, locked;
	int closed[4];
	unsigned n_closed;
} sys;

int __wrap_pthread_atfork(void (*before)(void), void (*in_parent)(void),
			  void (*in_child)(void));
int __wrap_pthread_once(pthread_once_t *once, void (*fn)(void));
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock);
int __wrap_close(int fd);
int __real_pthread_mutex_lock(pthread_mutex_t *lock);
int __real_pthread_mutex_unlock(pthread_mutex_t *lock);
int __real_close(int fd);

int __wrap_pthread_atfork(void (*before)(void), void (*in_parent)(void),
			  void (*in_child)(void))
{
	sys.before = before;
	sys.in_parent = in_parent;
	sys.in_child = in_child;
	return sys.refuses;
}

/* A test may be the first of its process, or not. */
int __wrap_pthread_once(pthread_once_t *once, void (*fn)(void))
{
	fn();
	return 0;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	if (!sys.inside)
		return __real_pthread_mutex_lock(lock);
	sys.wrong |= sys.held++ != 0;
	sys.locked++;
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock)
{
	if (!sys.inside)
		return __real_pthread_mutex_unlock(lock);
	sys.wrong |= sys.held-- != 1;
	return 0;
}

int __wrap_close(int fd)
{
	if (!sys.inside)
		return __real_close(fd);
	sys.wrong |= sys.held != 1;
	if (sys.n_closed < ARRAY_SIZE(sys.closed))
		sys.closed[sys.n_closed++] = fd;
	return 0;
}

static void setup(void)
{
	memset(&sys, 0, sizeof(sys));
}

static bool add(struct forked *f, int *fd)
{
	bool added;

	sys.inside = true;
	added = forks_add(f, fd);
	sys.inside = false;
	return added;
}

static void drop(struct forked *f)
{
	sys.inside = true;
	forks_remove(f);
	sys.inside = false;
}

static void fork_as(void (*after)(void))
{
	sys.inside = true;
	sys.before();
	sys.wrong |= sys.held != 1;
	after();
	sys.inside = false;
}

/* Nothing is held, after it was @times. */
static void check_locked(int times)
{
	ck_assert(!sys.wrong);
	ck_assert_int_eq(sys.held, 0);
	ck_assert_int_eq(sys.locked, times);
	sys.locked = 0;
}

TEST(a_child_closes_all_that_are_open)
{
	struct forked list[3] = { 0 };
	int fds[3] = { 0, -1, 100 };

	for (unsigned i = 0; i < ARRAY_SIZE(fds); i++)
		ck_assert(add(&list[i], &fds[i]));
	check_locked(3);
	fork_as(sys.in_child);
	check_locked(1);
	ck_assert_uint_eq(sys.n_closed, 2);
	ck_assert_int_eq(sys.closed[0], 100); /* the last one first */
	ck_assert_int_eq(sys.closed[1], 0);
	for (unsigned i = 0; i < ARRAY_SIZE(fds); i++)
		ck_assert_int_eq(fds[i], -1);
	for (unsigned i = 0; i < ARRAY_SIZE(fds); i++)
		drop(&list[i]);
	check_locked(3);
}

TEST(a_parent_closes_none)
{
	struct forked one = { 0 };
	int fd = 100;

	ck_assert(add(&one, &fd));
	check_locked(1);
	fork_as(sys.in_parent);
	check_locked(1);
	ck_assert_uint_eq(sys.n_closed, 0);
	ck_assert_int_eq(fd, 100);
	drop(&one);
}

TEST(what_was_removed_is_not_closed)
{
	struct forked one = { 0 }, other = { 0 }, never = { 0 };
	int fd[2] = { 100, 101 };

	ck_assert(add(&one, &fd[0]));
	ck_assert(add(&other, &fd[1]));
	check_locked(2);
	drop(&never);
	check_locked(0);
	drop(&one);
	check_locked(1);
	fork_as(sys.in_child);
	ck_assert_uint_eq(sys.n_closed, 1);
	ck_assert_int_eq(sys.closed[0], 101);
	ck_assert_int_eq(fd[0], 100);
	drop(&other);
}

TEST(without_memory_nothing_is_added)
{
	struct forked one = { 0 };
	int fd = 100;

	sys.refuses = 12; /* ENOMEM */
	ck_assert(!add(&one, &fd));
	check_locked(0);
	ck_assert_ptr_null(one.fd);
	drop(&one);
	check_locked(0);
}

SUITE("client-forks", .setup = setup);
