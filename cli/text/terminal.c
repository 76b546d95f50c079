/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Raw mode and the way out of it. Signals that end pmuctl restore the terminal
 * first; a stop (SIGTSTP from outside) restores it until SIGCONT.
 */
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum {
	CTRL_A = 1
};

static struct {
	volatile sig_atomic_t raw;
	int fd;
	struct termios cooked, wanted;
	struct sigaction before[NSIG]; /* of the signals taken */
} terminal = { .fd = -1 };

void terminal_restore(void)
{
	int saved = errno;

	if (terminal.raw) {
		terminal.raw = 0;
		tcsetattr(terminal.fd, TCSANOW, &terminal.cooked);
	}
	errno = saved;
}

/* Does what the signal would have done, with the terminal restored. */
static void on_signal(int number)
{
	struct sigaction old;
	sigset_t mask;

	terminal_restore();
	sigaction(number, &terminal.before[number], &old);
	sigemptyset(&mask);
	sigaddset(&mask, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	/* only after a stop */
	sigaction(number, &old, NULL);
}

static void on_continue(int number)
{
	int saved = errno;

	if (terminal.fd >= 0 && !terminal.raw &&
	    tcsetattr(terminal.fd, TCSANOW, &terminal.wanted) == 0)
		terminal.raw = 1;
	errno = saved;
}

/* Those that the command itself does not wait for. */
static void catch_signals(void)
{
	static const int fatal[] = { SIGQUIT, SIGSEGV, SIGBUS,	SIGFPE,
				     SIGILL,  SIGABRT, SIGPIPE, SIGTSTP };
	struct sigaction act = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		sigaction(fatal[i], &act, &terminal.before[fatal[i]]);
	act.sa_handler = on_continue;
	act.sa_flags = SA_RESTART;
	sigaction(SIGCONT, &act, NULL);
}

void terminal_raw(int fd)
{
	if (!isatty(fd) || tcgetattr(fd, &terminal.cooked) < 0)
		return;
	terminal.wanted = terminal.cooked;
	cfmakeraw(&terminal.wanted);
	/* the guest's newlines shall still return the carriage */
	terminal.wanted.c_oflag = terminal.cooked.c_oflag;
	terminal.fd = fd;
	catch_signals();
	atexit(terminal_restore);
	if (tcsetattr(fd, TCSADRAIN, &terminal.wanted) == 0)
		terminal.raw = 1;
}

bool terminal_filter(struct terminal_keys *k, const uint8_t *in, size_t n,
		     struct terminal_input *ret)
{
	ret->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!k->prefix && in[i] == CTRL_A) {
			k->prefix = true;
			continue;
		}
		if (k->prefix && (in[i] | 0x20) == 'x')
			return true;
		if (k->prefix && in[i] != CTRL_A)
			ret->bytes[ret->n++] = CTRL_A;
		k->prefix = false;
		ret->bytes[ret->n++] = in[i];
	}
	return false;
}
