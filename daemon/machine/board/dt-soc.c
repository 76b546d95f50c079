/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The device tree's bus: a node for each device of the board.
 */
#include "board.h"
#include "dev-plic.h"
#include "dt-write.h"

/* A context that no mode of a hart stands behind. */
#define NO_INTERRUPT UINT32_MAX

static void interrupts(struct dt_writer *w, uint32_t source)
{
	if (w->cfg->board != BOARD_VIRT)
		return;
	dt_cell(w, "interrupts", source);
	dt_cell(w, "interrupt-parent", DT_PHANDLE_PLIC);
}

static void serial(struct dt_writer *w, uint64_t base, uint32_t source)
{
	dt_begin_at(w, "serial", base);
	dt_string(w, "compatible", "ns16550a");
	dt_reg(w, base, BOARD_UART_SIZE);
	dt_cell(w, "clock-frequency", BOARD_UART_CLOCK);
	interrupts(w, source);
	dt_end(w);
}

static void rtc(struct dt_writer *w)
{
	dt_begin_at(w, "rtc", BOARD_RTC_BASE);
	dt_string(w, "compatible", "google,goldfish-rtc");
	dt_reg(w, BOARD_RTC_BASE, BOARD_RTC_SIZE);
	interrupts(w, BOARD_SOURCE_RTC);
	dt_end(w);
}

/* Two contexts for each hart: what M-mode sees, the guest's copy is fixed up.
 */
static void plic(struct dt_writer *w)
{
	static const char compatible[] = "sifive,plic-1.0.0\0riscv,plic0";
	struct dt_list lines = { .n = 0 };

	for (unsigned i = 0; i < w->cfg->n_harts; i++) {
		dt_add_line(&lines, i, PMU_IRQ_MEI);
		dt_add_line(&lines, i, PMU_IRQ_SEI);
		if (!(w->cfg->harts[i]->ext & PMU_EXT_S))
			lines.v[lines.n - 1] = NO_INTERRUPT;
	}
	dt_begin_at(w, "plic", BOARD_PLIC_BASE);
	dt_bytes(w, "compatible", compatible, sizeof(compatible));
	dt_reg(w, BOARD_PLIC_BASE, BOARD_PLIC_SIZE);
	dt_cell(w, "#address-cells", 0);
	dt_cell(w, "#interrupt-cells", 1);
	dt_flag(w, "interrupt-controller");
	dt_cells(w, "interrupts-extended", &lines);
	dt_cell(w, "riscv,ndev", PLIC_SOURCES);
	dt_cell(w, "phandle", DT_PHANDLE_PLIC);
	dt_end(w);
}

static void clint(struct dt_writer *w)
{
	static const char compatible[] = "sifive,clint0\0riscv,clint0";
	struct dt_list lines = { .n = 0 };

	for (unsigned i = 0; i < w->cfg->n_harts; i++) {
		dt_add_line(&lines, i, PMU_IRQ_MSI);
		dt_add_line(&lines, i, PMU_IRQ_MTI);
	}
	dt_begin_at(w, "clint", BOARD_CLINT_BASE);
	dt_bytes(w, "compatible", compatible, sizeof(compatible));
	dt_reg(w, BOARD_CLINT_BASE, BOARD_CLINT_SIZE);
	dt_cells(w, "interrupts-extended", &lines);
	dt_end(w);
}

static void finisher(struct dt_writer *w)
{
	static const char compatible[] = "sifive,test1\0sifive,test0\0syscon";

	dt_begin_at(w, "test", BOARD_FINISHER_BASE);
	dt_bytes(w, "compatible", compatible, sizeof(compatible));
	dt_reg(w, BOARD_FINISHER_BASE, BOARD_FINISHER_SIZE);
	dt_cell(w, "phandle", DT_PHANDLE_FINISHER);
	dt_end(w);
}

void dt_soc(struct dt_writer *w)
{
	dt_begin(w, "soc");
	dt_string(w, "compatible", "simple-bus");
	dt_address_cells(w, 2, 2);
	dt_flag(w, "ranges");
	finisher(w);
	if (w->cfg->clint)
		clint(w);
	if (w->cfg->board == BOARD_VIRT) {
		rtc(w);
		plic(w);
	}
	serial(w, BOARD_UART_BASE, BOARD_SOURCE_UART);
	if (w->cfg->serial)
		serial(w, BOARD_SERIAL_BASE, BOARD_SOURCE_SERIAL);
	dt_end(w);
}
