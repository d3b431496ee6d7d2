/*
 * The ring with sanitizers: frames go to a TAP interface, in a private network namespace. Without permission for
 * either, the program reports the reason and succeeds; the Java tests cover the same over a veth pair. libpcap receives
 * frames too.
 */
#include "chimera_capture.h"
#include "chimera_interface.h"
#include "expect.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAME_BYTES_MAX = 1514, SMALL_RING = 1 << 16, RING = 1 << 20, WAIT_MS = 5000 };

static const struct chimera_capture_ops *ops;
static char error[1024];

/* Prevents the kernel from sending packets of its own: IPv6 sends packets when an interface comes up. */
static bool quieten(const char *setting) {
    int file = open(setting, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return errno == ENOENT;
    }
    ssize_t written = write(file, "1", 1);
    (void)close(file);
    return written == 1;
}

static int create_tap(const char *name) {
    int tap = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    (void)snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (tap >= 0 && ioctl(tap, TUNSETIFF, &request) == 0) {
        return tap;
    }
    if (tap >= 0) {
        (void)close(tap);
    }
    return -1;
}

static void set_up(const char *name, bool up) {
    int any = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq request = {.ifr_flags = (short)(up ? IFF_UP : 0)};
    (void)snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    EXPECT(any >= 0 && ioctl(any, SIOCSIFFLAGS, &request) == 0);
    (void)close(any);
}

/* Sends a frame of an unused type, with its number after the addresses. */
static void send_frame(int tap, uint32_t number, size_t bytes, bool tagged) {
    uint8_t frame[FRAME_BYTES_MAX] = {0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1};
    size_t at = 12;
    if (tagged) {
        memcpy(frame + at, "\x81\x00\x20\x07", 4);
        at += 4;
    }
    memcpy(frame + at, "\x88\xB5", 2);
    memcpy(frame + at + 2, &number, sizeof number);
    EXPECT_NUMBER(write(tap, frame, bytes), (ssize_t)bytes);
}

static chimera_capture *open_with(const struct chimera_capture_options *options) {
    chimera_capture *capture = NULL;
    if (ops->open(options, &capture, error, sizeof error) != 0) {
        (void)fprintf(stderr, "%s\n", error);
        exit(1);
    }
    return capture;
}

static chimera_capture *open_as(const char *name, uint32_t snap_length, uint32_t queues, uint32_t ring_bytes) {
    return open_with(&(struct chimera_capture_options){
            .target = name,
            .snap_length = snap_length,
            .ring_bytes = ring_bytes,
            .queues = queues,
            .flags = CHIMERA_PROMISCUOUS,
    });
}

static uint32_t number_of(const struct chimera_packet *packet) {
    uint32_t number;
    memcpy(&number, (const uint8_t *)(uintptr_t)packet->address + 14, sizeof number);
    return number;
}

/* Receives a number of frames with consecutive numbers. */
static void expect_frames(chimera_capture *capture, uint32_t first, int count) {
    struct chimera_packet packets[7];
    for (int seen = 0; seen < count;) {
        int received = ops->receive(capture, packets, 7, WAIT_MS);
        EXPECT(received > 0);
        for (int i = 0; i < received; i++, seen++) {
            EXPECT_NUMBER(number_of(&packets[i]), first + (uint32_t)seen);
        }
    }
}

static void hands_out_frames_while_the_ring_wraps_around(int tap) {
    chimera_capture *capture = open_as("tap0", 65535, 1, RING);
    uint32_t number = 0;
    for (int round = 0; round < 40; round++) {
        EXPECT_NUMBER(ops->release(capture), 0);
        for (int i = 0; i < 50; i++) {
            send_frame(tap, number + (uint32_t)i, 60 + (size_t)((round * 50 + i) * 31 % 1400), false);
        }
        expect_frames(capture, number, 50);
        number += 50;
    }
    struct chimera_capture_counters counters;
    EXPECT_NUMBER(ops->counters(capture, &counters), 0);
    EXPECT_NUMBER(counters.received, 2000);
    EXPECT_NUMBER(counters.dropped_ring, 0);
    EXPECT_NUMBER(counters.truncated, 0);
    ops->close(capture);
}

static void cuts_frames_and_takes_tags_off(int tap) {
    chimera_capture *capture = open_as("tap0", 80, 1, RING);
    send_frame(tap, 1, 100, true);
    send_frame(tap, 2, 60, false);
    struct chimera_packet packets[2];
    EXPECT_NUMBER(ops->receive(capture, packets, 1, WAIT_MS), 1);
    EXPECT_NUMBER(packets[0].vlan_tci, 0x2007);
    EXPECT_NUMBER(packets[0].vlan_tpid, 0x8100);
    EXPECT_NUMBER(packets[0].captured, 80);
    EXPECT_NUMBER(packets[0].length, 96);
    EXPECT_NUMBER(number_of(packets), 1);
    EXPECT_NUMBER(ops->receive(capture, packets, 2, WAIT_MS), 1);
    EXPECT_NUMBER(packets[0].vlan_tpid, 0);
    EXPECT_NUMBER(packets[0].captured, 60);
    EXPECT_NUMBER(ops->receive(capture, packets, 2, 1), 0);
    ops->close(capture);
}

static void counts_what_the_ring_had_no_room_for(int tap) {
    chimera_capture *capture = open_as("tap0", 65535, 1, SMALL_RING);
    for (uint32_t i = 0; i < 1000; i++) {
        send_frame(tap, i, FRAME_BYTES_MAX, false);
    }
    struct chimera_capture_counters counters;
    EXPECT_NUMBER(ops->counters(capture, &counters), 0);
    EXPECT(counters.dropped_ring > 0 && counters.dropped_ring < 1000);
    expect_frames(capture, 0, 1000 - (int)counters.dropped_ring);
    uint64_t dropped = counters.dropped_ring;
    EXPECT_NUMBER(ops->counters(capture, &counters), 0);
    EXPECT_NUMBER(counters.dropped_ring, dropped);
    EXPECT_NUMBER(counters.received, 1000 - dropped);
    send_frame(tap, 7, 60, false);
    expect_frames(capture, 7, 1);
    ops->close(capture);
}

static void goes_on_when_the_interface_comes_back(int tap) {
    chimera_capture *capture = open_as("tap0", 65535, 1, RING);
    struct chimera_packet packets[4];
    set_up("tap0", false);
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 1), 0);
    set_up("tap0", true);
    send_frame(tap, 3, 60, false);
    expect_frames(capture, 3, 1);
    ops->close(capture);
}

static void says_that_the_interface_was_removed(void) {
    int tap = create_tap("tap1");
    set_up("tap1", true);
    chimera_capture *capture = open_as("tap1", 65535, 1, RING);
    (void)close(tap);
    struct chimera_packet packets[4];
    EXPECT_NUMBER(ops->receive(capture, packets, 4, WAIT_MS), -ENODEV);
    EXPECT_CONTAINS(ops->failure(capture), "tap1: the interface was removed");
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 0), -ENODEV);
    struct chimera_capture_counters counters;
    EXPECT_NUMBER(ops->counters(capture, &counters), 0);
    ops->close(capture);
}

/* Both captures see the frame, because only one is in a group; the only member of a group sees all frames. */
static void a_group_takes_nothing_from_others(int tap) {
    chimera_capture *grouped = open_as("tap0", 65535, 2, RING);
    chimera_capture *alone = open_as("tap0", 65535, 1, RING);
    for (uint32_t i = 0; i < 20; i++) {
        send_frame(tap, i, 60, false);
    }
    expect_frames(grouped, 0, 20);
    expect_frames(alone, 0, 20);
    ops->close(grouped);
    ops->close(alone);
}

/* Two captures sharing the packets of an interface. */
struct pair {
    chimera_capture *captures[2];
};

static struct pair open_pair(const char *name) {
    struct pair pair;
    for (uint32_t i = 0; i < 2; i++) {
        pair.captures[i] = open_with(&(struct chimera_capture_options){
                .target = name, .snap_length = 65535, .ring_bytes = RING, .queue = i, .queues = 2});
    }
    return pair;
}

static void close_pair(struct pair *pair) {
    ops->close(pair->captures[0]);
    ops->close(pair->captures[1]);
}

/* Both captures together receive exactly this number of frames. */
static void expect_shared(struct pair *pair, int count) {
    struct chimera_packet packets[16];
    int seen = 0;
    for (int waits = 0; seen < count && waits < WAIT_MS / 10;) {
        int before = seen;
        for (int i = 0; i < 2; i++) {
            int received = ops->receive(pair->captures[i], packets, 16, 5);
            EXPECT(received >= 0);
            seen += received;
        }
        waits += seen == before;
    }
    EXPECT_NUMBER(seen, count);
    EXPECT_NUMBER(ops->receive(pair->captures[0], packets, 16, 20), 0);
    EXPECT_NUMBER(ops->receive(pair->captures[1], packets, 16, 20), 0);
}

static void two_groups_of_a_process_on_one_interface_both_see_everything(int tap) {
    struct pair first = open_pair("tap0");
    struct pair second = open_pair("tap0");
    for (uint32_t i = 0; i < 40; i++) {
        send_frame(tap, i, 60, false);
    }
    expect_shared(&first, 40);
    expect_shared(&second, 40);
    close_pair(&first);
    send_frame(tap, 40, 60, false);
    expect_shared(&second, 1);
    struct pair third = open_pair("tap0");
    send_frame(tap, 41, 60, false);
    expect_shared(&second, 1);
    expect_shared(&third, 1);
    close_pair(&second);
    close_pair(&third);
}

static void groups_of_two_interfaces_have_nothing_to_do_with_each_other(int tap) {
    int other = create_tap("tap1");
    EXPECT(other >= 0);
    set_up("tap1", true);
    struct pair ours = open_pair("tap0");
    struct pair others = open_pair("tap1");
    for (uint32_t i = 0; i < 30; i++) {
        send_frame(tap, i, 60, false);
        if (i < 20) {
            send_frame(other, i, 60, false);
        }
    }
    expect_shared(&ours, 30);
    expect_shared(&others, 20);
    close_pair(&ours);
    close_pair(&others);
    (void)close(other);
}

static void another_process_has_a_group_of_its_own(int tap) {
    int ready[2];
    char byte = 0;
    EXPECT_NUMBER(pipe(ready), 0);
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        struct pair theirs = open_pair("tap0");
        EXPECT_NUMBER(write(ready[1], &byte, 1), 1);
        expect_shared(&theirs, 40);
        close_pair(&theirs);
        exit(0);
    }
    struct pair ours = open_pair("tap0");
    EXPECT_NUMBER(read(ready[0], &byte, 1), 1);
    for (uint32_t i = 0; i < 40; i++) {
        send_frame(tap, i, 60, false);
    }
    expect_shared(&ours, 40);
    close_pair(&ours);
    int status;
    EXPECT_NUMBER(waitpid(other, &status, 0), other);
    EXPECT_NUMBER(status, 0);
    (void)close(ready[0]);
    (void)close(ready[1]);
}

static void a_queue_that_there_is_not_is_refused(void) {
    struct chimera_capture_options options = {
            .target = "tap0", .snap_length = 65535, .ring_bytes = RING, .queue = 2, .queues = 2};
    chimera_capture *capture = NULL;
    EXPECT_NUMBER(ops->open(&options, &capture, error, sizeof error), -EINVAL);
    EXPECT_CONTAINS(error, "tap0: queue 2 of 2");
}

/* Without a capture no receiver exists, and the interface counts the frames as dropped. */
static void counts_what_the_interface_dropped(int tap) {
    struct chimera_interface interface;
    send_frame(tap, 0, 60, false);
    EXPECT_NUMBER(chimera_interface_open(&interface, "tap0", error, sizeof error), 0);
    EXPECT_NUMBER(interface.link_type, 1);
    EXPECT_NUMBER(chimera_interface_dropped(&interface), 0);
    for (uint32_t i = 0; i < 5; i++) {
        send_frame(tap, i, 60, false);
    }
    EXPECT_NUMBER(chimera_interface_dropped(&interface), 5);
    EXPECT(chimera_interface_exists(&interface));
    chimera_interface_close(&interface);
}

static void names_an_interface_that_is_not_there(void) {
    struct chimera_capture_options options = {.target = "nowhere0", .snap_length = 1, .ring_bytes = 1, .queues = 1};
    chimera_capture *capture = NULL;
    EXPECT_NUMBER(ops->open(&options, &capture, error, sizeof error), -ENODEV);
    EXPECT_CONTAINS(error, "nowhere0: there is no such interface");
    options.target = "a name longer than any interface has";
    EXPECT_NUMBER(ops->open(&options, &capture, error, sizeof error), -ENODEV);
}

int main(void) {
    ops = chimera_back_end_of("tpacket");
    EXPECT(ops != NULL);
    if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
        (void)printf("tpacket_test: skipped, as there can be no network namespace: %s\n", strerror(errno));
        return 0;
    }
    bool quiet = quieten("/proc/sys/net/ipv6/conf/all/disable_ipv6")
            && quieten("/proc/sys/net/ipv6/conf/default/disable_ipv6");
    int tap = quiet ? create_tap("tap0") : -1;
    if (tap < 0 || ops->available(error, sizeof error) == 0) {
        (void)printf("tpacket_test: skipped, as there can be no TAP interface of our own: %s\n", strerror(errno));
        return 0;
    }
    set_up("tap0", true);
    counts_what_the_interface_dropped(tap);
    hands_out_frames_while_the_ring_wraps_around(tap);
    cuts_frames_and_takes_tags_off(tap);
    counts_what_the_ring_had_no_room_for(tap);
    goes_on_when_the_interface_comes_back(tap);
    says_that_the_interface_was_removed();
    a_group_takes_nothing_from_others(tap);
    two_groups_of_a_process_on_one_interface_both_see_everything(tap);
    groups_of_two_interfaces_have_nothing_to_do_with_each_other(tap);
    another_process_has_a_group_of_its_own(tap);
    a_queue_that_there_is_not_is_refused();
    names_an_interface_that_is_not_there();
    ops = chimera_back_end_of("libpcap");
    if (ops->available(error, sizeof error) == 1) {
        hands_out_frames_while_the_ring_wraps_around(tap);
        goes_on_when_the_interface_comes_back(tap);
    } else {
        (void)printf("tpacket_test: libpcap skipped: %s\n", error);
    }
    return 0;
}
