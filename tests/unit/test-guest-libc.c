/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guests' own printf and memory functions, beside the host's: the same
 * source, under other names.
 */
#include "unit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static char said[256];
static size_t n_said;

static void guest_put(char c)
{
	ck_assert_uint_lt(n_said, sizeof(said) - 1);
	said[n_said++] = c;
	said[n_said] = '\0';
}

#define printf	guest_printf
#define puts	guest_puts
#define memcpy	guest_memcpy
#define memmove guest_memmove
#define memset	guest_memset
#define memcmp	guest_memcmp
#define strlen	guest_strlen
#define strtoul guest_strtoul
int guest_printf(const char *format, ...)
	__attribute__((format(__printf__, 1, 2)));
int guest_puts(const char *text);
void *guest_memcpy(void *to, const void *from, size_t size);
void *guest_memmove(void *to, const void *from, size_t size);
void *guest_memset(void *to, int byte, size_t size);
int guest_memcmp(const void *a, const void *b, size_t size);
size_t guest_strlen(const char *text);
unsigned long guest_strtoul(const char *text, char **ret_end, int base);
#include "../../guests/common/libc.c"
#undef printf
#undef puts
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen
#undef strtoul

/* The host says what is right. */
#define SAME(...)                                                              \
	do {                                                                   \
		char want[256];                                                \
		int n = snprintf(want, sizeof(want), __VA_ARGS__);             \
                                                                               \
		said[n_said = 0] = '\0';                                       \
		ck_assert_int_eq(guest_printf(__VA_ARGS__), n);                \
		ck_assert_str_eq(said, want);                                  \
	} while (0)

TEST(text_is_printed_as_the_host_does)
{
	SAME("plain");
	SAME("%%");
	SAME("%c%c", 'a', 'b');
	SAME("[%s]", "text");
	SAME("[%s]", "");
	SAME("[%6s]", "text");
	SAME("[%-6s]", "text");
	SAME("[%2s]", "text");
	SAME("%s %s\n", "two", "words");
}

TEST(numbers_are_printed_as_the_host_does)
{
	SAME("%d %d %d", 0, 1, -1);
	SAME("%i", INT32_MIN);
	SAME("%ld", INT64_MIN);
	SAME("%lld", (long long)INT64_MAX);
	SAME("%u %u", 0u, UINT32_MAX);
	SAME("%lu", UINT64_MAX);
	SAME("%llu", (unsigned long long)UINT64_MAX);
	SAME("%zu", sizeof(said));
	SAME("%x %x", 0u, 0xdeadbeefu);
	SAME("%lx", UINT64_MAX);
	SAME("%#lx %#x", 0x80200000ul, 0u);
	SAME("%p", (void *)said);
}

TEST(widths_are_as_the_host_s)
{
	SAME("[%8x]", 0xabcu);
	SAME("[%08x]", 0xabcu);
	SAME("[%08lx]", 0xabcdul);
	SAME("[%#10x]", 0xabcu);
	SAME("[%#010x]", 0xabcu);
	SAME("[%-8d]", -12);
	SAME("[%8d]", -12);
	SAME("[%08d]", -12);
	SAME("[%2d]", -1234);
}

TEST(a_line_ends_with_its_newline)
{
	said[n_said = 0] = '\0';
	ck_assert_int_eq(guest_puts("done"), 5);
	ck_assert_str_eq(said, "done\n");
}

TEST(memory_is_moved_and_compared_as_the_host_does)
{
	char a[16] = "0123456789abcde", b[16] = "0123456789abcde";

	ck_assert_ptr_eq(guest_memmove(a + 2, a, 8), a + 2);
	memmove(b + 2, b, 8);
	ck_assert_mem_eq(a, b, sizeof(a));
	guest_memmove(a, a + 3, 8);
	memmove(b, b + 3, 8);
	ck_assert_mem_eq(a, b, sizeof(a));
	ck_assert_ptr_eq(guest_memcpy(a, "xyz", 3), a);
	ck_assert_int_eq(memcmp(a, "xyz", 3), 0);
	ck_assert_ptr_eq(guest_memset(a, 0xff, 4), a);
	ck_assert_uint_eq((unsigned char)a[3], 0xff);
	ck_assert_int_lt(guest_memcmp("ab", "ac", 2), 0);
	ck_assert_int_gt(guest_memcmp("\xff", "a", 1), 0);
	ck_assert_int_eq(guest_memcmp("ab", "ac", 1), 0);
	ck_assert_uint_eq(guest_strlen("four"), 4);
}

TEST(a_number_ends_where_its_digits_end)
{
	const char *list = "120,7";
	char *end;

	ck_assert_uint_eq(guest_strtoul(list, &end, 10), 120);
	ck_assert_ptr_eq(end, list + 3);
	ck_assert_uint_eq(guest_strtoul(end + 1, NULL, 10), 7);
	ck_assert_uint_eq(guest_strtoul("x", &end, 10), 0);
}

SUITE("guest-libc", .test_case = "libc");
