/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of the SBI, as they are shown and typed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <fw/sbi-name.h>

#include "names.h"

const char *name_sbi_call(uint64_t eid, uint64_t fid, char *buf)
{
	const char *extension = sbi_extension_name(eid);
	const char *name = sbi_call_name(eid, fid);

	if (name)
		snprintf(buf, NAME_MAX_LEN, "%s", name);
	else if (extension)
		snprintf(buf, NAME_MAX_LEN, "%s.%" PRIu64, extension, fid);
	else
		snprintf(buf, NAME_MAX_LEN, "0x%" PRIx64 ".%" PRIu64, eid, fid);
	return buf;
}

int name_sbi_params(uint64_t eid, uint64_t fid,
		    struct name_sbi_param ret[NAME_SBI_PARAMS])
{
	const struct sbi_name *call = sbi_name_find(eid, fid);
	int n = 0;

	if (!call)
		return -1;
	for (const char *at = call->params; *at; n++) {
		size_t len = strcspn(at, " ");
		size_t name = strcspn(at, " :");

		ret[n].name = at;
		ret[n].len = (int)name;
		ret[n].wide = name != len;
		at += at[len] ? len + 1 : len;
	}
	return n;
}

bool name_find_sbi_call(const char *name, uint64_t *ret_eid, uint64_t *ret_fid)
{
	const struct sbi_name *call;

	for (size_t i = 0; (call = sbi_name_at(i)); i++) {
		if (strcasecmp(call->name, name) != 0)
			continue;
		*ret_eid = call->eid;
		*ret_fid = call->fid;
		return true;
	}
	return false;
}
