/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * grpc.reflection.v1, and v1alpha under its own path: the descriptors that the
 * build made, found by file name or by symbol. Each answer is one file; who
 * needs the files that it imports asks for them by name.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "refuse.h"
#include "wire/cleanup.h"
#include "grpc/std/files.pb-c.h"
#include "grpc/std/reflection.pb-c.h"

extern const unsigned char rpc_std_set[];
extern const size_t rpc_std_set_len;

typedef Grpc__Reflection__V1__ServerReflectionRequest request;
typedef Grpc__Reflection__V1__ServerReflectionResponse response;

enum {
	MAX_SERVICES = 64,
	MAX_FILES = 64,
};

#define REQUEST(name)                                                          \
	GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_##name
#define RESPONSE(name)                                                         \
	GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_##name

static size_t set_at(const struct rpc_server *srv, size_t i,
		     struct rpc_bytes *ret)
{
	size_t n = srv->cfg.n_descriptors + 1;

	if (i == 0)
		*ret = (struct rpc_bytes){ rpc_std_set, rpc_std_set_len };
	else if (i < n)
		*ret = srv->cfg.descriptors[i - 1];
	return n;
}

/* The descriptors unpacked, once for all questions. */
struct reflect_files {
	size_t n, n_sets;
	struct reflect_file {
		Pmu__Rpc__File *says;
		const ProtobufCBinaryData *bytes;
	} file[MAX_FILES];
	Pmu__Rpc__FileSet *set[];
};

void rpc_reflect_free(struct rpc_server *srv)
{
	struct reflect_files *f = srv->files;

	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		pmu__rpc__file__free_unpacked(f->file[i].says, NULL);
	for (size_t i = 0; i < f->n_sets; i++)
		pmu__rpc__file_set__free_unpacked(f->set[i], NULL);
	free(f);
	srv->files = NULL;
}

/* False: there is no memory. */
static bool read_set(struct reflect_files *f, const struct rpc_bytes *from)
{
	Pmu__Rpc__FileSet *set =
		pmu__rpc__file_set__unpack(NULL, from->len, from->data);

	if (!set)
		return false;
	f->set[f->n_sets++] = set;
	for (size_t i = 0; i < set->n_file && f->n < MAX_FILES; i++) {
		struct reflect_file *file = &f->file[f->n];

		file->bytes = &set->file[i];
		file->says = pmu__rpc__file__unpack(NULL, set->file[i].len,
						    set->file[i].data);
		if (!file->says)
			return false;
		f->n++;
	}
	return true;
}

/* NULL: there is no memory, the next question tries again. */
static const struct reflect_files *files(struct rpc_server *srv)
{
	size_t n = srv->cfg.n_descriptors + 1;
	struct rpc_bytes set;

	if (srv->files)
		return srv->files;
	srv->files =
		calloc(1, sizeof(*srv->files) + n * sizeof(*srv->files->set));
	if (!srv->files)
		return NULL;
	for (size_t i = 0; i < set_at(srv, i, &set); i++) {
		if (!read_set(srv->files, &set)) {
			rpc_reflect_free(srv);
			return NULL;
		}
	}
	return srv->files;
}

/* Calls @each with every file until it returns true. */
static bool any_file(struct rpc_server *srv,
		     bool (*each)(void *arg, const Pmu__Rpc__File *file,
				  const ProtobufCBinaryData *bytes),
		     void *arg)
{
	const struct reflect_files *f = files(srv);
	bool found = false;

	for (size_t i = 0; f && i < f->n && !found; i++)
		found = each(arg, f->file[i].says, f->file[i].bytes);
	return found;
}

struct reflect_search {
	struct rpc_call *call;
	const request *req;
	const char *name;
};

static void writable(struct rpc_call *call, void *data)
{
	rpc_call_resume(call);
}

/* Who does not read the answers is asked no more questions. */
static void answer_with(struct reflect_search *s, response *answer)
{
	static const struct rpc_call_ops ops = { .on_writable = writable };
	int rc;

	answer->original_request = (request *)s->req;
	rc = rpc_send(s->call, &answer->base);
	if (rc < 0) {
		rpc_refuse(s->call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "QUEUE_FULL"),
			   "no room to queue the answer");
	} else if (rc) {
		rpc_call_watch(s->call, &ops, NULL);
		rpc_call_pause(s->call);
	}
}

static void send_file(struct reflect_search *s,
		      const ProtobufCBinaryData *bytes)
{
	response answer =
		GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__INIT;
	Grpc__Reflection__V1__FileDescriptorResponse files =
		GRPC__REFLECTION__V1__FILE_DESCRIPTOR_RESPONSE__INIT;

	files.n_file_descriptor_proto = 1;
	files.file_descriptor_proto = (ProtobufCBinaryData *)bytes;
	answer.message_response_case = RESPONSE(FILE_DESCRIPTOR_RESPONSE);
	answer.file_descriptor_response = &files;
	answer_with(s, &answer);
}

static bool by_name(void *arg, const Pmu__Rpc__File *file,
		    const ProtobufCBinaryData *bytes)
{
	struct reflect_search *s = arg;

	if (strcmp(file->name, s->name) != 0)
		return false;
	send_file(s, bytes);
	return true;
}

/* Is @rest one of @rows, or something inside of one ("Service.Method")? */
static bool among(Pmu__Rpc__Named *const *rows, size_t n, const char *rest)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(rows[i]->name);

		if (!strncmp(rest, rows[i]->name, len) &&
		    (rest[len] == '\0' || rest[len] == '.'))
			return true;
	}
	return false;
}

static bool by_symbol(void *arg, const Pmu__Rpc__File *file,
		      const ProtobufCBinaryData *bytes)
{
	struct reflect_search *s = arg;
	size_t len = strlen(file->package);
	const char *rest;

	if (strncmp(s->name, file->package, len) != 0 || s->name[len] != '.')
		return false;
	rest = s->name + len + 1;
	if (!among(file->message_type, file->n_message_type, rest) &&
	    !among(file->enum_type, file->n_enum_type, rest) &&
	    !among(file->service, file->n_service, rest))
		return false;
	send_file(s, bytes);
	return true;
}

static void send_error(struct reflect_search *s, enum grpc_status code,
		       const char *text)
{
	response answer =
		GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__INIT;
	Grpc__Reflection__V1__ErrorResponse error =
		GRPC__REFLECTION__V1__ERROR_RESPONSE__INIT;

	error.error_code = code;
	error.error_message = (char *)text;
	answer.message_response_case = RESPONSE(ERROR_RESPONSE);
	answer.error_response = &error;
	answer_with(s, &answer);
}

struct service_listing {
	Grpc__Reflection__V1__ServiceResponse row[MAX_SERVICES];
	Grpc__Reflection__V1__ServiceResponse *rows[MAX_SERVICES];
	char name[MAX_SERVICES][RPC_MAX_PATH];
	size_t n;
};

/* Methods are sorted by path, so a service's stand side by side. */
static void list(const struct rpc_server *srv, struct service_listing *l)
{
	for (size_t i = 0; i < srv->n_methods && l->n < MAX_SERVICES; i++) {
		const char *path = srv->methods[i]->path + 1;
		size_t len = strcspn(path, "/");
		size_t n = l->n;

		if (strstr(path, "v1alpha") ||
		    (n && !strncmp(l->name[n - 1], path, len) &&
		     l->name[n - 1][len] == '\0'))
			continue;
		memcpy(l->name[n], path, len); /* zeroes are behind it */
		grpc__reflection__v1__service_response__init(&l->row[n]);
		l->row[n].name = l->name[n];
		l->rows[n] = &l->row[n];
		l->n++;
	}
}

static void send_list(struct reflect_search *s)
{
	response answer =
		GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__INIT;
	Grpc__Reflection__V1__ListServiceResponse services =
		GRPC__REFLECTION__V1__LIST_SERVICE_RESPONSE__INIT;
	struct service_listing *l CLEANUP(free) = calloc(1, sizeof(*l));

	if (!l) {
		send_error(s, GRPC_RESOURCE_EXHAUSTED, "out of memory");
		return;
	}
	list(rpc_call_server(s->call), l);
	services.n_service = l->n;
	services.service = l->rows;
	answer.message_response_case = RESPONSE(LIST_SERVICES_RESPONSE);
	answer.list_services_response = &services;
	answer_with(s, &answer);
}

static void info(struct rpc_call *call, const ProtobufCMessage *msg)
{
	struct reflect_search s = { call, (const request *)msg, NULL };
	struct rpc_server *srv = rpc_call_server(call);
	bool found = false;

	switch (s.req->message_request_case) {
	case REQUEST(LIST_SERVICES):
		send_list(&s);
		return;
	case REQUEST(FILE_BY_FILENAME):
		s.name = s.req->file_by_filename;
		found = any_file(srv, by_name, &s);
		break;
	case REQUEST(FILE_CONTAINING_SYMBOL):
		s.name = s.req->file_containing_symbol;
		found = any_file(srv, by_symbol, &s);
		break;
	case REQUEST(FILE_CONTAINING_EXTENSION):
	case REQUEST(ALL_EXTENSION_NUMBERS_OF_TYPE):
		break; /* there are no extensions */
	case REQUEST(_NOT_SET):
	case _GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST__CASE_IS_INT_SIZE:
		send_error(&s, GRPC_INVALID_ARGUMENT, "nothing was asked");
		return;
	}
	if (!found)
		send_error(&s, GRPC_NOT_FOUND, "there is no such descriptor");
}

static void end(struct rpc_call *call)
{
	rpc_finish(call, GRPC_OK, NULL);
}

#define METHOD(version)                                                                \
	{                                                                              \
		.path = "/grpc.reflection." version                                    \
			".ServerReflection/ServerReflectionInfo",                      \
		.request =                                                             \
			&grpc__reflection__v1__server_reflection_request__descriptor,  \
		.response =                                                            \
			&grpc__reflection__v1__server_reflection_response__descriptor, \
		.kind = RPC_BIDI, .anonymous = true, .handle = info,                   \
		.end = end,                                                            \
	}

static const struct rpc_method methods[] = {
	METHOD("v1"),
	METHOD("v1alpha"),
};

const struct rpc_table rpc_reflect_table = {
	methods,
	sizeof(methods) / sizeof(*methods),
};
