/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine that client-server.c serves beside its own methods. */
#ifndef TESTS_CLIENT_MACHINE_H
#define TESTS_CLIENT_MACHINE_H

#include "grpc/rpc.h"

extern const struct rpc_table client_machine_table;

#endif
