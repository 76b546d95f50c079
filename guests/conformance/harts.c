/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several harts: HSM, events that go from one hart to another, and that each
 * has its own counters (conformance C5, C92 to C94, C197). The other hart does
 * steps by mail.
 */
#include "conf.h"

enum {
	HSM = 0x48534d,
	FENCE_I = 0,
	SFENCE = 1,
	SFENCE_ASID = 2,
	AWAITED = 2000, /* naps */
	WHILE = 20,	/* naps */
	LATE = 50000,	/* ticks of time: some naps */
	SEND_IPI = 4,	/* legacy EIDs */
	FENCE_I_BY = 5,
	SFENCE_BY = 6,
	SSI = 2,
};

void _start(void);

static struct answer begin(const uint64_t *a)
{
	const uint64_t args[] = { mach.other, (uintptr_t)_start, 0x123 };

	(void)a;
	mail_to(mach.other, NULL);
	return hart_start(args);
}

/* Waits until the other hart has HSM state a[0]; its state. */
static struct answer await(const uint64_t *a)
{
	const uint64_t hart = mach.other;
	struct answer got = hart_status(&hart);

	for (unsigned i = 0; got.value != a[0] && i < AWAITED; i++) {
		nap();
		got = hart_status(&hart);
	}
	return got;
}

/* Never returns; done on the other hart without waiting for it. */
static struct answer stop_itself(const uint64_t *a)
{
	(void)a;
	sbi_call(SBI_HSM, 1, 0, 0, 0, 0, 0, 0);
	return (struct answer){ -1, 0 };
}

static struct answer end(const uint64_t *a)
{
	(void)a;
	mail_to(mach.other, stop_itself);
	return (struct answer){ 0, 0 };
}

/* A suspension with these interrupts enabled, which its end takes back. */
static struct answer suspend(unsigned long type, unsigned long enabled)
{
	struct sbi_ret r;

	csr_write(sie, enabled);
	r = sbi_call(SBI_HSM, 3, type, (unsigned long)_start, 0, 0, 0, 0);
	csr_write(sie, 0);
	return (struct answer){ r.error, r.value };
}

/* The ways to sleep: as it is, or to begin again at _start ... */
static struct answer doze(const uint64_t *a)
{
	(void)a;
	return suspend(0, SSI);
}

/* A type, a[0], that is refused. */
static struct answer suspend_by(const uint64_t *a)
{
	return suspend((unsigned long)a[0], SSI);
}

static struct answer suspend_for_good(const uint64_t *a)
{
	(void)a;
	return suspend(0x80000000u, SSI);
}

/* ... and with nothing enabled, which is no matter of the firmware's IPIs. */
static struct answer doze_deaf(const uint64_t *a)
{
	(void)a;
	return suspend(0, 0);
}

static struct answer deaf_for_good(const uint64_t *a)
{
	(void)a;
	return suspend(0x80000000u, 0);
}

static struct answer doze_till_late(const uint64_t *a)
{
	const uint64_t t = time_now() + LATE;

	(void)a;
	set_timer(&t);
	return suspend(0, 0);
}

enum {
	AS_IT_IS,
	ANEW,
	DEAF,
	DEAF_ANEW,
	TILL_LATE
};

/* The other hart goes to sleep. */
static struct answer lie_down(const uint64_t *a)
{
	static op_fn *const ways[] = { doze, suspend_for_good, doze_deaf,
				       deaf_for_good, doze_till_late };

	mail_to(mach.other, ways[a[0]]);
	return (struct answer){ 0, 0 };
}

/* As await, and its state a while later. */
static struct answer stays(const uint64_t *a)
{
	const uint64_t hart = mach.other;

	await(a);
	for (unsigned i = 0; i < WHILE; i++)
		nap();
	return hart_status(&hart);
}

static struct answer soft_pending(const uint64_t *a)
{
	unsigned long sip = csr_read(sip);

	(void)a;
	csr_clear(sip, 2);
	return (struct answer){ 0, sip >> 1 & 1 };
}

static struct answer mail_clear(const uint64_t *a)
{
	(void)a;
	mail_to(mach.other, NULL);
	return (struct answer){ 0, 0 };
}

THERE(config)
THERE(start)
THERE(stop)
THERE(fw_read)
THERE(soft_pending)
THERE(num_counters)

static const struct step states[] = {
	CLAIM("a hart that nobody started is stopped", RULE("C197"),
	      BOTH(VAL(1)), hart_status, OTHER),
	CLAIM("a hart that is not there", RULE("C197"), BOTH(ERR(PARAM)),
	      hart_status, 4000),
	CLAIM("to start a hart that is not there", RULE("C197"),
	      BOTH(ERR(PARAM)), hart_start, 4000, 0x80200000, 0),
	CLAIM("to start a hart that runs", RULE("C197"), BOTH(ERR(AVAILABLE)),
	      hart_start, SELF, 0x80200000, 0),
	CLAIM("a reserved type of suspension", RULE("HSM-08"), BOTH(ERR(PARAM)),
	      suspend_by, 1),
	CLAIM("the last reserved one", RULE("HSM-08"), BOTH(ERR(PARAM)),
	      suspend_by, 0x0fffffff),
	CLAIM("the last reserved one that is not retentive", RULE("HSM-08"),
	      BOTH(ERR(PARAM)), suspend_by, 0x8fffffff),
	CLAIM("a platform's type of suspension", RULE("HSM-08"),
	      DIFF(ERR(PARAM), ERR(UNSUPPORTED)), suspend_by, 0x10000000),
	CLAIM("a platform's type that is not retentive", RULE("HSM-08"),
	      DIFF(ERR(PARAM), ERR(UNSUPPORTED)), suspend_by, 0x90000000),
	CLAIM("to start the other hart", RULE("C197"), BOTH(OK), begin),
	CLAIM("it is started then", RULE("C197"), BOTH(VAL(0)), await, 0),
	CLAIM("it has as many counters", RULE("C5"), BOTH(VAL(N)),
	      there_num_counters),
	FRESH,
	DO(config, HW1, 1, 0, CYCLES),
	CLAIM("an event here is none there", RULE("C5"), BOTH(ERR(PARAM)),
	      there_start, HW1, 1),
	CLAIM("the same counter is free there", RULE("C5"), BOTH(VAL(HW1)),
	      there_config, 0, HW_SET, 0, INSNS),
	CLAIM("its cycle runs", RULE("C5 C58"), BOTH(ERR(STARTED)), there_start,
	      0, 1),
	DO(stop, 0, 1),
	CLAIM("stopping cycle here does not stop it there", RULE("C5"),
	      BOTH(ERR(STARTED)), there_start, 0, 1),
	FRESH,
	CLAIM("a reset here is none there", RULE("C5"), BOTH(VAL(0)),
	      there_start, HW1, 1),
	DO(there_stop, HW1, 1, RESET),
};

/* FW1 counts an event, here or there; both is how IPIs and fences are seen. */
#define HERE(event)   DO(config, FW1, 1, CLEAR | AUTO, event)
#define YONDER(event) DO(there_config, FW1, 1, CLEAR | AUTO, event)
#define NEXT	      FRESH, DO(there_stop, FW1, 1, RESET)

static const struct step ipis[] = {
	HERE(FW_IPI_SENT),
	YONDER(FW_IPI_RECEIVED),
	CLAIM("an IPI", RULE("C92"), BOTH(OK), send_ipi, OTHER_BIT),
	CLAIM("is sent", RULE("C92"), BOTH(VAL(1)), fw_read, FW1),
	CLAIM("pends there", RULE("C92"), BOTH(VAL(1)), there_soft_pending),
	CLAIM("is received there", RULE("C93"), BOTH(VAL(1)), there_fw_read,
	      FW1),
	DO(send_ipi, OTHER_BIT),
	DO(there_soft_pending),
	DO(send_ipi, OTHER_BIT),
	DO(there_soft_pending),
	CLAIM("three are sent", RULE("C92"), BOTH(VAL(3)), fw_read, FW1),
	CLAIM("three are received", RULE("C93"), BOTH(VAL(3)), there_fw_read,
	      FW1),
	CLAIM("an IPI to a hart that is not there", RULE("C92"),
	      BOTH(ERR(PARAM)), send_ipi, 1, 4000),
	CLAIM("is none that was sent", RULE("C92"), BOTH(VAL(3)), fw_read, FW1),
	NEXT,
	HERE(FW_IPI_RECEIVED),
	YONDER(FW_IPI_SENT),
	DO(send_ipi, OTHER_BIT),
	DO(there_soft_pending),
	CLAIM("who sends does not receive", RULE("C93"), BOTH(VAL(0)), fw_read,
	      FW1),
	CLAIM("who receives does not send", RULE("C92"), BOTH(VAL(0)),
	      there_fw_read, FW1),
	NEXT,
};

static const struct step fences[] = {
	HERE(FW_FENCE_I_SENT),
	YONDER(FW_FENCE_I_RECEIVED),
	CLAIM("a remote fence.i", RULE("C92"), BOTH(OK), rfence, FENCE_I,
	      OTHER_BIT),
	CLAIM("fence.i is sent", RULE("C92"), BOTH(VAL(1)), fw_read, FW1),
	CLAIM("fence.i is received", RULE("C93"), BOTH(VAL(1)), there_fw_read,
	      FW1),
	DO(rfence, FENCE_I, 0, ALL),
	CLAIM("fence.i to all is sent once", RULE("C92"), BOTH(VAL(2)), fw_read,
	      FW1),
	CLAIM("fence.i to all is received by each", RULE("C93"), BOTH(VAL(2)),
	      there_fw_read, FW1),
	DO(rfence, SFENCE, OTHER_BIT),
	CLAIM("sfence.vma is no fence.i", RULE("C94"), BOTH(VAL(2)),
	      there_fw_read, FW1),
	NEXT,
	HERE(FW_SFENCE_SENT),
	YONDER(FW_SFENCE_RECEIVED),
	DO(rfence, SFENCE, OTHER_BIT),
	CLAIM("sfence.vma is sent", RULE("C94"), BOTH(VAL(1)), fw_read, FW1),
	CLAIM("sfence.vma is received", RULE("C94"), BOTH(VAL(1)),
	      there_fw_read, FW1),
	DO(rfence, SFENCE_ASID, OTHER_BIT, 0, 3),
	CLAIM("one with an ASID is another event", RULE("C94"), BOTH(VAL(1)),
	      fw_read, FW1),
	NEXT,
	HERE(FW_SFENCE_ASID_SENT),
	YONDER(FW_SFENCE_ASID_RECEIVED),
	DO(rfence, SFENCE_ASID, OTHER_BIT, 0, 3),
	CLAIM("sfence.vma with an ASID is sent", RULE("C94"), BOTH(VAL(1)),
	      fw_read, FW1),
	CLAIM("sfence.vma with an ASID is received", RULE("C94"), BOTH(VAL(1)),
	      there_fw_read, FW1),
	NEXT,
	HERE(FW_IPI_SENT),
	DO(rfence, FENCE_I, OTHER_BIT),
	CLAIM("a remote fence is no IPI", RULE("C92"), DIFF(VAL(0), VAL(1)),
	      fw_read, FW1),
	NEXT,
};

static const struct step sleeps[] = {
	DO(there_config, HW1, 1, SINH | CLEAR, CYCLES),
	DO(lie_down, AS_IT_IS),
	CLAIM("a hart may wait, keeping its state", RULE("C197"), BOTH(VAL(4)),
	      await, 4),
	CLAIM("to start one that waits", RULE("HSM-03"),
	      DIFF(ERR(AVAILABLE), ERR(PARAM)), hart_start, OTHER, 0x80200000),
	DO(send_ipi, OTHER_BIT),
	CLAIM("an IPI ends that", RULE("C197"), BOTH(VAL(0)), await, 0),
	CLAIM("its counters have their events", RULE("C197"), BOTH(VAL(0)),
	      there_start, HW1, 1),
	DO(there_soft_pending),
	DO(there_stop, HW1, 1),
	DO(lie_down, ANEW),
	CLAIM("a hart may wait, losing its state", RULE("C197"), BOTH(VAL(4)),
	      await, 4),
	DO(mail_clear),
	DO(send_ipi, OTHER_BIT),
	CLAIM("an IPI ends that, too", RULE("C197"), BOTH(VAL(0)), await, 0),
	CLAIM("its counters have their events still", RULE("C197"),
	      BOTH(VAL(0)), there_start, HW1, 1),
	DO(end),
	CLAIM("a hart stops", RULE("C197"), BOTH(VAL(1)), await, 1),
	CLAIM("and starts again", RULE("C197"), BOTH(OK), begin),
	CLAIM("with no event on its counters", RULE("C197"), BOTH(ERR(PARAM)),
	      there_start, HW1, 1),
	CLAIM("and with cycle running", RULE("C197 C121"), BOTH(ERR(STARTED)),
	      there_start, 0, 1),
	DO(end),
	CLAIM("a hart stops again", RULE("C197"), BOTH(VAL(1)), await, 1),
	FRESH,
};

/* A legacy call, a[0], for the harts a[1]; its answer is the error. */
static struct answer legacy(const uint64_t *a)
{
	static unsigned long mask;

	mask = (unsigned long)a[1];
	return (struct answer){ sbi_call((long)a[0], 0, (unsigned long)&mask, 0,
					 0, 0, 0, 0)
					.error,
				0 };
}

#define ABSENT_BIT (1 << 20)

/* The other hart is stopped at first. */
static const struct step legacies[] = {
	DO(soft_pending),
	CLAIM("a legacy IPI here", RULE("LEG-04"), BOTH(OK), legacy, SEND_IPI,
	      SELF_BIT),
	CLAIM("it is here", RULE("LEG-04"), BOTH(VAL(1)), soft_pending),
	CLAIM("a legacy IPI to a hart that is not there", RULE("LEG-04"),
	      DIFF(OK, ERR(PARAM)), legacy, SEND_IPI, ABSENT_BIT),
	CLAIM("one to a stopped hart", RULE("LEG-04"), DIFF(OK, ERR(PARAM)),
	      legacy, SEND_IPI, OTHER_BIT),
	CLAIM("one to that and here", RULE("LEG-04"), DIFF(OK, ERR(PARAM)),
	      legacy, SEND_IPI, 3),
	CLAIM("is here, or nowhere", RULE("LEG-04"), DIFF(VAL(1), VAL(0)),
	      soft_pending),
	CLAIM("a legacy fence.i to a stopped hart", RULE("LEG-05"),
	      DIFF(OK, ERR(PARAM)), legacy, FENCE_I_BY, OTHER_BIT),
	CLAIM("a legacy sfence.vma", RULE("LEG-06"), DIFF(OK, ERR(PARAM)),
	      legacy, SFENCE_BY, OTHER_BIT),
	DO(begin),
	DO(await, 0),
	CLAIM("a legacy IPI to a hart that runs", RULE("LEG-04"), BOTH(OK),
	      legacy, SEND_IPI, OTHER_BIT),
	CLAIM("it is there", RULE("LEG-04"), BOTH(VAL(1)), there_soft_pending),
	CLAIM("a legacy fence.i to a hart that runs", RULE("LEG-05"), BOTH(OK),
	      legacy, FENCE_I_BY, OTHER_BIT),
	DO(end),
	DO(await, 1),
};

/* The firmware waits in M-mode: what wakes it is not sie's to mask. */
static const struct step wakes[] = {
	DO(begin),
	DO(await, 0),
	DO(lie_down, DEAF),
	CLAIM("a hart may wait with nothing enabled", RULE("C203"),
	      BOTH(VAL(4)), stays, 4),
	DO(send_ipi, OTHER_BIT),
	CLAIM("an IPI ends that all the same", RULE("C203"), BOTH(VAL(0)),
	      await, 0),
	DO(lie_down, DEAF),
	CLAIM("that it pends does not end the next one", RULE("C203"),
	      BOTH(VAL(4)), stays, 4),
	DO(rfence, FENCE_I, OTHER_BIT),
	CLAIM("a remote fence does", RULE("C203"), BOTH(VAL(0)), await, 0),
	CLAIM("the interrupt pends still", RULE("C203"), BOTH(VAL(1)),
	      there_soft_pending),
	DO(lie_down, TILL_LATE),
	CLAIM("a hart may wait for its timer", RULE("C203"), BOTH(VAL(4)),
	      await, 4),
	CLAIM("which ends that", RULE("C203"), BOTH(VAL(0)), await, 0),
	DO(lie_down, DEAF_ANEW),
	CLAIM("losing its state, it waits alike", RULE("C203"), BOTH(VAL(4)),
	      stays, 4),
	DO(mail_clear),
	DO(rfence, SFENCE, OTHER_BIT),
	CLAIM("and begins by a remote fence", RULE("C203"), BOTH(VAL(0)), await,
	      0),
	DO(lie_down, DEAF_ANEW),
	DO(await, 4),
	DO(mail_clear),
	DO(send_ipi, OTHER_BIT),
	CLAIM("or by an IPI", RULE("C203"), BOTH(VAL(0)), await, 0),
	DO(end),
	DO(await, 1),
	FRESH,
};

#define WIDE_ID	   (1ull << 32)
#define BELOW_ZERO XLEN_OF(-2)

static const struct step sums[] = {
	DO(soft_pending),
	CLAIM("a hart mask that wraps", RULE("HMASK-02 IPI-04"),
	      DIFF(ERR(PARAM), OK), send_ipi, 4, BELOW_ZERO),
	CLAIM("means hart 0, or nobody", RULE("HMASK-02 IPI-04"),
	      DIFF(VAL(0), VAL(1)), soft_pending),
	CLAIM("one that wraps to a hart that is not there",
	      RULE("HMASK-02 IPI-04"), BOTH(ERR(PARAM)), send_ipi,
	      ABSENT_BIT << 2, BELOW_ZERO),
	CLAIM("a fence's that wraps", RULE("HMASK-02 RFNC-02"),
	      DIFF(ERR(PARAM), OK), rfence, FENCE_I, 4, BELOW_ZERO),
};

static const struct step wide_ids_rv64[] = {
	CLAIM("the status of a hart id above 32 bits", RULE("HSM-02"),
	      DIFF(ERR(PARAM), VAL(0)), hart_status, WIDE_ID),
	CLAIM("to start one", RULE("HSM-02"), DIFF(ERR(PARAM), ERR(AVAILABLE)),
	      hart_start, WIDE_ID, 0x80200000),
	CLAIM("a hart mask from there on", RULE("HMASK-02 IPI-04"),
	      DIFF(ERR(PARAM), OK), send_ipi, 1, WIDE_ID),
	CLAIM("one that gets there", RULE("HMASK-02 IPI-04"),
	      DIFF(ERR(PARAM), OK), send_ipi, 4, WIDE_ID - 2),
	CLAIM("a fence's from there on", RULE("HMASK-02 RFNC-02"),
	      DIFF(ERR(PARAM), OK), rfence, FENCE_I, 1, WIDE_ID),
	DO(soft_pending),
};

void chapter_harts(void)
{
	if (mach.harts < 2)
		return;
	TAP_STEPS("harts", states);
	TAP_STEPS("harts", ipis);
	TAP_STEPS("harts", fences);
	TAP_STEPS("harts", sleeps);
	TAP_STEPS("harts", wakes);
	TAP_STEPS("harts", legacies);
	if (mach.hart) /* they are about hart 0 */
		return;
	TAP_STEPS("harts", sums);
	if (RV64)
		TAP_STEPS("harts", wide_ids_rv64);
}
