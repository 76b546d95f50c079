/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stranger's program: fills a message of the protocol and looks for a daemon
 * where there is none. It decides only whether libpmuclient can be used as
 * installed; what a call answers is the end-to-end tests' affair.
 */
#include <stdio.h>

#include <pmu/v1/machines.pb-c.h>
#include <pmuclient/pmuclient.h>

int main(void)
{
	Pmu__V1__GetMachineRequest request = PMU__V1__GET_MACHINE_REQUEST__INIT;
	struct pmuclient *client;
	int err;

	request.machine = "m";
	if (protobuf_c_message_get_packed_size(&request.base) != 3)
		return 1;
	err = pmuclient_connect(&client, "unix:///nowhere/pmud.sock");
	if (err == -PMUCLIENT_ECONNECT)
		printf("%s\n", pmuclient_error(client));
	pmuclient_free(client);
	return err != -PMUCLIENT_ECONNECT;
}
