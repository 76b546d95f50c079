/* SPDX-License-Identifier: BSD-2-Clause */
/* The file "about": a KeptRun, written beside and renamed. */
#include "kept-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon-limits.h"
#include "wire/cleanup.h"
#include "wire/unpack.h"

#define ABOUT	    "about"
#define ABOUT_PART  "about.part"
#define ABOUT_BYTES (4u << 20) /* of a file that is read */

enum {
	KEPT_VERSION = 1
};

static bool put(int fd, const uint8_t *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

static bool put_file(int dir, const uint8_t *bytes, size_t len)
{
	int fd = openat(dir, ABOUT_PART,
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			0600);
	bool ok = fd >= 0 && put(fd, bytes, len);

	if (fd >= 0 && close(fd))
		ok = false;
	return ok && !renameat(dir, ABOUT_PART, dir, ABOUT);
}

bool kept_write(int dir, const Pmu__Internal__KeptRun *run)
{
	Pmu__Internal__KeptRun versioned = *run;
	uint8_t *bytes CLEANUP(free) = NULL;
	size_t len;

	versioned.version = KEPT_VERSION;
	bytes = malloc(protobuf_c_message_get_packed_size(&versioned.base));
	if (!bytes)
		return false;
	len = protobuf_c_message_pack(&versioned.base, bytes);
	return put_file(dir, bytes, len);
}

void kept_unwrite(int dir)
{
	(void)unlinkat(dir, ABOUT_PART, 0);
	(void)unlinkat(dir, ABOUT, 0);
}

/* Returns the number of bytes, or -1 with errno. */
static ssize_t get_file(int dir, uint8_t *bytes, size_t room)
{
	int fd CLEANUP(close) =
		openat(dir, ABOUT, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	size_t len = 0;
	ssize_t n = -1;

	while (fd >= 0 && len < room &&
	       (n = read(fd, bytes + len, room - len)) > 0)
		len += (size_t)n;
	return n < 0 ? -1 : (ssize_t)len;
}

static Pmu__Internal__KeptRun *unpack(const uint8_t *bytes, size_t len,
				      const char **ret_why)
{
	enum grpc_status status;
	struct wire_bytes in = { bytes, len, MESSAGE_UNPACKED };
	ProtobufCMessage *message = wire_unpack(
		&pmu__internal__kept_run__descriptor, &in, &status, ret_why);
	Pmu__Internal__KeptRun *run = (Pmu__Internal__KeptRun *)message;

	if (!run)
		return NULL;
	*ret_why = run->version != KEPT_VERSION
			   ? "it is of another version of pmud"
		   : !run->machine || !run->machine->config ||
				   !run->machine->recording || !run->begin
			   ? "not all is there that is known of it"
			   : NULL;
	if (!*ret_why)
		return run;
	wire_unpack_free(message);
	return NULL;
}

Pmu__Internal__KeptRun *kept_read(int dir, const char **ret_why)
{
	uint8_t *bytes CLEANUP(free) = malloc(ABOUT_BYTES);
	ssize_t n;

	*ret_why = "out of memory";
	if (!bytes)
		return NULL;
	n = get_file(dir, bytes, ABOUT_BYTES);
	if (n >= 0)
		return unpack(bytes, (size_t)n, ret_why);
	*ret_why = strerror(errno);
	return NULL;
}

Pmu__Internal__KeptPlace *kept_place(Pmu__Internal__KeptPlace *ret,
				     struct store_place from)
{
	pmu__internal__kept_place__init(ret);
	ret->offset = from.offset;
	ret->item = from.item;
	ret->side_offset = from.side_offset;
	ret->side_item = from.side_item;
	return ret;
}

struct store_place kept_store_place(const Pmu__Internal__KeptPlace *place)
{
	return (struct store_place){ place->offset, place->item,
				     place->side_offset, place->side_item };
}
