/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows of methods.h, as pmud serves them, against the protocol's
 * descriptors: the generated C drops which methods stream, so a script reads
 * it (method-facts.py), and this test shows that it reads rightly. Run as
 * reflection serves them.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "server/rpc-services.h"
#include "rpc-test.pb-c.h"

extern const unsigned char descriptors_pb[];
extern const size_t descriptors_pb_len;

static Test__FileSet *set;

static void setup(void)
{
	set = test__file_set__unpack(NULL, descriptors_pb_len, descriptors_pb);
	ck_assert_ptr_nonnull(set);
}

static void teardown(void)
{
	test__file_set__free_unpacked(set, NULL);
}

static const struct rpc_method *find(const char *path)
{
	const struct rpc_method *found = NULL;

	for (size_t i = 0; i < services_table.count; i++)
		if (!strcmp(services_table.methods[i].path, path)) {
			ck_assert_msg(!found, "%s is there twice", path);
			found = &services_table.methods[i];
		}
	return found;
}

static enum rpc_kind kind_of(const Test__Method *m)
{
	if (m->client_streaming)
		return m->server_streaming ? RPC_BIDI : RPC_CLIENT_STREAM;
	return m->server_streaming ? RPC_SERVER_STREAM : RPC_UNARY;
}

static void check_method(const char *service, const Test__Method *m)
{
	const struct rpc_method *row;
	char path[RPC_MAX_PATH];

	snprintf(path, sizeof(path), "/pmu.v1.%s/%s", service, m->name);
	row = find(path);
	ck_assert_msg(row, "%s is not served", path);
	ck_assert_msg(row->kind == kind_of(m), "%s streams otherwise", path);
	ck_assert_str_eq(m->input_type + 1, row->request->name);
	ck_assert_str_eq(m->output_type + 1, row->response->name);
	/* without identity no machine can belong to the caller */
	ck_assert_msg(!row->anonymous || !strcmp(service, "EventService") ||
			      !strcmp(service, "SystemService") ||
			      !strcmp(m->name, "ListSettings"),
		      "%s is for anybody", path);
}

TEST(every_method_is_served_as_the_protocol_says)
{
	size_t described = 0;

	for (size_t i = 0; i < set->n_file; i++)
		for (size_t j = 0; j < set->file[i]->n_service; j++) {
			const Test__Service *s = set->file[i]->service[j];

			for (size_t k = 0; k < s->n_method; k++, described++)
				check_method(s->name, s->method[k]);
		}
	ck_assert_uint_eq(services_table.count, described);
	ck_assert_uint_gt(described, 30);
}

/* Whoever asks reflection for a file's imports finds them. */
TEST(the_descriptors_have_their_imports)
{
	for (size_t i = 0; i < set->n_file; i++)
		for (size_t j = 0; j < set->file[i]->n_dependency; j++) {
			const char *want = set->file[i]->dependency[j];
			size_t k = 0;

			while (k < set->n_file &&
			       strcmp(set->file[k]->name, want))
				k++;
			ck_assert_msg(k < set->n_file, "%s", want);
		}
}

TEST(the_tables_make_a_server)
{
	struct rpc_config cfg = { .loop = ev_loop_new(0),
				  .tables = &services_table,
				  .n_tables = 1 };
	struct rpc_server *srv;

	/* this refuses requests that nest without bound, too */
	ck_assert_int_eq(rpc_server_new(&srv, &cfg), 0);
	rpc_server_free(srv);
	ev_loop_destroy(cfg.loop);
}

SUITE("rpc-tables", .setup = setup, .teardown = teardown);
