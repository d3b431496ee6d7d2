/*
 * The af_xdp back-end on a pair of veth interfaces in a private network namespace, with the kernel's live frames as the
 * sender (inject.h). Skipped with the reason if the machine lacks permissions or support.
 */
#include "chimera_capture.h"
#include "chimera_libpcap.h"
#include "expect.h"
#include "inject.h"

#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 64, PATIENCE_MS = 60000, FRAME = 2048, RING = 32768 * FRAME, RING_MIN = 4096 * FRAME };

static const struct chimera_capture_ops *xdp;
static struct injector sender;
static struct chimera_packet packets[BATCH];
static char error[512];

static int run(const char *command) {
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void do_run(const char *command) {
    if (run(command) != 0) {
        (void)fprintf(stderr, "xdp_test: failed: %s\n", command);
        exit(1);
    }
}

static void make_pair(void) {
    do_run("ip link add xa numrxqueues 2 numtxqueues 2 type veth peer name xb numrxqueues 2 numtxqueues 2"
           " && ip link set xa up && ip link set xb up");
}

static struct chimera_capture_options options(const char *target) {
    return (struct chimera_capture_options){.target = target, .snap_length = 262144, .ring_bytes = RING, .queues = 1};
}

static chimera_capture *open_with(struct chimera_capture_options with) {
    chimera_capture *capture;
    int result = xdp->open(&with, &capture, error, sizeof error);
    if (result != 0) {
        (void)fprintf(stderr, "%s\n", error);
    }
    EXPECT_NUMBER(result, 0);
    return capture;
}

static void expect_refused(struct chimera_capture_options with, int number, const char *why) {
    chimera_capture *capture;
    EXPECT_NUMBER(xdp->open(&with, &capture, error, sizeof error), -number);
    EXPECT_CONTAINS(error, why);
}

static struct chimera_capture_counters counters(chimera_capture *capture) {
    struct chimera_capture_counters now;
    EXPECT_NUMBER(xdp->counters(capture, &now), 0);
    return now;
}

/* Sends on the CPU with this number; on veth this is also the receive queue. */
static void send_from(int processor, uint32_t count) {
    cpu_set_t all, one;
    EXPECT_NUMBER(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)processor, &one);
    EXPECT_NUMBER(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_NUMBER(inject(&sender, count, 0), 0);
    EXPECT_NUMBER(sched_setaffinity(0, sizeof all, &all), 0);
}

static void start_sender(uint32_t bytes) {
    EXPECT_NUMBER(inject_open(&sender, (int)if_nametoindex("xa"), 0, bytes, 1000), 0);
}

static uint64_t number_of(const struct chimera_packet *packet) {
    uint64_t number;
    memcpy(&number, (const uint8_t *)(uintptr_t)packet->address + INJECT_NUMBER_OFFSET, sizeof number);
    return number;
}

/* Receives a number of packets with consecutive numbers from first on. */
static void take_packets(chimera_capture *capture, uint64_t first, uint32_t count, uint32_t bytes) {
    for (uint32_t seen = 0; seen < count;) {
        int max = count - seen < BATCH ? (int)(count - seen) : BATCH;
        int received = xdp->receive(capture, packets, max, PATIENCE_MS);
        EXPECT(received > 0);
        for (int i = 0; i < received; i++, seen++) {
            EXPECT_NUMBER(number_of(&packets[i]), first + seen);
            EXPECT_NUMBER(packets[i].captured, bytes);
            EXPECT_NUMBER(packets[i].length, bytes);
            EXPECT_NUMBER(packets[i].vlan_tpid, 0);
        }
    }
}

/* Like take_packets, and expects no further packets. */
static void expect_packets(chimera_capture *capture, uint64_t first, uint32_t count, uint32_t bytes) {
    take_packets(capture, first, count, bytes);
    EXPECT_NUMBER(xdp->receive(capture, packets, BATCH, 0), 0);
}

static void every_packet_sent_is_received(uint32_t flags, uint32_t bytes) {
    struct chimera_capture_options with = options("xb@0");
    with.flags = flags;
    chimera_capture *capture = open_with(with);
    start_sender(bytes);
    EXPECT_NUMBER(xdp->link_type(capture), 1);
    EXPECT_NUMBER(xdp->receive(capture, packets, BATCH, 10), 0);
    for (uint32_t round = 0; round < 3; round++) { /* more packets than frames: frames are reused */
        send_from(0, 20000);
        expect_packets(capture, round * 20000, 20000, bytes);
    }
    struct chimera_capture_counters now = counters(capture);
    EXPECT_NUMBER(now.received, 60000);
    EXPECT_NUMBER(now.bytes, 60000 * bytes);
    EXPECT_NUMBER(now.dropped_ring, 0);
    EXPECT_NUMBER(now.dropped_interface, 0);
    EXPECT_NUMBER(now.truncated, 0);
    EXPECT_NUMBER(now.invalid, 0);
    inject_close(&sender);
    xdp->close(capture);
}

static void packets_without_a_frame_are_counted(void) {
    struct chimera_capture_options with = options("xb@0");
    with.ring_bytes = RING_MIN;
    chimera_capture *capture = open_with(with);
    start_sender(64);
    send_from(0, 10000);
    expect_packets(capture, 0, 4096, 64);
    EXPECT_NUMBER(counters(capture).received, 4096);
    EXPECT_NUMBER(counters(capture).dropped_ring, 10000 - 4096);
    send_from(0, 1000);
    expect_packets(capture, 10000, 1000, 64); /* still receives */
    inject_close(&sender);
    xdp->close(capture);
}

static void what_is_handed_out_stays_until_it_is_released(void) {
    struct chimera_capture_options with = options("xb@0");
    with.ring_bytes = RING_MIN;
    chimera_capture *capture = open_with(with);
    start_sender(64);
    send_from(0, 4096);
    EXPECT_NUMBER(xdp->receive(capture, packets, BATCH, PATIENCE_MS), BATCH);
    send_from(0, 100); /* finds no free frame */
    for (uint32_t i = 0; i < BATCH; i++) {
        EXPECT_NUMBER(number_of(&packets[i]), i);
    }
    EXPECT_NUMBER(counters(capture).dropped_ring, 100);
    EXPECT_NUMBER(xdp->release(capture), 0);
    EXPECT_NUMBER(xdp->release(capture), 0);
    send_from(0, 100); /* finds the returned frames */
    EXPECT_NUMBER(counters(capture).dropped_ring, 100 + 100 - BATCH);
    take_packets(capture, BATCH, 4096 - BATCH, 64);
    expect_packets(capture, 4096 + 100, BATCH, 64);
    inject_close(&sender);
    xdp->close(capture);
}

static void cuts_at_the_snap_length(void) {
    struct chimera_capture_options with = options("xb@0");
    with.snap_length = 96;
    chimera_capture *capture = open_with(with);
    start_sender(1400);
    send_from(0, 10);
    EXPECT_NUMBER(xdp->receive(capture, packets, BATCH, PATIENCE_MS), 10);
    EXPECT_NUMBER(packets[9].captured, 96);
    EXPECT_NUMBER(packets[9].length, 1400);
    EXPECT_NUMBER(counters(capture).truncated, 10);
    EXPECT_NUMBER(counters(capture).bytes, 14000);
    inject_close(&sender);
    xdp->close(capture);
}

static void filters_in_user_space(void) {
    struct chimera_capture_options with = options("xb@0");
    with.ring_bytes = RING_MIN;
    with.filter = "udp port 9";
    if (chimera_libpcap(error, sizeof error) == NULL) {
        expect_refused(with, ENOSYS, "libpcap");
        return;
    }
    chimera_capture *capture = open_with(with);
    start_sender(64);
    send_from(0, 1000);
    expect_packets(capture, 0, 1000, 64);
    xdp->close(capture);
    inject_close(&sender);
    with.filter = "udp[8] = 255 and udp[9] & 15 = 15"; /* only the last of 4096 numbers */
    capture = open_with(with);
    start_sender(64);
    for (uint32_t round = 0; round < 3; round++) {
        send_from(0, 4096); /* frames of rejected packets are returned too */
        expect_packets(capture, round * 4096 + 4095, 1, 64);
    }
    EXPECT_NUMBER(counters(capture).received, 3);
    EXPECT_NUMBER(counters(capture).dropped_ring, 0);
    inject_close(&sender);
    xdp->close(capture);
    with.filter = "no filter";
    expect_refused(with, EINVAL, "no filter");
}

static void captures_of_two_queues_share_the_program(void) {
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        (void)fprintf(stderr, "xdp_test: skipped: two queues, as there is one processor\n");
        return;
    }
    struct chimera_capture_options with = options("xb");
    with.queues = 2;
    chimera_capture *even = open_with(with);
    with.queue = 1;
    chimera_capture *odd = open_with(with);
    start_sender(64);
    send_from(0, 500);
    send_from(1, 300);
    expect_packets(even, 0, 500, 64);
    expect_packets(odd, 500, 300, 64);
    with.queue = 2;
    with.queues = 3;
    expect_refused(with, EINVAL, "share 2 of 3");
    expect_refused(options("xb@1"), EBUSY, "xb@1");
    xdp->close(even);  /* the program stays for the other capture */
    send_from(0, 100); /* unclaimed: goes to the kernel */
    send_from(1, 200);
    expect_packets(odd, 900, 200, 64);
    xdp->close(odd);
    /* One capture of both queues. */
    chimera_capture *both = open_with(options("xb"));
    send_from(1, 100);
    expect_packets(both, 1100, 100, 64);
    send_from(0, 100);
    expect_packets(both, 1200, 100, 64);
    inject_close(&sender);
    xdp->close(both);
}

static void an_interface_that_was_down_goes_on(void) {
    chimera_capture *capture = open_with(options("xb@0"));
    start_sender(64);
    send_from(0, 100);
    do_run("ip link set xb down");
    expect_packets(capture, 0, 100, 64);
    EXPECT_NUMBER(xdp->receive(capture, packets, BATCH, 20), 0);
    do_run("ip link set xb up");
    send_from(0, 100);
    expect_packets(capture, 100, 100, 64);
    EXPECT_NUMBER(counters(capture).received, 200);
    inject_close(&sender);
    xdp->close(capture);
}

static void an_interface_that_vanishes_ends_the_capture(uint32_t flags) {
    struct chimera_capture_options with = options("xb");
    with.flags = flags;
    chimera_capture *capture = open_with(with);
    start_sender(64);
    send_from(0, 10);
    do_run("ip link del xa");
    take_packets(capture, 0, 10, 64);
    EXPECT_NUMBER(xdp->receive(capture, packets, BATCH, PATIENCE_MS), -ENODEV);
    EXPECT_CONTAINS(xdp->failure(capture), "gone");
    EXPECT_NUMBER(counters(capture).received, 10);
    inject_close(&sender);
    xdp->close(capture);
    make_pair();
    capture = open_with(with);
    start_sender(64);
    send_from(0, 10);
    expect_packets(capture, 0, 10, 64);
    inject_close(&sender);
    xdp->close(capture);
}

static void the_kernels_own_xdp_serves_drivers_without(void) {
    expect_refused(options("lo"), EMSGSIZE, "use tpacket");
    do_run("ip link set lo mtu 1500");
    chimera_capture *capture = open_with(options("lo"));
    EXPECT_NUMBER(inject_open(&sender, (int)if_nametoindex("lo"), 1, 64, 1), 0);
    EXPECT_NUMBER(inject(&sender, 1000, 0), 0);
    expect_packets(capture, 0, 1000, 64);
    inject_close(&sender);
    xdp->close(capture);
}

static void says_why_it_cannot_open(void) {
    expect_refused(options("nowhere0"), ENODEV, "nowhere0");
    expect_refused(options("averylongnameofaninterface"), ENODEV, "averylongname");
    expect_refused(options("xb@2"), EINVAL, "0 to 1");
    expect_refused(options("xb@"), EINVAL, "0 to 1");
    struct chimera_capture_options with = options("xb");
    with.flags = CHIMERA_ZERO_COPY;
    expect_refused(with, EOPNOTSUPP, "zero-copy");
    do_run("ip link set xb mtu 9000");
    expect_refused(options("xb"), EMSGSIZE, "lower the MTU");
    do_run("ip link set xb mtu 1500");
}

static void another_process_on_the_interface_is_named_as_the_cause(void) {
    int ready[2];
    char byte;
    EXPECT_NUMBER(pipe(ready), 0);
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        (void)open_with(options("xb"));
        (void)!write(ready[1], "x", 1);
        for (;;) {
            pause();
        }
    }
    EXPECT_NUMBER(read(ready[0], &byte, 1), 1);
    expect_refused(options("xb"), EBUSY, "another capture or program");
    EXPECT_NUMBER(kill(other, SIGKILL), 0);
    EXPECT_NUMBER(waitpid(other, NULL, 0), other);
    /* The resources of the dead process are free again. */
    xdp->close(open_with(options("xb")));
    (void)close(ready[0]);
    (void)close(ready[1]);
}

int main(void) {
    xdp = chimera_back_end_of("af_xdp");
    EXPECT(xdp != NULL);
    if (!xdp->available(error, sizeof error)) {
        (void)fprintf(stderr, "xdp_test: skipped: %s\n", error);
        return 0;
    }
    if (unshare(CLONE_NEWNET) != 0) {
        (void)fprintf(stderr, "xdp_test: skipped: no network namespace can be made here: %s\n", strerror(errno));
        return 0;
    }
    if (run("ip link set lo up") != 0) {
        (void)fprintf(stderr, "xdp_test: skipped: there is no ip (Debian: apt-get install iproute2)\n");
        return 0;
    }
    /* Otherwise the kernel sends neighbour discovery packets. */
    (void)run("echo 1 2>/dev/null >/proc/sys/net/ipv6/conf/default/disable_ipv6");
    make_pair();
    another_process_on_the_interface_is_named_as_the_cause();
    every_packet_sent_is_received(0, 60);
    every_packet_sent_is_received(CHIMERA_PROMISCUOUS, 1514);
    every_packet_sent_is_received(CHIMERA_BUSY_POLL, 64);
    packets_without_a_frame_are_counted();
    what_is_handed_out_stays_until_it_is_released();
    cuts_at_the_snap_length();
    filters_in_user_space();
    captures_of_two_queues_share_the_program();
    an_interface_that_was_down_goes_on();
    an_interface_that_vanishes_ends_the_capture(0);
    an_interface_that_vanishes_ends_the_capture(CHIMERA_BUSY_POLL);
    the_kernels_own_xdp_serves_drivers_without();
    says_why_it_cannot_open();
    return 0;
}
