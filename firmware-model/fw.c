/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making a firmware: what a configuration may be, and where the mapping of
 * events comes from.
 */
#include <fw/fw.h>

#include <stdlib.h>
#include <string.h>

#include "counters/fw-counters.h"
#include "sbi/sbi-call.h"
#include "sse/sse-event.h"
#include "text.h"

static bool ops_complete(const struct fw_host_ops *o)
{
	return o && o->mem_read && o->mem_write && o->mem_is_ram &&
	       o->console_write && o->console_read && o->fence && o->ipi_sent &&
	       o->hart_start && o->hart_stop && o->hart_suspend &&
	       o->timer_changed && o->reset && o->snapshot_mistake;
}

static uint32_t hartid(const struct fw_machine *m, unsigned i)
{
	return pmu_hart_config(m->harts[i])->hartid;
}

static bool hart_valid(const struct fw_machine *m, unsigned i,
		       struct text *error)
{
	const char *why = NULL;

	if (!(pmu_hart_config(m->harts[i])->ext & PMU_EXT_S))
		why = " has no S-mode to hand over to";
	for (unsigned k = 0; k < i; k++)
		if (hartid(m, k) == hartid(m, i))
			why = " has the hartid of an earlier hart";
	if (!why)
		return true;
	text_str(error, "hart ");
	text_dec(error, i);
	text_str(error, why);
	return false;
}

static bool out_of_range(struct text *error, const char *before, unsigned limit,
			 const char *after)
{
	text_str(error, before);
	text_dec(error, limit);
	text_str(error, after);
	return false;
}

static bool config_valid(const struct fw_config *cfg,
			 const struct fw_machine *m, struct text *error)
{
	const char *why = NULL;

	if (cfg->fw_counters > FW_MAX_COUNTERS)
		return out_of_range(error, "more than ", FW_MAX_COUNTERS,
				    " firmware counters");
	if (!cfg->spec_version || cfg->spec_version >> 31)
		why = "not an SBI version";
	else if (!m->n_harts || m->n_harts > PMU_MAX_HARTS)
		return out_of_range(error, "not 1 to ", PMU_MAX_HARTS,
				    " harts");
	else if (!m->timebase)
		why = "no time base";
	else if (!ops_complete(m->ops))
		why = "a function of the machine is missing";
	if (why) {
		text_str(error, why);
		return false;
	}
	for (unsigned i = 0; i < m->n_harts; i++)
		if (!hart_valid(m, i, error))
			return false;
	return true;
}

/* What the tree's faults are written to. */
struct log {
	const struct fw_config *cfg;
	struct text *error, warnings;
};

static void write_fault(struct text *t, const struct fw_dt_fault *f)
{
	text_str(t, f->path);
	text_str(t, ": ");
	if (f->property) {
		text_str(t, f->property);
		if (f->row) {
			text_str(t, " row ");
			text_dec(t, f->row);
		}
		text_str(t, ": ");
	}
	text_str(t, f->text);
	text_str(t, " (");
	text_str(t, f->rule);
	text_str(t, ")");
}

/* The first error is the reason why there is no firmware, the rest is odd. */
static void log_fault(void *arg, const struct fw_dt_fault *f)
{
	struct log *log = arg;

	if (f->level == FW_DT_NOTE)
		return;
	if (f->level == FW_DT_ERROR && !log->cfg->quirks.dt_lenient) {
		if (!log->error->len)
			write_fault(log->error, f);
		return;
	}
	write_fault(&log->warnings, f);
	if (f->level == FW_DT_ERROR) {
		text_str(&log->warnings, "; as the reference, this ");
		text_str(&log->warnings, f->reference);
	}
	text_str(&log->warnings, "\n");
}

/* Reads the tree that says who maps events, if there is one. */
static int find_source(struct fw *fw, struct text *error)
{
	struct fw_dt *dt = NULL;
	struct log log = { .cfg = &fw->cfg, .error = error };
	struct fw_dt_source src = { .dtb = fw->cfg.dtb,
				    .size = fw->cfg.dtb_size,
				    .quirks = fw->cfg.quirks,
				    .fault = log_fault,
				    .arg = &log };
	int err = 0;

	text_init(&log.warnings, fw->warnings, sizeof(fw->warnings));
	if (src.dtb)
		err = fw_dt_new(&dt, &src);
	if (err == -FW_EDT && !error->len)
		text_str(error, "not a valid flattened device tree");
	if (err == -FW_ENOMEM)
		text_str(error, "out of memory");
	counters_set_source(fw, dt);
	return err;
}

/* What each folder remembers of the machine. */
static int make_parts(struct fw *fw, struct text *error)
{
	int err = sbi_harts_new(fw);

	if (!err)
		err = counters_new(fw);
	if (!err)
		err = sse_new(fw);
	if (err)
		text_str(error, "out of memory");
	return err;
}

static int make(struct fw **ret, const struct fw_config *cfg,
		const struct fw_machine *m, struct text *error)
{
	struct fw *fw;
	int err;

	if (!config_valid(cfg, m, error))
		return -FW_EINVAL;
	fw = calloc(1, sizeof(*fw) + m->n_harts * sizeof(fw->hart[0]));
	if (!fw) {
		text_str(error, "out of memory");
		return -FW_ENOMEM;
	}
	fw->cfg = *cfg;
	fw->machine = *m;
	fw->n_harts = m->n_harts;
	fw->why = &fw->refusal;
	for (unsigned i = 0; i < fw->n_harts; i++)
		fw->hart[i].pmu = m->harts[i];
	err = make_parts(fw, error);
	if (!err)
		err = find_source(fw, error);
	if (err) {
		fw_free(fw);
		return err;
	}
	/* Neither is needed any more, nor need they live on. */
	fw->cfg.dtb = NULL;
	fw->machine.harts = NULL;
	*ret = fw;
	return 0;
}

int fw_new(struct fw **ret, const struct fw_config *cfg,
	   const struct fw_machine *machine, char **ret_error)
{
	char buf[512];
	struct text error;
	int err;

	text_init(&error, buf, sizeof(buf));
	err = make(ret, cfg, machine, &error);
	if (err && ret_error)
		*ret_error = text_dup(&error);
	return err;
}

void fw_free(struct fw *fw)
{
	if (!fw)
		return;
	counters_free(fw);
	sbi_harts_free(fw);
	sse_free(fw);
	free(fw);
}

const char *fw_dt_warnings(const struct fw *fw)
{
	return fw->warnings;
}
