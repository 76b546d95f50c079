/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies where, as on QEMU's `virt`, and who interrupts as which source. */
#ifndef BOARD_BOARD_MAP_H
#define BOARD_BOARD_MAP_H

#define BOARD_FINISHER_BASE 0x00100000ull
#define BOARD_FINISHER_SIZE 0x1000ull
#define BOARD_RTC_BASE	    0x00101000ull
#define BOARD_RTC_SIZE	    0x1000ull
#define BOARD_CLINT_BASE    0x02000000ull
#define BOARD_CLINT_SIZE    0x10000ull
#define BOARD_PLIC_BASE	    0x0c000000ull
#define BOARD_PLIC_SIZE	    0x600000ull
#define BOARD_UART_BASE	    0x10000000ull
#define BOARD_UART_SIZE	    0x100ull
#define BOARD_SERIAL_BASE   0x10001000ull /* the second UART */
#define BOARD_UART_CLOCK    3686400u	  /* Hz, what the device tree says */
#define BOARD_RAM_BASE	    0x80000000ull
#define BOARD_RAM_MIN	    0x1000ull
#define BOARD_RAM_MAX_32    0x80000000ull /* up to 4 GiB */
#define BOARD_RAM_MAX_64    (64ull << 30)
#define BOARD_S_ENTRY	    0x80200000ull /* flat image, S-mode start */
#define BOARD_M_ENTRY	    0x80000000ull /* flat image, M-mode start */

/* Sources of the interrupt controller. */
enum {
	BOARD_SOURCE_UART = 10,
	BOARD_SOURCE_RTC = 11,
	BOARD_SOURCE_SERIAL = 12
};

#endif
