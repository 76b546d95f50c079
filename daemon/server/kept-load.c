/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an earlier pmud has kept becomes machines without a process. A run that
 * it did not see the end of is cut behind its last whole record. What is there
 * counts for its owner, whatever the limits are now.
 */
#include "kept-runs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon-limits.h"
#include "hosted.h"
#include "kept-file.h"
#include "run-end.h"
#include "wire/message.h"
#include "wire/record.h"
#include "wire/unpack.h"

static size_t count_records(const uint8_t *bytes, size_t len,
			    uint64_t *ret_items)
{
	struct record_view v;
	size_t used = 0;

	while (record_first(bytes + used, len - used, &v) > 0) {
		used += v.field_len;
		++*ret_items;
	}
	return used;
}

static size_t count_bytes(const uint8_t *bytes, size_t len, uint64_t *ret_items)
{
	*ret_items += len;
	return len;
}

static int load_one(struct hosted *m, struct store **ret, const char *name,
		    struct store_load *how)
{
	int err;

	how->dir = m->kept;
	how->name = name;
	how->share = &m->share;
	err = store_open(ret, how);
	return err == -ENOENT && strcmp(name, "trace") != 0 ? 0 : err;
}

static int load_stores(struct hosted *m, const Pmu__Internal__KeptRun *run)
{
	struct store_place begin = kept_store_place(run->begin), end,
			   none = { 0 };
	struct store_load trace = { .begin = &begin, .count = count_records };
	struct store_load inputs = { .begin = &none, .count = count_records };
	struct store_load console = { .count = count_bytes };
	struct store_load serial = { .count = count_bytes };
	int err;

	if (run->end) {
		end = kept_store_place(run->end);
		trace.end = &end;
	}
	m->share.quota = m->daemon->quota;
	m->share.uid = m->owner;
	err = load_one(m, &m->trace, "trace", &trace);
	if (!err)
		err = load_one(m, &m->inputs, "inputs", &inputs);
	if (!err)
		err = load_one(m, &m->console, "console", &console);
	if (!err)
		err = load_one(m, &m->serial, "serial", &serial);
	if (err)
		return err;
	if (m->console) {
		hosted_end_stores(m);
		return 0;
	}
	return -ENOENT;
}

/* Takes copies of what is known. */
static int fill(struct hosted *m, Pmu__Internal__KeptRun *run)
{
	Pmu__V1__MachineInfo said = *run->machine;

	run_lost(&said, "pmud ended while it ran");
	m->owner = said.owner_uid;
	m->config = message_copy(&said.config->base);
	m->recording = message_copy(&said.recording->base);
	m->info = message_copy(&said.base);
	m->header = run->header ? message_copy(&run->header->base) : NULL;
	if (!m->config || !m->recording || !m->info ||
	    (run->header && !m->header))
		return -ENOMEM;
	m->records = *m->recording;
	m->records.base.n_unknown_fields = 0;
	m->records.base.unknown_fields = NULL;
	return load_stores(m, run);
}

static void list_run(struct daemon *d, int dir, const char *name)
{
	const char *why = NULL;
	Pmu__Internal__KeptRun *run = kept_read(dir, &why);
	struct hosted *m = run ? hosted_without_process(d, name, dir) : NULL;
	int err = m ? fill(m, run) : -ENOMEM;

	if (!err) {
		m->counted = quota_count(d->quota, QUOTA_MACHINES, m->owner, 1);
		err = m->counted ? 0 : -ENOMEM;
	}
	if (run)
		wire_unpack_free(&run->base);
	if (err) {
		fprintf(stderr, "pmud: the run %s cannot be read: %s\n", name,
			why ? why : strerror(-err));
		if (m)
			hosted_forget(m);
		else
			close(dir);
		return;
	}
	hosted_list(m);
}

/* "m12": 12. 0: no name of a machine. */
static uint64_t number_of(const char *name)
{
	char again[24];
	uint64_t n;

	if (name[0] != 'm')
		return 0;
	n = strtoull(name + 1, NULL, 10);
	snprintf(again, sizeof(again), "m%" PRIu64, n);
	return strcmp(again, name) == 0 ? n : 0;
}

void kept_load(struct daemon *d)
{
	int fd = d->runs < 0 ? -1 : fcntl(d->runs, F_DUPFD_CLOEXEC, 3);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	unsigned n = 0;

	while (dir && (e = readdir(dir))) {
		uint64_t number = number_of(e->d_name);
		int run = !number ? -1
				  : openat(d->runs, e->d_name,
					   O_RDONLY | O_DIRECTORY | O_CLOEXEC |
						   O_NOFOLLOW);

		/* also of what cannot be read: no other machine is called so */
		if (number > d->last_id)
			d->last_id = number;
		if (run >= 0 && n++ < MAX_MACHINES) {
			list_run(d, run, e->d_name);
		} else if (run >= 0) {
			close(run);
			fprintf(stderr, "pmud: more than %d runs: %s waits\n",
				MAX_MACHINES, e->d_name);
		}
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}
