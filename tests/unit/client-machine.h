/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine that client-server.c serves beside its own methods. */
#ifndef TESTS_CLIENT_MACHINE_H
#define TESTS_CLIENT_MACHINE_H

#include "grpc/rpc.h"
#include "pmu/v1/common.pb-c.h"

/* What is told of it; its strings are constants. */
Pmu__V1__MachineInfo client_machine_info(void);

extern const struct rpc_table client_machine_table;

#endif
