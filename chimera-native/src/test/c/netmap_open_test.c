/* Accepted and refused options of the netmap back-end. */
#include "chimera_netmap_port.h"
#include "netmap_capture.h"

static void expect_port(
        const char *text, const char *name, uint32_t mode, uint32_t ringid, uint32_t mem_id, uint64_t flags) {
    struct chimera_netmap_port port;
    EXPECT_NUMBER(chimera_netmap_port_parse(text, &port, error, sizeof error), 0);
    EXPECT(strcmp(port.name, name) == 0);
    EXPECT_NUMBER(port.mode, mode);
    EXPECT_NUMBER(port.ringid, ringid);
    EXPECT_NUMBER(port.mem_id, mem_id);
    EXPECT_NUMBER(port.flags, flags | CHIMERA_NETMAP_NO_TX_POLL);
}

static void reads_names_of_ports_as_users_write_them(void) {
    struct chimera_netmap_port port;
    const char *const wrong[] = {
            "",
            "-1",
            "eth0-",
            "eth0-x",
            "eth0-4096",
            "eth0^x",
            "eth0*1",
            "eth0@",
            "eth0@0",
            "eth0@x",
            "eth0/q",
            "vale0:",
            "0123456789012345678901234567890123456789012345678901234567890123",
    };
    expect_port("eth0", "eth0", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("eth0-2", "eth0", CHIMERA_NETMAP_ONE_NIC, 2, 0, 0);
    expect_port("eth0^", "eth0", CHIMERA_NETMAP_SW, 0, 0, 0);
    expect_port("eth0^3", "eth0", CHIMERA_NETMAP_ONE_SW, 3, 0, 0);
    expect_port("eth0*", "eth0", CHIMERA_NETMAP_NIC_SW, 0, 0, 0);
    expect_port("p}1", "p}1", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("eth0{7", "eth0{7", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("vale0:r", "vale0:r", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("vale-a:r-1", "vale-a:r", CHIMERA_NETMAP_ONE_NIC, 1, 0, 0);
    expect_port("eth0-1@5", "eth0", CHIMERA_NETMAP_ONE_NIC, 1, 5, 0);
    expect_port(
            "eth0/rz", "eth0", CHIMERA_NETMAP_ALL_NIC, 0, 0,
            CHIMERA_NETMAP_MONITOR_RX | CHIMERA_NETMAP_ZERO_COPY_MONITOR);
    expect_port(
            "eth0*/txR@3", "eth0", CHIMERA_NETMAP_NIC_SW, 0, 3,
            CHIMERA_NETMAP_MONITOR_TX | CHIMERA_NETMAP_EXCLUSIVE | CHIMERA_NETMAP_RX_RINGS_ONLY);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EXPECT_NUMBER(chimera_netmap_port_parse(wrong[i], &port, error, sizeof error), -EINVAL);
        EXPECT_CONTAINS(error, wrong[i]);
    }
}

static void says_that_the_module_is_missing(void) {
    kernel_start((struct kernel_port){0});
    kernel.open_error = ENOENT;
    EXPECT_NUMBER(netmap->available(error, sizeof error), 0);
    EXPECT_CONTAINS(error, "modprobe");
    expect_refused("p}1", ENOENT, "modprobe");
    kernel.open_error = EACCES;
    EXPECT_NUMBER(netmap->available(error, sizeof error), 0);
    EXPECT_CONTAINS(error, "run as root");
    kernel.open_error = 0;
    EXPECT_NUMBER(netmap->available(error, sizeof error), 1);
    EXPECT_NUMBER(kernel.opened, 0);
}

static void says_why_a_port_is_refused(void) {
    kernel_start((struct kernel_port){0});
    kernel.register_error = EINVAL;
    expect_refused("p}1", EINVAL, "versions 14 and 15");
    kernel.register_error = ENODEV;
    expect_refused("eth7", ENODEV, "no such interface");
    kernel.register_error = EBUSY;
    expect_refused("eth0", EBUSY, "another program");
    kernel.register_error = ENOMEM;
    expect_refused("eth0", ENOMEM, "buf_num");
    kernel.register_error = 0;
    kernel.map_error = ENOMEM;
    expect_refused("eth0", ENOMEM, "cannot be mapped");
}

static void registers_what_the_name_says(void) {
    kernel_start((struct kernel_port){.rx_rings = 2});
    kernel.interruptions = 1;
    open_port("eth0-1/x@9");
    EXPECT_NUMBER(kernel.request.version, 14);
    EXPECT(strcmp(kernel.request.name, "eth0") == 0);
    EXPECT_NUMBER(kernel.registration.mode, CHIMERA_NETMAP_ONE_NIC);
    EXPECT_NUMBER(kernel.registration.ringid, 1);
    EXPECT_NUMBER(kernel.registration.mem_id, 9);
    EXPECT_NUMBER(kernel.registration.flags, CHIMERA_NETMAP_EXCLUSIVE | CHIMERA_NETMAP_NO_TX_POLL);
    EXPECT_NUMBER(netmap->link_type(capture), 1);
    close_port();
}

static void speaks_version_15_where_the_module_wants_it(void) {
    kernel_start((struct kernel_port){0});
    kernel.version_min = 15;
    open_port("p}1");
    EXPECT_NUMBER(kernel.request.version, 15);
    EXPECT_NUMBER(kernel.registrations, 2);
    close_port();
}

static void expect_rings(const char *target, uint32_t first, uint32_t count) {
    kernel_start((struct kernel_port){.tx_rings = 3, .rx_rings = 2, .host_tx_rings = 2, .host_rx_rings = 2});
    open_port(target);
    for (uint32_t ring = 0; ring < 4; ring++) {
        send_packet(ring, ring, 64);
    }
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), count);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number;
        memcpy(&number, (const void *)(uintptr_t)packets[i].address, sizeof number);
        expect_packet((int)i, number, 64, 64);
        seen |= 1u << number;
    }
    EXPECT_NUMBER(seen, ((1u << count) - 1) << first);
    close_port();
}

static void serves_the_rings_that_the_name_says(void) {
    expect_rings("eth0", 0, 2);
    expect_rings("eth0-0", 0, 1);
    expect_rings("eth0-1", 1, 1);
    expect_rings("eth0-2", 0, 1); /* a third transmit ring, and the first receive ring because no third exists */
    expect_rings("eth0^", 2, 2);
    expect_rings("eth0^1", 3, 1);
    expect_rings("eth0*", 0, 4);
}

static void captures_that_share_a_port_have_a_ring_each(void) {
    kernel_start((struct kernel_port){.rx_rings = 2});
    struct chimera_capture_options with = options("eth0");
    with.queue = 1;
    with.queues = 2;
    open_with(with);
    EXPECT_NUMBER(kernel.registration.mode, CHIMERA_NETMAP_ONE_NIC);
    send_packet(0, 0, 64);
    send_packet(1, 1, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    expect_packet(0, 1, 64, 64);
    close_port();
    with.queues = 3;
    EXPECT_NUMBER(netmap->open(&with, &capture, error, sizeof error), -EINVAL);
    EXPECT_CONTAINS(error, "as many captures as rings");
    with.target = "eth0^";
    EXPECT_NUMBER(netmap->open(&with, &capture, error, sizeof error), -EINVAL);
    EXPECT_CONTAINS(error, "omit the rings");
    EXPECT_NUMBER(kernel.opened, 0);
}

static void expect_bad_layout(void) {
    expect_refused("p}1", EPROTO, "not laid out");
}

static void memory_that_is_laid_out_otherwise_is_refused(void) {
    struct kernel_port port = {0};
    const int64_t offsets[] = {INT64_MIN, -4096, 1, 1 << 20, INT64_MAX};
    kernel_start(port);
    kernel.offset_claimed = kernel.memory_bytes;
    expect_bad_layout();
    kernel.offset_claimed = UINT64_MAX - 7;
    expect_bad_layout();
    kernel.offset_claimed = 0;
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        kernel_start(port);
        kernel_if()->ring_ofs[1] = offsets[i];
        expect_bad_layout();
        kernel_start(port);
        kernel.rings[0].shared->buf_ofs = i == 2 ? INT64_MAX - 64 : offsets[i];
        if (i != 1) { /* buffers before their ring are unusual but harmless within the memory */
            expect_bad_layout();
        }
    }
    const uint32_t counts[] = {0, 1 << 16, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        kernel_start(port);
        kernel_if()->rx_rings = counts[i];
        expect_bad_layout();
        kernel_start(port);
        kernel_if()->tx_rings = counts[i] == 0 ? 1 << 20 : counts[i];
        expect_bad_layout();
        kernel_start(port);
        kernel.rings[0].shared->num_slots = counts[i];
        expect_bad_layout();
        kernel_start(port);
        kernel.rings[0].shared->head = counts[i] == 0 ? 16 : counts[i];
        expect_bad_layout();
    }
    kernel_start(port);
    kernel.rings[0].shared->buf_size = 0;
    expect_bad_layout();
    kernel_start(port);
    kernel.memsize_claimed = 200; /* before netmap_if */
    expect_bad_layout();
}

int main(void) {
    begin_tests();
    reads_names_of_ports_as_users_write_them();
    says_that_the_module_is_missing();
    says_why_a_port_is_refused();
    registers_what_the_name_says();
    speaks_version_15_where_the_module_wants_it();
    serves_the_rings_that_the_name_says();
    captures_that_share_a_port_have_a_ring_each();
    memory_that_is_laid_out_otherwise_is_refused();
    free(kernel.memory);
    return 0;
}
