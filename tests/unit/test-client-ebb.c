/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * client/ebb-client.c: the attributes of a group, which are refused with their
 * reason before pmud is asked anything.
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <pmu/rule.h>
#include <pmuclient/ebb-client.h>

#include "unit.h"

static struct pmuclient *client;
static int far_end;

static void setup(void)
{
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	far_end = fds[1];
	ck_assert_int_eq(pmuclient_adopt(&client, fds[0]), 0);
}

static void teardown(void)
{
	pmuclient_free(client);
	close(far_end);
}

#define ATTR	  .size = sizeof(struct pmuclient_ebb_attr), .period = 9
#define EBB(n)	  ATTR, .config = PMUCLIENT_EBB_EVENT | 2, .counter = (n)
#define LEADER(n) EBB(n), .pinned = true, .exclusive = true

/* Group of the first one, or of both if the second has a size. */
static const struct attr_row {
	struct pmuclient_ebb_attr leader, other;
	const char *why; /* NULL: pmud is asked */
} attr_rows[] = {
	{ { LEADER(3) }, { 0 }, NULL },
	{ { LEADER(31) }, { 0 }, NULL },
	{ { LEADER(3) }, { EBB(4) }, NULL },
	{ { EBB(3), .exclusive = true }, { 0 }, "event 0, pinned" },
	{ { EBB(3), .pinned = true }, { 0 }, "event 0, exclusive" },
	{ { LEADER(3) }, { EBB(4), .pinned = true }, "event 1, pinned" },
	{ { LEADER(3) }, { EBB(4), .exclusive = true }, "event 1, exclusive" },
	{ { LEADER(3) },
	  { ATTR, .counter = 4, .config = 2 },
	  "event 1, bit 63" },
	{ { ATTR, .config = 2, .counter = 3, .pinned = true,
	    .exclusive = true },
	  { 0 },
	  "event 0, bit 63" },
	{ { ATTR, .config = 2, .counter = 3, .pinned = true,
	    .exclusive = true },
	  { EBB(4) },
	  "event 0, bit 63" },
	{ { LEADER(0) }, { 0 }, "event 0, counter" },
	{ { LEADER(2) }, { 0 }, "event 0, counter" },
	{ { LEADER(32) }, { 0 }, "event 0, counter" },
	{ { LEADER(3), .inherit = true }, { 0 }, "event 0, inherit" },
	{ { LEADER(3), .freq = true }, { 0 }, "event 0, freq" },
	{ { LEADER(3), .enable_on_exec = true },
	  { 0 },
	  "event 0, enable_on_exec" },
	{ { LEADER(3), .sample_period = 1 }, { 0 }, "event 0, sample_period" },
	{ { LEADER(3), .sample_type = 1 }, { 0 }, "event 0, sample_type" },
	{ { .config = PMUCLIENT_EBB_EVENT }, { 0 }, "attr: its size" },
};

/* event_attributes of the kernel's selftests for Power. */
TEST_ROWS(attributes_are_checked_one_by_one, attr_rows)
{
	const struct attr_row *row = &attr_rows[_i];
	const struct pmuclient_ebb_config config = { .size = sizeof(config),
						     .machine = "m1" };
	const struct pmuclient_ebb_attr *attrs[] = { &row->leader,
						     &row->other };
	struct pmuclient_ebb *e;
	int err;

	shows(RULE("C156"));
	pmuclient_set_timeout(client, 1);
	err = pmuclient_ebb_open(client, &config, attrs,
				 row->other.size ? 2 : 1, &e);
	ck_assert_int_eq(err,
			 row->why ? -PMUCLIENT_EINVAL : -PMUCLIENT_ETIMEOUT);
	if (row->why)
		ck_assert_msg(!strncmp(pmuclient_error(client), row->why,
				       strlen(row->why)),
			      "%s", pmuclient_error(client));
}

static const size_t sizes[] = { 0, 30 };

TEST_ROWS(a_group_has_one_to_twenty_nine_events, sizes)
{
	const struct pmuclient_ebb_config config = { .size = sizeof(config),
						     .machine = "m1" };
	const struct pmuclient_ebb_attr *attrs[30] = { NULL };
	struct pmuclient_ebb *e;

	ck_assert_int_eq(
		pmuclient_ebb_open(client, &config, attrs, sizes[_i], &e),
		-PMUCLIENT_EINVAL);
}

/*
 * Structures of programs that were built against another header: behind its
 * size nothing is read, and what is not known has to be 0.
 */
struct newer_attr {
	struct pmuclient_ebb_attr attr;
	uint64_t more;
};

struct newer_config {
	struct pmuclient_ebb_config config;
	uint64_t more;
};

#define OLD_ATTR     offsetof(struct pmuclient_ebb_attr, inherit)
#define KNOWN_ATTR   sizeof(struct pmuclient_ebb_attr)
#define NEW_ATTR     sizeof(struct newer_attr)
#define OLD_CONFIG   offsetof(struct pmuclient_ebb_config, transport)
#define KNOWN_CONFIG sizeof(struct pmuclient_ebb_config)
#define NEW_CONFIG   sizeof(struct newer_config)

static const struct size_row {
	size_t attr, config;
	bool inherit;	    /* an older attribute's end is before it, */
	unsigned transport; /* an older configuration's before this */
	uint64_t more_attr, more_config;
	const char *why; /* NULL: pmud is asked */
} size_rows[] = {
	{ KNOWN_ATTR, KNOWN_CONFIG, false, 0, 1, 1, NULL },
	{ OLD_ATTR, KNOWN_CONFIG, true, 0, 1, 1, NULL },
	{ KNOWN_ATTR, KNOWN_CONFIG, true, 0, 0, 0, "event 0, inherit" },
	{ NEW_ATTR, KNOWN_CONFIG, false, 0, 0, 1, NULL },
	{ NEW_ATTR, KNOWN_CONFIG, false, 0, 1, 0, "attr: of a later version" },
	{ KNOWN_ATTR, OLD_CONFIG, false, 99, 1, 1, NULL },
	{ KNOWN_ATTR, KNOWN_CONFIG, false, 99, 0, 0, "config: there is no" },
	{ KNOWN_ATTR, NEW_CONFIG, false, 0, 1, 0, NULL },
	{ KNOWN_ATTR, NEW_CONFIG, false, 0, 0, 1, "config: of a later" },
};

TEST_ROWS(structures_are_taken_as_far_as_they_reach, size_rows)
{
	const struct size_row *row = &size_rows[_i];
	struct newer_attr attr = { { LEADER(3) }, row->more_attr };
	struct newer_config config = { { .machine = "m1" }, row->more_config };
	const struct pmuclient_ebb_attr *attrs[] = { &attr.attr };
	struct pmuclient_ebb *e;
	int err;

	attr.attr.size = row->attr;
	attr.attr.inherit = row->inherit;
	config.config.size = row->config;
	config.config.transport = row->transport;
	pmuclient_set_timeout(client, 1);
	err = pmuclient_ebb_open(client, &config.config, attrs, 1, &e);
	ck_assert_int_eq(err,
			 row->why ? -PMUCLIENT_EINVAL : -PMUCLIENT_ETIMEOUT);
	if (row->why)
		ck_assert_msg(!strncmp(pmuclient_error(client), row->why,
				       strlen(row->why)),
			      "%s", pmuclient_error(client));
}

SUITE("client-ebb", .setup = setup, .teardown = teardown);
