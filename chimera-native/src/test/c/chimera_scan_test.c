/* Compares the scan with a byte-by-byte search, over random lines in memory that ends at the last line. */
#include "chimera_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200000, TEXT_MAX = 1200, LENGTH_MAX = 300 };

static const char *const PIECES[] = {
        "\"hashtags\":[]",
        "\"hashtags\":[",
        "\"hashtags\" : [ ]",
        "\"hashtags\"\t:\r[1]",
        "\"hashta\\u0067s\":[",
        "\"hashtag\\u0073\":[]",
        "\\\"hashtags\\\":[{",
        "\"lugs\":[",
        "gs\"",
        "7s\":[",
        "73\":[]",
        "hashtags\":[]",
        "w7\"",
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        " ",
        "\r",
        "\n",
        "\n",
        "\n{",
        "}\n",
        "}\r\n",
        "a",
        "0123456789abcdefghijklmnopqrstuvwxyz",
        "\xc3\xa4",
};

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 11) % limit;
}

static bool space(uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Reference result of a line: examines every bracket and the bytes before the bracket. */
static bool plain(const uint8_t *line, int32_t length) {
    bool tagged = false;
    bool untagged = false;
    for (int32_t i = 0; i < length; i++) {
        if (line[i] != '[') {
            continue;
        }
        int32_t k = i - 1;
        while (k >= 0 && space(line[k])) {
            k--;
        }
        if (k < 0 || line[k--] != ':') {
            continue;
        }
        while (k >= 0 && space(line[k])) {
            k--;
        }
        if (k < 2 || line[k] != '"') {
            continue;
        }
        int32_t last = k - 1;
        bool whole = last >= 9 && memcmp(line + last - 8, "\"hashtags", 9) == 0;
        if (!whole) {
            bool ends = (line[last] == 's' && (line[last - 1] == 'g' || line[last - 1] == '7'))
                    || (line[last] == '3' && line[last - 1] == '7');
            for (int32_t back = last; ends && last >= 2 && back > 0 && back > last - 50; back--) {
                tagged |= line[back] == '\\';
            }
            continue;
        }
        int32_t next = i + 1;
        while (next < length && space(line[next])) {
            next++;
        }
        if (next < length && line[next] == ']') {
            untagged = true;
        } else {
            tagged = true;
        }
    }
    int32_t first = 0;
    while (first < length && space(line[first])) {
        first++;
    }
    int32_t end = length;
    while (end > first && space(line[end - 1])) {
        end--;
    }
    return length <= LENGTH_MAX
            && (first == end || (untagged && !tagged && line[first] == '{' && line[end - 1] == '}'));
}

static struct chimera_lines expected(const uint8_t *bytes, int32_t from, int32_t limit) {
    struct chimera_lines lines = {.start = from, .line_feed = limit};
    for (int32_t i = from; i < limit; i++) {
        if (bytes[i] == '\n') {
            if (!plain(bytes + lines.start, i - lines.start)) {
                lines.line_feed = i;
                break;
            }
            lines.passed++;
            lines.start = i + 1;
        }
    }
    return lines;
}

static int32_t compose(uint8_t *text) {
    int32_t length = 0;
    int32_t wanted = (int32_t)below(TEXT_MAX);
    uint32_t usual = below(3); /* repeats some pieces often, so that some lines are plain */
    while (length < wanted) {
        const char *piece = usual > 0 && below(3) > 0 ? (below(2) ? "{\"hashtags\":[]" : "}\n")
                                                      : PIECES[below(sizeof PIECES / sizeof *PIECES)];
        size_t piece_length = strlen(piece);
        if (length + (int32_t)piece_length > TEXT_MAX) {
            break;
        }
        memcpy(text + length, piece, piece_length);
        length += (int32_t)piece_length;
    }
    return length;
}

int main(void) {
    if (!chimera_scan_is_supported()) {
        return 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t text[TEXT_MAX];
        int32_t limit = compose(text);
        uint8_t *bytes = malloc(limit > 0 ? (size_t)limit : 1);
        if (bytes == NULL) {
            return 1;
        }
        memcpy(bytes, text, (size_t)limit);
        int32_t from = 0;
        for (;;) {
            struct chimera_lines found;
            chimera_scan_tweets(bytes, from, limit, LENGTH_MAX, &found);
            struct chimera_lines want = expected(bytes, from, limit);
            if (found.start != want.start || found.line_feed != want.line_feed || found.passed != want.passed) {
                fprintf(stderr, "round %d from %d: %d %d %d instead of %d %d %d in\n%.*s\n", round, from, found.start,
                        found.line_feed, found.passed, want.start, want.line_feed, want.passed, limit, (char *)bytes);
                return 1;
            }
            if (found.line_feed == limit) {
                break;
            }
            from = found.line_feed + 1;
        }
        free(bytes);
    }
    return 0;
}
