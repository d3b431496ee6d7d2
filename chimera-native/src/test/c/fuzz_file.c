/*
 * Arbitrary bytes as a capture file. The build runs the program over the adjacent corpus, and over every corpus file
 * truncated at each length and with each byte changed. Fuzzers supply their own bytes:
 *
 *   clang -fsanitize=fuzzer,address,undefined -DCHIMERA_LIBFUZZER -D_GNU_SOURCE -I../../main/c \
 *       fuzz_file.c ../../main/c/chimera_records.c -o fuzz_file && ./fuzz_file -max_len=4096 found corpus
 *   afl-clang-fast -fsanitize=address -D_GNU_SOURCE -I../../main/c \
 *       fuzz_file.c ../../main/c/chimera_records.c -o fuzz_file && afl-fuzz -i corpus -o found ./fuzz_file --one @@
 */
#include "chimera_capture.h"
#include "chimera_records.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what) {
    if (!holds) {
        (void)fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

/* Reads the file to the end, and every byte of every packet. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct chimera_records records;
    static volatile uint8_t sum;
    struct chimera_record record;
    int result = chimera_records_open(&records, "fuzz", data, size);
    while (result >= 0) {
        uint64_t before = records.position;
        result = chimera_records_next(&records, &record);
        if (result == 1) {
            require(records.position > before && records.position <= size, "the reader moves on within the file");
            require(record.captured <= CHIMERA_PACKET_BYTES_MAX, "packets have a bound");
            require(record.bytes >= data && record.bytes + record.captured <= data + size, "packets lie in the file");
            for (uint32_t i = 0; i < record.captured; i++) {
                sum = (uint8_t)(sum + record.bytes[i]);
            }
        }
    }
    require(result == CHIMERA_END || result == -EINVAL, "a file ends or is damaged");
    require(result == CHIMERA_END || strlen(records.failure) > 0, "damage is described");
    return 0;
}

#ifndef CHIMERA_LIBFUZZER

enum { FILE_BYTES_MAX = 1 << 20 };

/* Uses memory of exactly the given size, so that the sanitizer detects a read beyond the end. */
static void run(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size > 0 ? size : 1);
    require(copy != NULL, "there is memory");
    memcpy(copy, bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t load(const char *path, uint8_t *bytes) {
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    size_t size = fread(bytes, 1, FILE_BYTES_MAX, file);
    (void)fclose(file);
    return size;
}

static void run_with_damages(uint8_t *bytes, size_t size) {
    static const uint8_t flips[] = {0x01, 0x80, 0xFF};
    run(bytes, size);
    for (size_t cut = 0; cut < size; cut++) {
        run(bytes, cut);
        for (size_t i = 0; i < sizeof flips; i++) {
            bytes[cut] ^= flips[i];
            run(bytes, size);
            bytes[cut] ^= flips[i];
        }
    }
}

static int run_corpus(const char *folder, uint8_t *bytes) {
    char path[4096];
    DIR *files = opendir(folder);
    require(files != NULL, folder);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(files)) != NULL;) {
        if (entry->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            run_with_damages(bytes, load(path, bytes));
            count++;
        }
    }
    (void)closedir(files);
    return count;
}

/* fuzz_file FOLDER-WITH-corpus, or fuzz_file --one FILE */
int main(int count, char **arguments) {
    static uint8_t bytes[FILE_BYTES_MAX];
    if (count == 3 && strcmp(arguments[1], "--one") == 0) {
        run(bytes, load(arguments[2], bytes));
        return 0;
    }
    char folder[2048];
    (void)snprintf(folder, sizeof folder, "%s/corpus", count > 1 ? arguments[1] : ".");
    require(run_corpus(folder, bytes) > 0, "there is a corpus");
    return 0;
}
#endif
