/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of methods that pmud serves, one for each file of handlers. */
#ifndef SERVER_RPC_SERVICES_H
#define SERVER_RPC_SERVICES_H

#include "machines.h"

extern const struct rpc_table machines_table; /* rpc-machines.c */
extern const struct rpc_table upload_table;   /* rpc-upload.c */
extern const struct rpc_table streams_table;  /* rpc-streams.c */
extern const struct rpc_table events_table;   /* rpc-events.c */
extern const struct rpc_table system_table;   /* rpc-system.c */

#endif
