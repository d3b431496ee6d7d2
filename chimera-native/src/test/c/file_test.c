/* The back-end for files, through its function table. */
#include "capture_bytes.h"
#include "chimera_capture.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char path[] = "/tmp/chimera-file-test-XXXXXX";
static const struct chimera_capture_ops *ops;
static char error[1024];

static void write_file(const struct capture_bytes *file) {
    FILE *out = fopen(path, "wb");
    EXPECT(out != NULL);
    EXPECT(fwrite(file->bytes, 1, file->size, out) == file->size);
    EXPECT(fclose(out) == 0);
}

static chimera_capture *open_as(
        const char *target, const char *filter, uint32_t snap_length, double speed, int result) {
    struct chimera_capture_options options = {
            .target = target,
            .filter = filter,
            .snap_length = snap_length,
            .queues = 1,
            .speed = speed,
    };
    chimera_capture *capture = NULL;
    EXPECT_NUMBER(ops->open(&options, &capture, error, sizeof error), result);
    return capture;
}

static void hands_out_batches_and_counts(void) {
    struct capture_bytes file = {0};
    put_pcap_header(&file, 0xA1B23C4D, 1);
    for (uint32_t i = 0; i < 10; i++) {
        put_pcap_record(&file, 1, i, 60 + i, 60 + i);
    }
    put_pcap_record(&file, 1, 10, 20, 1500);
    write_file(&file);
    chimera_capture *capture = open_as(path, NULL, 65, 0, 0);
    struct chimera_packet packets[4];
    uint32_t seen = 0;
    int count;
    while ((count = ops->receive(capture, packets, 4, 0)) > 0) {
        for (int i = 0; i < count; i++, seen++) {
            uint32_t length = seen < 10 ? 60 + seen : 1500;
            uint32_t captured = seen == 10 ? 20 : length < 65 ? length : 65;
            EXPECT_NUMBER(packets[i].timestamp_ns, 1000000000 + seen);
            EXPECT_NUMBER(packets[i].captured, captured);
            EXPECT_NUMBER(packets[i].length, length);
            EXPECT_NUMBER(packets[i].vlan_tpid, 0);
            EXPECT_NUMBER(((const uint8_t *)(uintptr_t)packets[i].address)[captured - 1], captured - 1);
        }
        EXPECT_NUMBER(ops->release(capture), 0);
        EXPECT_NUMBER(ops->release(capture), 0);
    }
    EXPECT_NUMBER(count, CHIMERA_END);
    EXPECT_NUMBER(seen, 11);
    EXPECT_NUMBER(ops->link_type(capture), 1);
    struct chimera_capture_counters counters;
    EXPECT_NUMBER(ops->counters(capture, &counters), 0);
    EXPECT_NUMBER(counters.received, 11);
    EXPECT_NUMBER(counters.bytes, 645 + 1500);
    EXPECT_NUMBER(counters.truncated, 4 + 1);
    EXPECT_NUMBER(counters.invalid, 0);
    ops->close(capture);
}

static void packets_ahead_of_the_damage_come_first(void) {
    struct capture_bytes file = {0};
    put_pcap_header(&file, 0xA1B2C3D4, 1);
    put_pcap_record(&file, 1, 0, 60, 60);
    put_pcap_record(&file, 1, 0, 60, 60);
    file.size--;
    write_file(&file);
    chimera_capture *capture = open_as(path, NULL, 65535, 0, 0);
    struct chimera_packet packets[4];
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 0), 1);
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 0), -EINVAL);
    EXPECT_CONTAINS(ops->failure(capture), "offset 100");
    EXPECT_CONTAINS(ops->failure(capture), path);
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 0), -EINVAL);
    ops->close(capture);
}

static void replays_no_packet_ahead_of_its_time(void) {
    struct capture_bytes file = {0};
    put_pcap_header(&file, 0xA1B2C3D4, 1);
    put_pcap_record(&file, 1000, 0, 60, 60);
    put_pcap_record(&file, 1000, 20000, 60, 60);
    put_pcap_record(&file, 999, 0, 60, 60);
    put_pcap_record(&file, 5000, 0, 60, 60);
    write_file(&file);
    chimera_capture *capture = open_as(path, NULL, 65535, 1, 0);
    struct chimera_packet packets[4];
    struct timespec before;
    struct timespec after;
    EXPECT(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 0), 1);
    int count;
    while ((count = ops->receive(capture, packets, 4, 1000)) == 0) {
    }
    EXPECT(clock_gettime(CLOCK_MONOTONIC, &after) == 0);
    EXPECT((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec >= 20000000);
    /* A past time is due immediately. */
    EXPECT_NUMBER(count, 2);
    EXPECT_NUMBER(packets[1].timestamp_ns, 999000000000);
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 0), 0);
    EXPECT_NUMBER(ops->receive(capture, packets, 4, 1), 0);
    ops->close(capture);

    capture = open_as(path, NULL, 65535, 1e9, 0);
    int seen = 0;
    while ((count = ops->receive(capture, packets, 4, 1000)) != CHIMERA_END) {
        seen += count;
    }
    EXPECT_NUMBER(seen, 4);
    ops->close(capture);
}

static void says_why_a_file_cannot_be_opened(void) {
    EXPECT(open_as("/nowhere/x.pcap", NULL, 100, 0, -ENOENT) == NULL);
    EXPECT_CONTAINS(error, "/nowhere/x.pcap: cannot be opened: No such file");
    EXPECT(open_as("/tmp", NULL, 100, 0, -EINVAL) == NULL);
    EXPECT_CONTAINS(error, "it is not a regular file");
    EXPECT(open_as("/dev/null", NULL, 100, 0, -EINVAL) == NULL);
    EXPECT_CONTAINS(error, "it is not a regular file");
    struct capture_bytes empty = {0};
    write_file(&empty);
    EXPECT(open_as(path, NULL, 100, 0, -EINVAL) == NULL);
    EXPECT_CONTAINS(error, "is not a capture file: it has 0 bytes");
}

/* With libpcap the filter is parsed; without libpcap the error names the package to install. */
static void a_filter_that_makes_no_sense_is_refused(void) {
    struct capture_bytes file = {0};
    put_pcap_header(&file, 0xA1B2C3D4, 1);
    write_file(&file);
    struct chimera_capture_options options = {
            .target = path, .filter = "no such thing", .snap_length = 100, .queues = 1};
    chimera_capture *capture = NULL;
    int result = ops->open(&options, &capture, error, sizeof error);
    EXPECT(result == -EINVAL || result == -ENOSYS);
    EXPECT_CONTAINS(error, result == -EINVAL ? "the filter \"no such thing\" is not understood" : "libpcap0.8");
}

int main(void) {
    ops = chimera_back_end_of("file");
    EXPECT(ops != NULL);
    EXPECT(ops == chimera_back_end(0));
    EXPECT(chimera_back_end_of("carrier pigeon") == NULL);
    EXPECT(ops->available(error, sizeof error) == 1);
    int descriptor = mkstemp(path);
    EXPECT(descriptor >= 0 && close(descriptor) == 0);
    hands_out_batches_and_counts();
    packets_ahead_of_the_damage_come_first();
    replays_no_packet_ahead_of_its_time();
    says_why_a_file_cannot_be_opened();
    a_filter_that_makes_no_sense_is_refused();
    EXPECT(unlink(path) == 0);
    return 0;
}
