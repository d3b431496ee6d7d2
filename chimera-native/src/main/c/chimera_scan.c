#include "chimera_scan.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)

#include <immintrin.h>

enum { BLOCK = 64 };

static const char KEY[] = "hashtags";
enum { KEY_LENGTH = sizeof KEY - 1 };

/* Length of the quoted key with every letter escaped as \u0068. */
enum { KEY_LENGTH_MAX = 2 + 6 * KEY_LENGTH };

/* State of the current line. */
struct line {
    int32_t start;
    bool tagged;   /* a non-empty hashtag array, or a possible one, was found */
    bool untagged; /* an empty hashtag array was found */
};

bool chimera_scan_is_supported(void) {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
}

static inline bool is_space(uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static inline int32_t behind_spaces(const uint8_t *bytes, int32_t from, int32_t limit) {
    int32_t i = from;
    while (i < limit && is_space(bytes[i])) {
        i++;
    }
    return i;
}

static bool may_be_escaped_key(const uint8_t *bytes, int32_t start, int32_t last) {
    for (int32_t i = last; i > start && i > last - KEY_LENGTH_MAX; i--) {
        if (bytes[i] == '\\') {
            return true;
        }
    }
    return false;
}

/*
 * Examines a quote as possible end of the key: the preceding letters are "gs", or the ends of the escapes \u0067 and
 * \u0073.
 */
static void look_at_key(const uint8_t *bytes, int32_t quote, int32_t limit, struct line *line) {
    int32_t last = quote - 1;
    if (last - 1 <= line->start) {
        return;
    }
    uint8_t letter = bytes[last];
    uint8_t before = bytes[last - 1];
    if (!(letter == 's' && (before == 'g' || before == '7')) && !(letter == '3' && before == '7')) {
        return;
    }
    int32_t colon = behind_spaces(bytes, quote + 1, limit);
    if (colon >= limit || bytes[colon] != ':') {
        return;
    }
    int32_t bracket = behind_spaces(bytes, colon + 1, limit);
    if (bracket >= limit || bytes[bracket] != '[') {
        return;
    }
    int32_t first = last - KEY_LENGTH; /* opening quote */
    if (first <= line->start || bytes[first] != '"' || memcmp(bytes + first + 1, KEY, KEY_LENGTH) != 0) {
        line->tagged |= may_be_escaped_key(bytes, line->start, last);
        return;
    }
    int32_t element = behind_spaces(bytes, bracket + 1, limit);
    if (element < limit && bytes[element] == ']') {
        line->untagged = true;
    } else {
        line->tagged = true;
    }
}

/* Whether a line has no hashtags and can be skipped. */
static bool is_plain(const uint8_t *bytes, int32_t line_feed, int32_t length_max, const struct line *line) {
    if (line_feed - line->start > length_max) {
        return false;
    }
    int32_t first = behind_spaces(bytes, line->start, line_feed);
    int32_t last = line_feed - 1;
    while (last > first && is_space(bytes[last])) {
        last--;
    }
    return first > last || (line->untagged && !line->tagged && bytes[first] == '{' && bytes[last] == '}');
}

/*
 * Marks line feeds, and letters two positions before a quote, possibly the "gs", "7s" or "73" of a key's end. One
 * comparison matches g and 7 (also w and '), another matches s and 3.
 */
__attribute__((target("avx2"))) static inline uint32_t marks(const uint8_t *bytes) {
    __m256i here = _mm256_loadu_si256((const __m256i *)bytes);
    __m256i next = _mm256_loadu_si256((const __m256i *)(bytes + 1));
    __m256i quotes = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(bytes + 2)), _mm256_set1_epi8('"'));
    __m256i before = _mm256_cmpeq_epi8(_mm256_or_si256(here, _mm256_set1_epi8(0x50)), _mm256_set1_epi8(0x77));
    __m256i last = _mm256_cmpeq_epi8(_mm256_or_si256(next, _mm256_set1_epi8(0x40)), _mm256_set1_epi8(0x73));
    __m256i line_feeds = _mm256_cmpeq_epi8(here, _mm256_set1_epi8('\n'));
    __m256i keys = _mm256_and_si256(quotes, _mm256_and_si256(before, last));
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(line_feeds, keys));
}

/* Examines a marked byte; returns whether the scan ends there. */
static inline bool look(
        const uint8_t *bytes, int32_t i, int32_t limit, int32_t length_max, struct line *line,
        struct chimera_lines *found) {
    if (bytes[i] != '\n') {
        if (i + 2 < limit) {
            look_at_key(bytes, i + 2, limit, line);
        }
        return false;
    }
    if (!is_plain(bytes, i, length_max, line)) {
        found->line_feed = i;
        return true;
    }
    found->passed++;
    *line = (struct line){.start = i + 1};
    return false;
}

__attribute__((target("avx2,bmi"))) void chimera_scan_tweets(
        const uint8_t *bytes, int32_t from, int32_t limit, int32_t length_max, struct chimera_lines *found) {
    struct line line = {.start = from};
    int32_t i = from;
    *found = (struct chimera_lines){.line_feed = limit};
    for (; i <= limit - BLOCK - 2; i += BLOCK) {
        uint64_t marked = marks(bytes + i) | (uint64_t)marks(bytes + i + BLOCK / 2) << 32;
        for (; marked != 0; marked &= marked - 1) {
            if (look(bytes, i + __builtin_ctzll(marked), limit, length_max, &line, found)) {
                goto end;
            }
        }
    }
    for (; i < limit; i++) {
        bool may_be_key = i + 2 < limit && bytes[i + 2] == '"' && (bytes[i] == 'g' || bytes[i] == '7');
        if ((bytes[i] == '\n' || may_be_key) && look(bytes, i, limit, length_max, &line, found)) {
            break;
        }
    }
end:
    found->start = line.start;
}

#else

bool chimera_scan_is_supported(void) {
    return false;
}

void chimera_scan_tweets(
        const uint8_t *bytes, int32_t from, int32_t limit, int32_t length_max, struct chimera_lines *found) {
    (void)bytes;
    (void)length_max;
    *found = (struct chimera_lines){.start = from, .line_feed = limit};
}

#endif
