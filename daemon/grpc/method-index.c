/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The methods of a server, found by their path: its own first, then those of
 * the tables that it is given. Decides which rows are good.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "wire/unpack.h"

static bool method_ok(const struct rpc_method *m)
{
	bool streams_in = m->kind == RPC_CLIENT_STREAM || m->kind == RPC_BIDI;

	return m->path && m->path[0] == '/' && strlen(m->path) < RPC_MAX_PATH &&
	       m->request && m->response && m->handle &&
	       (!streams_in || m->end) && wire_depth_ok(m->request);
}

static int by_path(const void *a, const void *b)
{
	const struct rpc_method *const *x = a, *const *y = b;

	return strcmp((*x)->path, (*y)->path);
}

static int add(struct rpc_server *srv, const struct rpc_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		if (!method_ok(&table->methods[i]))
			return -EINVAL;
		srv->methods[srv->n_methods++] = &table->methods[i];
	}
	return 0;
}

static int sort(struct rpc_server *srv)
{
	qsort(srv->methods, srv->n_methods, sizeof(*srv->methods), by_path);
	for (size_t i = 1; i < srv->n_methods; i++)
		if (!by_path(&srv->methods[i - 1], &srv->methods[i]))
			return -EINVAL;
	return 0;
}

int rpc_methods_index(struct rpc_server *srv,
		      const struct rpc_table *const *own)
{
	const struct rpc_config *cfg = &srv->cfg;
	size_t n = 1;
	int rc = 0;

	for (size_t i = 0; own[i]; i++)
		n += own[i]->count;
	for (size_t i = 0; i < cfg->n_tables; i++)
		n += cfg->tables[i].count;
	srv->methods = calloc(n, sizeof(*srv->methods));
	if (!srv->methods)
		return -ENOMEM;
	for (size_t i = 0; !rc && own[i]; i++)
		rc = add(srv, own[i]);
	for (size_t i = 0; !rc && i < cfg->n_tables; i++)
		rc = add(srv, &cfg->tables[i]);
	return rc ? rc : sort(srv);
}

static int path_against(const void *key, const void *item)
{
	const struct rpc_method *const *m = item;

	return strcmp(key, (*m)->path);
}

const struct rpc_method *rpc_methods_find(const struct rpc_server *srv,
					  const char *path)
{
	const struct rpc_method **m;

	m = bsearch(path, srv->methods, srv->n_methods, sizeof(*srv->methods),
		    path_against);
	return m ? *m : NULL;
}
