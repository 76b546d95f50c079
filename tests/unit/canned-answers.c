/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls are answered by rows; requests become JSON. */
#include "canned-answers.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <jansson.h>
#include <pmuclient/machine.h>

#include "canned-message.h"
#include "cmd/command.h"
#include "text/json.h"
#include "unit.h"

/* From main(). */
const char *argp_program_version = "test";

unsigned canned_inside;

static struct {
	const struct canned *list;
	bool used[CANNED_MAX];
	unsigned status;
	char asked[CANNED_TEXT];
} canned;

static struct stream {
	int number, file, before;
	char text[CANNED_TEXT];
} streams[] = { { .number = STDOUT_FILENO }, { .number = STDERR_FILENO } };

int __wrap_pmuclient_connect(struct pmuclient **ret, const char *address);
void __wrap_pmuclient_free(struct pmuclient *c);
void __wrap_pmuclient_set_timeout(struct pmuclient *c, int ms);
const char *__wrap_pmuclient_error(const struct pmuclient *c);
const char *__wrap_pmuclient_error_field(const struct pmuclient *c);
const char *__wrap_pmuclient_error_reason(const struct pmuclient *c);
unsigned __wrap_pmuclient_status(const struct pmuclient *c);
int __wrap_pmuclient_call(struct pmuclient *c, const char *method,
			  const ProtobufCMessage *req,
			  const ProtobufCMessageDescriptor *response,
			  ProtobufCMessage **ret);
int __wrap_pmuclient_load(struct pmuclient *c, const char *id,
			  const struct pmuclient_image *image,
			  Pmu__V1__LoadImageResponse **ret);
int __wrap_pmuclient_open(struct pmuclient *c, const char *method,
			  const ProtobufCMessage *req,
			  const ProtobufCMessageDescriptor *response,
			  struct pmuclient_stream **ret);
int __wrap_pmuclient_begin(struct pmuclient *c, const char *method,
			   const ProtobufCMessageDescriptor *response,
			   struct pmuclient_stream **ret);
int __wrap_pmuclient_send(struct pmuclient_stream *s,
			  const ProtobufCMessage *req);
int __wrap_pmuclient_finish(struct pmuclient_stream *s, ProtobufCMessage **ret);
int __wrap_pmuclient_take(struct pmuclient_stream *s, ProtobufCMessage **ret);
int __wrap_pmuclient_next(struct pmuclient_stream *s, int timeout_ms,
			  ProtobufCMessage **ret);
void __wrap_pmuclient_close(struct pmuclient_stream *s);
int __wrap_pmuclient_fd(const struct pmuclient *c);
short __wrap_pmuclient_events(const struct pmuclient *c);
int __wrap_pmuclient_pump(struct pmuclient *c, int timeout_ms);

/* Calls */

void canned_begin(const struct canned *list)
{
	memset(&canned, 0, sizeof(canned));
	canned.list = list;
}

const char *canned_asked(void)
{
	return canned.asked;
}

static const struct canned *find(const char *method)
{
	const struct canned *found = NULL;

	for (size_t i = 0; canned.list && canned.list[i].method; i++) {
		if (strcmp(canned.list[i].method, method) != 0)
			continue;
		found = &canned.list[i];
		if (!canned.used[i]) {
			canned.used[i] = true;
			break;
		}
	}
	canned_inside++; /* Check allocates, too */
	ck_assert_msg(found, "%s is not answered", method);
	canned_inside--;
	return found;
}

static void note(const char *method, const char *what)
{
	size_t len = strlen(canned.asked);

	snprintf(canned.asked + len, sizeof(canned.asked) - len, "%s %s\n",
		 method, what);
}

static void note_message(const char *method, const ProtobufCMessage *req)
{
	json_t *json;
	char *text;

	canned_inside++;
	json = json_message(req);
	text = json_dumps(json, JSON_COMPACT);
	canned_inside--;
	for (char *p = text; (p = strchr(p, '"'));)
		*p = '\'';
	note(method, text);
	free(text);
	json_decref(json);
}

/* The error of a row without an answer. */
static int refuse(const struct canned *row)
{
	canned.status = row->status;
	return row->status == CANNED_LOST ? -PMUCLIENT_ELOST : -PMUCLIENT_ERPC;
}

/* The error that the list has for what is no call; 0: none. */
static int refused(const char *what)
{
	for (size_t i = 0; canned.list && canned.list[i].method; i++)
		if (!strcmp(canned.list[i].method, what))
			return refuse(&canned.list[i]);
	return 0;
}

static ProtobufCMessage *make(const char *text,
			      const ProtobufCMessageDescriptor *type)
{
	ProtobufCMessage *msg;

	canned_inside++;
	msg = canned_message(text, type);
	canned_inside--;
	return msg;
}

static int answer(const char *method, const ProtobufCMessageDescriptor *type,
		  ProtobufCMessage **ret)
{
	const struct canned *row = find(method);

	canned.status = row->status;
	if (!row->answer)
		return refuse(row);
	if (ret)
		*ret = make(row->answer, type);
	return 0;
}

int __wrap_pmuclient_call(struct pmuclient *c, const char *method,
			  const ProtobufCMessage *req,
			  const ProtobufCMessageDescriptor *response,
			  ProtobufCMessage **ret)
{
	note_message(method, req);
	return answer(method, response, ret);
}

int __wrap_pmuclient_load(struct pmuclient *c, const char *id,
			  const struct pmuclient_image *image,
			  Pmu__V1__LoadImageResponse **ret)
{
	char text[128];

	snprintf(text, sizeof(text), "%s kind %d at %#llx entry %#llx: %zu", id,
		 (int)image->kind, (unsigned long long)image->address,
		 (unsigned long long)image->entry, image->len);
	note("load", text);
	return answer("load", &pmu__v1__load_image_response__descriptor,
		      (ProtobufCMessage **)ret);
}

/* A refusal is its end. */
struct pmuclient_stream {
	const char *method;
	const ProtobufCMessageDescriptor *type;
};

/* What comes of opening it, which a test may have said. */
static int open_stream(const char *method,
		       const ProtobufCMessageDescriptor *response,
		       struct pmuclient_stream **ret)
{
	char opening[128];
	int err;

	snprintf(opening, sizeof(opening), "open %s", method);
	err = refused(opening);
	if (err)
		return err;
	canned_inside++;
	*ret = calloc(1, sizeof(**ret));
	ck_assert_ptr_nonnull(*ret);
	canned_inside--;
	(*ret)->method = method;
	(*ret)->type = response;
	return 0;
}

int __wrap_pmuclient_open(struct pmuclient *c, const char *method,
			  const ProtobufCMessage *req,
			  const ProtobufCMessageDescriptor *response,
			  struct pmuclient_stream **ret)
{
	note_message(method, req);
	return open_stream(method, response, ret);
}

int __wrap_pmuclient_begin(struct pmuclient *c, const char *method,
			   const ProtobufCMessageDescriptor *response,
			   struct pmuclient_stream **ret)
{
	return open_stream(method, response, ret);
}

int __wrap_pmuclient_send(struct pmuclient_stream *s,
			  const ProtobufCMessage *req)
{
	note_message(s->method, req);
	return 0;
}

int __wrap_pmuclient_finish(struct pmuclient_stream *s, ProtobufCMessage **ret)
{
	int err = answer(s->method, s->type, ret);

	free(s);
	return err;
}

int __wrap_pmuclient_take(struct pmuclient_stream *s, ProtobufCMessage **ret)
{
	const struct canned *row = NULL;

	for (size_t i = 0; canned.list && canned.list[i].method && !row; i++) {
		if (!canned.used[i] &&
		    !strcmp(canned.list[i].method, s->method)) {
			canned.used[i] = true;
			row = &canned.list[i];
		}
	}
	if (!row)
		return 0;
	canned.status = row->status;
	if (!row->answer)
		return refuse(row);
	if (!*row->answer)
		return -PMUCLIENT_ETIMEOUT;
	*ret = make(row->answer, s->type);
	return 1;
}

int __wrap_pmuclient_next(struct pmuclient_stream *s, int timeout_ms,
			  ProtobufCMessage **ret)
{
	return __wrap_pmuclient_take(s, ret);
}

void __wrap_pmuclient_close(struct pmuclient_stream *s)
{
	free(s);
}

/* Something has always come: who waits looks at the streams again. */
int __wrap_pmuclient_fd(const struct pmuclient *c)
{
	static int fd;

	if (!fd)
		fd = eventfd(1, EFD_CLOEXEC);
	return fd;
}

short __wrap_pmuclient_events(const struct pmuclient *c)
{
	return POLLIN;
}

int __wrap_pmuclient_pump(struct pmuclient *c, int timeout_ms)
{
	return refused("pump");
}

/* A client that is never looked into. */
int __wrap_pmuclient_connect(struct pmuclient **ret, const char *address)
{
	static char client;

	*ret = (struct pmuclient *)&client;
	return 0;
}

void __wrap_pmuclient_free(struct pmuclient *c)
{
}

void __wrap_pmuclient_set_timeout(struct pmuclient *c, int ms)
{
}

/* Of no field: which option it would be has its own test. */
const char *__wrap_pmuclient_error_field(const struct pmuclient *c)
{
	return NULL;
}

const char *__wrap_pmuclient_error_reason(const struct pmuclient *c)
{
	switch (canned.status) {
	case 14: /* UNAVAILABLE */
		return "MACHINE_UNAVAILABLE";
	case CANNED_NO_HART:
		return "NO_SUCH_HART";
	default:
		return "";
	}
}

const char *__wrap_pmuclient_error(const struct pmuclient *c)
{
	return "refused";
}

unsigned __wrap_pmuclient_status(const struct pmuclient *c)
{
	return canned.status == CANNED_NO_HART ? 3 : canned.status;
}

/* What is printed */

void canned_capture(void)
{
	fflush(stdout);
	fflush(stderr);
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++) {
		struct stream *s = &streams[i];

		s->file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		PREPARING(ck_assert_int_ge(s->file, 0));
		s->before = dup(s->number);
		dup2(s->file, s->number);
	}
}

void canned_release(void)
{
	fflush(stdout);
	fflush(stderr);
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++) {
		struct stream *s = &streams[i];
		ssize_t n = pread(s->file, s->text, CANNED_TEXT - 1, 0);

		dup2(s->before, s->number);
		close(s->before);
		close(s->file);
		PREPARING(ck_assert_int_ge(n, 0));
		s->text[n] = '\0';
	}
}

const char *canned_out(void)
{
	return streams[0].text;
}

const char *canned_err(void)
{
	return streams[1].text;
}

int canned_run(const char *line)
{
	char words[512], program[] = "pmuctl", *save = NULL;
	char *argv[40] = { program };
	int argc = 1, code;

	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok_r(words, " ", &save); w && argc < 39;
	     w = strtok_r(NULL, " ", &save))
		argv[argc++] = strcmp(w, "''") ? w : w + 2;
	canned_inside++;
	canned_capture();
	canned_inside--;
	code = command_main(argc, argv);
	canned_inside++;
	canned_release();
	canned_inside--;
	return code;
}

void canned_check(const struct canned_row *row)
{
	int code;

	canned_begin(row->calls);
	code = canned_run(row->line);
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_str_eq(canned_out(), row->out);
	ck_assert_str_eq(canned_asked(), row->asked);
	ck_assert_int_eq(code, row->code);
}
