/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For test-debug-file.c: a program whose unit has its names in an alternate
 * file, as dwz makes them, or with ALTERNATE that file. All three links of it
 * are checked by libdw: name, build ID, and that there is debug information.
 */
	.text
	.globl start
start:
#ifdef ALTERNATE
	nop
	.section .debug_info
	.4byte 2f - 1f
1:	.2byte 4		/* the version */
	.4byte 0
	.byte 8			/* bytes of an address */
	.uleb128 0
2:
	.section .debug_abbrev
	.uleb128 0
	.section .debug_str
	.asciz "x"
	.asciz "alternate.c"	/* 2 */
	.asciz "/in/alternate"	/* 14 */
#else
	.file 1 "part.c"
	.loc 1 7 0
	nop
	.loc 1 8 0
	nop
end:
	.section .debug_line
lines:
	.section .debug_abbrev
abbreviations:
	.uleb128 1
	.uleb128 0x11		/* DW_TAG_compile_unit */
	.byte 0			/* without children */
	.uleb128 0x03		/* DW_AT_name */
	.uleb128 0x1f21		/* DW_FORM_GNU_strp_alt */
	.uleb128 0x1b		/* DW_AT_comp_dir */
	.uleb128 0x1f21
	.uleb128 0x10		/* DW_AT_stmt_list */
	.uleb128 0x17		/* DW_FORM_sec_offset */
	.uleb128 0x11		/* DW_AT_low_pc */
	.uleb128 0x01		/* DW_FORM_addr */
	.uleb128 0x12		/* DW_AT_high_pc */
	.uleb128 0x07		/* DW_FORM_data8 */
	.uleb128 0
	.uleb128 0
	.uleb128 0
	.section .debug_aranges
	.4byte 2f - 1f
1:	.2byte 2
	.4byte unit
	.byte 8, 0, 0, 0, 0, 0
	.8byte start, 8, 0, 0
2:
	.section .debug_info
unit:
	.4byte 2f - 1f
1:	.2byte 4
	.4byte abbreviations
	.byte 8
	.uleb128 1
	.4byte 2
	.4byte 14
	.4byte lines
	.8byte start
	.8byte 8
2:
	.section .gnu_debugaltlink
	.asciz "alternate.debug"
	.4byte 0xcdab3412	/* of its build ID */
#endif
