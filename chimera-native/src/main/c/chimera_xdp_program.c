#include "chimera_xdp_program.h"

#include <errno.h>
#include <linux/bpf.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct chimera_xdp_program {
    struct chimera_xdp_program *next;
    uint64_t netns;
    int interface_index;
    int users;
    int map;
    int link; /* closing detaches the program from the interface */
};

/* Programs of this process, guarded by the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chimera_xdp_program *programs;

static int bpf(enum bpf_cmd command, union bpf_attr *attributes) {
    long result;
    do {
        result = syscall(SYS_bpf, command, attributes, sizeof *attributes);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : (int)result;
}

static uint64_t pointer(const void *address) {
    return (uint64_t)(uintptr_t)address;
}

int chimera_xdp_map_create(uint32_t entries) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_type = BPF_MAP_TYPE_XSKMAP;
    attributes.key_size = sizeof(uint32_t);
    attributes.value_size = sizeof(uint32_t);
    attributes.max_entries = entries;
    return bpf(BPF_MAP_CREATE, &attributes);
}

/* return bpf_redirect_map(&map, context->rx_queue_index, XDP_PASS) */
static int load(int map) {
    const struct bpf_insn instructions[] = {
            {.code = BPF_LDX | BPF_MEM | BPF_W,
             .dst_reg = BPF_REG_2,
             .src_reg = BPF_REG_1,
             .off = offsetof(struct xdp_md, rx_queue_index)},
            {.code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = map},
            {.code = 0}, /* upper half of the 16-byte load */
            {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = XDP_PASS},
            {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map},
            {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.prog_type = BPF_PROG_TYPE_XDP;
    attributes.expected_attach_type = BPF_XDP;
    attributes.insn_cnt = sizeof instructions / sizeof *instructions;
    attributes.insns = pointer(instructions);
    attributes.license = pointer("Apache-2.0");
    memcpy(attributes.prog_name, "chimera_capture", sizeof "chimera_capture");
    return bpf(BPF_PROG_LOAD, &attributes);
}

static int attach(int program, int interface_index) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.link_create.prog_fd = (uint32_t)program;
    attributes.link_create.target_ifindex = (uint32_t)interface_index;
    attributes.link_create.attach_type = BPF_XDP;
    return bpf(BPF_LINK_CREATE, &attributes);
}

static int start(struct chimera_xdp_program *created) {
    int result = chimera_xdp_map_create(CHIMERA_XDP_QUEUES_MAX);
    if (result < 0) {
        return result;
    }
    created->map = result;
    int program = load(created->map);
    result = program;
    if (program >= 0) {
        result = attach(program, created->interface_index);
        close(program); /* the link holds the program */
    }
    if (result < 0) {
        close(created->map);
        return result;
    }
    created->link = result;
    return 0;
}

int chimera_xdp_program_acquire(int interface_index, uint64_t netns, struct chimera_xdp_program **program) {
    int result = 0;
    pthread_mutex_lock(&lock);
    struct chimera_xdp_program *found = programs;
    while (found != NULL && (found->interface_index != interface_index || found->netns != netns)) {
        found = found->next;
    }
    if (found == NULL) {
        found = calloc(1, sizeof *found);
        if (found == NULL) {
            result = -ENOMEM;
            goto done;
        }
        found->interface_index = interface_index;
        found->netns = netns;
        result = start(found);
        if (result < 0) {
            free(found);
            goto done;
        }
        found->next = programs;
        programs = found;
    }
    found->users++;
    *program = found;
done:
    pthread_mutex_unlock(&lock);
    return result;
}

int chimera_xdp_program_redirect(struct chimera_xdp_program *program, uint32_t queue, int socket) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_fd = (uint32_t)program->map;
    attributes.key = pointer(&queue);
    attributes.value = pointer(&socket);
    attributes.flags = BPF_ANY;
    return bpf(BPF_MAP_UPDATE_ELEM, &attributes);
}

void chimera_xdp_program_release(struct chimera_xdp_program *program) {
    pthread_mutex_lock(&lock);
    if (--program->users == 0) {
        struct chimera_xdp_program **at = &programs;
        while (*at != program) {
            at = &(*at)->next;
        }
        *at = program->next;
        close(program->link);
        close(program->map);
        free(program);
    }
    pthread_mutex_unlock(&lock);
}
