#include "inject.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    IDENTIFICATION = 18,
    CHECKSUM = 24,
    SOURCE_LOW = 28,
    SOURCE_PORT = 34,
    BATCH = 64,          /* frames passed to the kernel together, as by a driver */
    INTERVAL_SHIFT = 10, /* unit of packet intervals: 1/1024 ns */
    ATTEMPTS = 1 << 23,  /* per run: about 300 ms to 4 s; about 20 ms pass between runs */
    ATTEMPT_NS = 30,     /* approximate cost of an attempt without a packet */
};

/* Map entry of the program. */
struct state {
    uint64_t number; /* of the next packet */
    uint64_t total;
    uint64_t start_ns; /* CLOCK_MONOTONIC: due time of packet 0 */
    uint64_t interval;
};

static int bpf(enum bpf_cmd command, union bpf_attr *attributes) {
    long result = syscall(SYS_bpf, command, attributes, sizeof *attributes);
    return result < 0 ? -errno : (int)result;
}

static uint64_t pointer(const void *address) {
    return (uint64_t)(uintptr_t)address;
}

static void put16(uint8_t *at, unsigned value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void build(struct injector *injector) {
    uint8_t *frame = injector->frame;
    static const uint8_t ethernet[14] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0};
    static const uint8_t ip[20] = {0x45, 0, 0, 0, 0xff, 0xff, 0, 0, 64, 17, 0, 0, 10, 1, 0, 0, 10, 2, 0, 1};
    memset(frame, 0, sizeof injector->frame);
    memcpy(frame, ethernet, sizeof ethernet);
    memcpy(frame + 14, ip, sizeof ip);
    put16(frame + 16, injector->bytes - 14);
    unsigned sum = 0;
    for (int i = 14; i < 34; i += 2) {
        sum += (unsigned)frame[i] << 8 | frame[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    put16(frame + CHECKSUM, ~(sum + (sum >> 16)) & 0xffff);
    put16(frame + 36, 9);
    put16(frame + 38, injector->bytes - 34);
}

/*
 * Runs once per attempt. Sends the frame if its number is below the total and the frame is due; otherwise drops the
 * frame, at almost no cost, and the next attempt checks again.
 */
static int load(struct injector *injector, uint32_t flows) {
    enum { FRAME = BPF_REG_7, STATE = BPF_REG_6, NUMBER = BPF_REG_8, DROP = 42 };
    int end = injector->receive ? XDP_PASS : 0;
    const struct bpf_insn instructions[] = {
            /* 0 frame; drop a frame shorter than the written part */
            {.code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = FRAME, .src_reg = 1, .off = offsetof(struct xdp_md, data)},
            {.code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 3, .src_reg = 1, .off = offsetof(struct xdp_md, data_end)},
            {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 4, .src_reg = FRAME},
            {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 4, .imm = INJECT_NUMBER_OFFSET + 8},
            {.code = BPF_JMP | BPF_JGT | BPF_X, .dst_reg = 4, .src_reg = 3, .off = DROP - 5},
            /*  5 state = map[0] */
            {.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = 10, .off = -4, .imm = 0},
            {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10},
            {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .imm = -4},
            {.code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = injector->map},
            {.code = 0},
            {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem},
            {.code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 0, .imm = 0, .off = DROP - 12},
            {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = STATE, .src_reg = 0},
            /* 13 number < total */
            {.code = BPF_LDX | BPF_MEM | BPF_DW,
             .dst_reg = NUMBER,
             .src_reg = STATE,
             .off = offsetof(struct state, number)},
            {.code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 1, .src_reg = STATE, .off = offsetof(struct state, total)},
            {.code = BPF_JMP | BPF_JGE | BPF_X, .dst_reg = NUMBER, .src_reg = 1, .off = DROP - 16},
            /* 16 number * interval <= now - start */
            {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns},
            {.code = BPF_LDX | BPF_MEM | BPF_DW,
             .dst_reg = 1,
             .src_reg = STATE,
             .off = offsetof(struct state, start_ns)},
            {.code = BPF_ALU64 | BPF_SUB | BPF_X, .dst_reg = 0, .src_reg = 1},
            {.code = BPF_LDX | BPF_MEM | BPF_DW,
             .dst_reg = 2,
             .src_reg = STATE,
             .off = offsetof(struct state, interval)},
            {.code = BPF_ALU64 | BPF_MUL | BPF_X, .dst_reg = 2, .src_reg = NUMBER},
            {.code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = 2, .imm = INTERVAL_SHIFT},
            {.code = BPF_JMP | BPF_JGT | BPF_X, .dst_reg = 2, .src_reg = 0, .off = DROP - 23},
            /* 23 write the number to the frame, and the incremented number to the state */
            {.code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = FRAME, .src_reg = NUMBER, .off = INJECT_NUMBER_OFFSET},
            {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = NUMBER},
            {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .imm = 1},
            {.code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = STATE, .src_reg = 1, .off = offsetof(struct state, number)},
            /* 27 flow = number % flows; lower half to the source address, and inverted to the identification */
            {.code = BPF_ALU64 | BPF_MOD | BPF_K, .dst_reg = NUMBER, .imm = (int32_t)flows},
            {.code = BPF_STX | BPF_MEM | BPF_H, .dst_reg = FRAME, .src_reg = NUMBER, .off = SOURCE_LOW},
            {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = NUMBER},
            {.code = BPF_ALU64 | BPF_XOR | BPF_K, .dst_reg = 1, .imm = 0xffff},
            {.code = BPF_STX | BPF_MEM | BPF_H, .dst_reg = FRAME, .src_reg = 1, .off = IDENTIFICATION},
            /* 32 add the upper half to the source port */
            {.code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = NUMBER, .imm = 16},
            {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = NUMBER, .imm = 1024},
            {.code = BPF_ALU | BPF_END | BPF_TO_BE, .dst_reg = NUMBER, .imm = 16},
            {.code = BPF_STX | BPF_MEM | BPF_H, .dst_reg = FRAME, .src_reg = NUMBER, .off = SOURCE_PORT},
            /* 36 pass on: received by the interface, or sent out */
            {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = end},
            {.code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 0, .imm = 0, .off = 3},
            {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = injector->interface_index},
            {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = 0},
            {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect},
            {.code = BPF_JMP | BPF_EXIT},
            /* DROP */
            {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = XDP_DROP},
            {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.prog_type = BPF_PROG_TYPE_XDP;
    attributes.insn_cnt = sizeof instructions / sizeof *instructions;
    attributes.insns = pointer(instructions);
    attributes.license = pointer("Apache-2.0");
    return bpf(BPF_PROG_LOAD, &attributes);
}

int inject_open(struct injector *injector, int interface_index, int receive, uint32_t bytes, uint32_t flows) {
    union bpf_attr attributes;
    if (bytes < INJECT_BYTES_MIN || bytes > INJECT_BYTES_MAX || flows == 0 || flows > INT32_MAX) {
        return -EINVAL;
    }
    injector->interface_index = interface_index;
    injector->receive = receive;
    injector->bytes = bytes;
    build(injector);
    memset(&attributes, 0, sizeof attributes);
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = 4;
    attributes.value_size = sizeof(struct state);
    attributes.max_entries = 1;
    injector->map = bpf(BPF_MAP_CREATE, &attributes);
    if (injector->map < 0) {
        return injector->map;
    }
    injector->program = load(injector, flows);
    if (injector->program < 0) {
        close(injector->map);
        return injector->program;
    }
    return 0;
}

static int run(struct injector *injector, uint64_t attempts) {
    struct xdp_md context = {.data_end = injector->bytes, .ingress_ifindex = (uint32_t)injector->interface_index};
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.test.prog_fd = (uint32_t)injector->program;
    attributes.test.data_in = pointer(injector->frame);
    attributes.test.data_size_in = injector->bytes;
    attributes.test.repeat = attempts < ATTEMPTS ? (uint32_t)attempts : ATTEMPTS;
    attributes.test.flags = BPF_F_TEST_XDP_LIVE_FRAMES;
    attributes.test.batch_size = BATCH;
    if (injector->receive) {
        attributes.test.ctx_in = pointer(&context);
        attributes.test.ctx_size_in = sizeof context;
    }
    return bpf(BPF_PROG_TEST_RUN, &attributes);
}

static int entry(enum bpf_cmd command, int map, struct state *state) {
    const uint32_t key = 0;
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_fd = (uint32_t)map;
    attributes.key = pointer(&key);
    attributes.value = pointer(state);
    return bpf(command, &attributes);
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int inject(struct injector *injector, uint64_t packets, uint64_t rate) {
    struct state state = {.total = 0};
    int result = entry(BPF_MAP_LOOKUP_ELEM, injector->map, &state);
    uint64_t total = state.number + packets;
    state.interval = rate == 0 ? 0 : (1000000000ull << INTERVAL_SHIFT) / rate;
    while (result >= 0 && state.number < total) {
        uint64_t left = total - state.number;
        uint64_t attempts = left + (left * state.interval >> INTERVAL_SHIFT) / ATTEMPT_NS;
        state.total = total;
        /* Skips the pause between runs instead of catching up with a burst. */
        state.start_ns = now_ns() - (state.number * state.interval >> INTERVAL_SHIFT);
        if ((result = entry(BPF_MAP_UPDATE_ELEM, injector->map, &state)) < 0
            || (result = run(injector, attempts)) < 0) {
            break;
        }
        result = entry(BPF_MAP_LOOKUP_ELEM, injector->map, &state);
    }
    return result;
}

void inject_close(struct injector *injector) {
    close(injector->program);
    close(injector->map);
}
