/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the client finds pmud: at an address, or at the environment's, the
 * user's own or the system's place. client/pmuclient.c.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <pmuclient/pmuclient.h>

static char dir[] = "/tmp/client-places-XXXXXX";
static struct sockaddr_un place = { .sun_family = AF_UNIX };
static int listener;

/* The machine of the test may have a pmud of the system's. */
int __wrap_connect(int fd, const struct sockaddr *addr, socklen_t len);
int __real_connect(int fd, const struct sockaddr *addr, socklen_t len);

int __wrap_connect(int fd, const struct sockaddr *addr, socklen_t len)
{
	const struct sockaddr_un *to = (const struct sockaddr_un *)addr;

	if (to->sun_family != AF_UNIX ||
	    strcmp(to->sun_path, "/run/pmud/pmud.sock") != 0)
		return __real_connect(fd, addr, len);
	errno = ENOENT;
	return -1;
}

static void setup(void)
{
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	snprintf(place.sun_path, sizeof(place.sun_path), "%s/pmud.sock", dir);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	PREPARING(ck_assert(
		!bind(listener, (struct sockaddr *)&place, sizeof(place))));
	PREPARING(ck_assert(!listen(listener, 4)));
	unsetenv("PMUD_ADDRESS");
	unsetenv("XDG_RUNTIME_DIR");
}

static void teardown(void)
{
	close(listener);
	unlink(place.sun_path);
	rmdir(dir);
}

/* What %s is in is the folder with the socket. */
static const struct place_row {
	const char *why, *address, *given, *own;
	int err;
	const char *error;
} place_rows[] = {
	{ "a path", "%s/pmud.sock", NULL, NULL, 0, "" },
	{ "a URL", "unix://%s/pmud.sock", NULL, NULL, 0, "" },
	{ "an address, whatever there is else", "%s/pmud.sock", "/nowhere",
	  "/nowhere", 0, "" },
	{ "a path where nobody is", "%s/other", NULL, NULL, -PMUCLIENT_ECONNECT,
	  "cannot reach pmud at %s/other: No such file or directory" },
	{ "no path", "unix://", NULL, NULL, -PMUCLIENT_EINVAL,
	  "'' is no path of a socket" },
	{ "no address", "pmud.sock", NULL, NULL, -PMUCLIENT_EINVAL,
	  "'pmud.sock' is neither unix:///PATH nor /PATH nor "
	  "tcp://127.0.0.1:PORT" },
	{ "nothing there on TCP", "tcp://127.0.0.1:0", NULL, NULL,
	  -PMUCLIENT_ECONNECT,
	  "cannot reach pmud at 127.0.0.1:0: Connection refused" },
	{ "no port", "tcp://127.0.0.1:x", NULL, NULL, -PMUCLIENT_EINVAL,
	  "'127.0.0.1:x' is not 127.0.0.1:PORT" },
	{ "the environment's", NULL, "%s/pmud.sock", NULL, 0, "" },
	{ "the environment's before the user's", NULL, "%s/other", "%s",
	  -PMUCLIENT_ECONNECT,
	  "cannot reach pmud at %s/other: No such file or directory" },
	{ "the user's", NULL, NULL, "%s", 0, "" },
	{ "the user's, the environment's being empty", NULL, "", "%s", 0, "" },
	{ "the system's, the user's having none", NULL, NULL, "/nowhere",
	  -PMUCLIENT_ECONNECT,
	  "cannot reach pmud at /run/pmud/pmud.sock: No such file or "
	  "directory" },
	{ "the system's, the user's being empty", NULL, NULL, "",
	  -PMUCLIENT_ECONNECT,
	  "cannot reach pmud at /run/pmud/pmud.sock: No such file or "
	  "directory" },
	{ "the system's", NULL, NULL, NULL, -PMUCLIENT_ECONNECT,
	  "cannot reach pmud at /run/pmud/pmud.sock: No such file or "
	  "directory" },
};

static const char *filled(char *ret, size_t size, const char *format)
{
	const char *at = format ? strstr(format, "%s") : NULL;

	if (!at)
		return format;
	snprintf(ret, size, "%.*s%s%s", (int)(at - format), format, dir,
		 at + 2);
	return ret;
}

TEST_ROWS(a_place_is_found, place_rows)
{
	const struct place_row *row = &place_rows[_i];
	char address[128], given[128], own[128], error[128];
	struct pmuclient *c;
	int fd;

	if (row->given)
		setenv("PMUD_ADDRESS", filled(given, sizeof(given), row->given),
		       1);
	if (row->own)
		setenv("XDG_RUNTIME_DIR", filled(own, sizeof(own), row->own),
		       1);
	ck_assert_msg(pmuclient_connect(&c, filled(address, sizeof(address),
						   row->address)) == row->err,
		      "%s: %s", row->why, pmuclient_error(c));
	ck_assert_str_eq(pmuclient_error(c),
			 filled(error, sizeof(error), row->error));
	fd = accept(listener, NULL, NULL);
	ck_assert_int_eq(fd >= 0, row->err == 0);
	if (!row->err)
		ck_assert_int_eq(fcntl(pmuclient_fd(c), F_GETFD), FD_CLOEXEC);
	else
		ck_assert_int_eq(pmuclient_pump(c, 0), -PMUCLIENT_ELOST);
	pmuclient_free(c);
	if (fd >= 0)
		close(fd);
}

/* 107 bytes are the most that the path of a socket may have. */
TEST_RANGE(a_path_has_an_end, 107, 109)
{
	char path[128] = { 0 };
	struct pmuclient *c;

	memset(path, '/', (size_t)_i);
	memcpy(path, place.sun_path, 5);
	memcpy(path + _i - (int)strlen(place.sun_path + 5), place.sun_path + 5,
	       strlen(place.sun_path + 5));
	ck_assert_int_eq(pmuclient_connect(&c, path),
			 _i < 108 ? 0 : -PMUCLIENT_EINVAL);
	pmuclient_free(c);
}

/* One that is longer than a path may be is none. */
TEST_RANGE(a_users_place_has_an_end, 97, 99)
{
	char own[128] = { 0 };
	struct pmuclient *c;

	memset(own, '/', (size_t)_i);
	memcpy(own, dir, 5);
	memcpy(own + _i - (int)strlen(dir + 5), dir + 5, strlen(dir + 5));
	setenv("XDG_RUNTIME_DIR", own, 1);
	ck_assert_int_eq(pmuclient_connect(&c, NULL),
			 _i < 98 ? 0 : -PMUCLIENT_ECONNECT);
	pmuclient_free(c);
}

TEST(a_descriptor_that_is_none_is_told)
{
	struct pmuclient *c;
	int fd = dup(listener);

	close(fd);
	ck_assert_int_eq(pmuclient_adopt(&c, fd), -PMUCLIENT_EINVAL);
	ck_assert_ptr_nonnull(
		strstr(pmuclient_error(c), ": Bad file descriptor"));
	ck_assert_int_eq(pmuclient_pump(c, 0), -PMUCLIENT_ELOST);
	pmuclient_free(c);
}

SUITE("client-places", .setup = setup, .teardown = teardown);
