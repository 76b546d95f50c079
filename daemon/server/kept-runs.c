/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run's folder is made when its machine has started and its header is known:
 * the unlinked files of its stores get names there. What is known of the
 * machine is written anew, beside and renamed, when its trace begins elsewhere
 * and when what is known of it as ended has changed; a pmud that is killed
 * leaves what was written last, and the files as far as they go.
 */
#include "kept-runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hosted.h"
#include "kept-file.h"
#include "pmud-config.h"
#include "run-end.h"
#include "wire/message.h"

/* It goes on, but a later pmud will not know of it. */
static void say_not_kept(const struct hosted *m, const char *what)
{
	fprintf(stderr, "pmud: the run %s is not kept: %s: %s\n", m->id, what,
		strerror(errno));
}

/* Whoever holds the folder locked keeps runs in it; a dead one holds nothing.
 */
int kept_lock(struct daemon *d)
{
	int err;

	d->runs =
		open(d->config->state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->runs < 0)
		return -errno;
	if (!flock(d->runs, LOCK_EX | LOCK_NB))
		return 0;
	err = -errno;
	close(d->runs);
	d->runs = -1;
	return err;
}

/* The stores of a machine that have a file of their own, and its name. */
struct run_file {
	const char *name;
	struct store **store;
};

enum {
	N_FILES = 4
};

static void files_of(struct hosted *m, struct run_file ret[N_FILES])
{
	const struct run_file files[N_FILES] = {
		{ "trace", &m->trace },
		{ "inputs", &m->inputs },
		{ "console", &m->console },
		{ "serial", &m->serial },
	};

	memcpy(ret, files, sizeof(files));
}

/* What is written already is not written again. */
static bool write_known(struct hosted *m, const Pmu__Internal__KeptRun *run)
{
	if (m->known && message_equal(m->known, &run->base) > 0)
		return true;
	if (!kept_write(m->kept, run))
		return false;
	protobuf_c_message_free_unpacked(m->known, NULL);
	m->known = message_copy(&run->base);
	return true;
}

static bool write_about(struct hosted *m)
{
	Pmu__Internal__KeptRun run = PMU__INTERNAL__KEPT_RUN__INIT;
	Pmu__Internal__KeptPlace begin, end;
	Pmu__V1__MachineInfo info;

	hosted_describe(m, m->info, &info);
	run.machine = &info;
	run.header = m->header;
	run.begin = kept_place(&begin, store_place_first(m->trace));
	if (store_ended(m->trace))
		run.end = kept_place(&end, store_place_behind(m->trace));
	if (write_known(m, &run))
		return true;
	say_not_kept(m, "what is known of it");
	return false;
}

/* Its trace begins elsewhere. */
static void on_cut(void *data)
{
	(void)write_about(data);
}

static bool make_folder(struct hosted *m)
{
	struct run_file files[N_FILES];

	if (mkdirat(m->daemon->runs, m->id, 0700)) {
		say_not_kept(m, "its folder");
		return false;
	}
	m->kept = openat(m->daemon->runs, m->id,
			 O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (m->kept < 0) {
		say_not_kept(m, "its folder");
		(void)unlinkat(m->daemon->runs, m->id, AT_REMOVEDIR);
		return false;
	}
	files_of(m, files);
	for (size_t i = 0; i < N_FILES; i++) {
		if (*files[i].store &&
		    store_link(*files[i].store, m->kept, files[i].name)) {
			say_not_kept(m, files[i].name);
			return false;
		}
	}
	return true;
}

static void on_header(void *arg, const struct child_reply *reply)
{
	const Pmu__Internal__SetRecordingResponse *answer =
		(const Pmu__Internal__SetRecordingResponse *)reply->answer;
	struct hosted *m = arg;

	if (m->deleting)
		return;
	if (reply->code == GRPC_OK)
		hosted_set_header(m, answer->header);
	if (!make_folder(m) || !write_about(m)) {
		kept_remove(m);
		return;
	}
	store_on_cut(m->trace, on_cut, m);
}

void kept_update(struct hosted *m)
{
	struct child_reply unsent;

	if (m->daemon->runs < 0 || !m->info ||
	    m->info->state <= PMU__V1__MACHINE_STATE__MACHINE_STATE_NEW)
		return;
	if (!m->keeping) { /* a process that is busy is asked again */
		m->keeping = hosted_record(m, on_header, m, &unsent) != 0;
	} else if (m->kept >= 0 && run_is_over(m->info)) {
		(void)write_about(m);
	}
}

void kept_remove(struct hosted *m)
{
	struct run_file files[N_FILES];

	if (m->kept < 0)
		return;
	files_of(m, files);
	for (size_t i = 0; i < N_FILES; i++)
		(void)unlinkat(m->kept, files[i].name, 0);
	kept_unwrite(m->kept);
	close(m->kept);
	m->kept = -1;
	if (unlinkat(m->daemon->runs, m->id, AT_REMOVEDIR) && errno != ENOENT)
		fprintf(stderr, "pmud: the run %s stays: %s\n", m->id,
			strerror(errno));
}
