/*
 * Scans lines of JSON for arrays under a key "hashtags", like the queue's TweetScan, 64 bytes at a time. A JSON string
 * cannot contain a line feed; inside a string, the closing quote of such a key, plain or escaped, would follow a
 * backslash.
 *
 * The caller owns the bytes and the result. Stateless; never reads outside the range.
 */
#ifndef CHIMERA_SCAN_H
#define CHIMERA_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Position where a scan ended: at a line to read, or at an incomplete line. */
struct chimera_lines {
    int32_t start;     /* index of the line's first byte; the limit when all lines were skipped */
    int32_t line_feed; /* index of the line feed; the limit when the line is incomplete */
    int32_t passed;    /* number of skipped lines */
};

/* Whether this processor has AVX2. */
bool chimera_scan_is_supported(void);

/*
 * Skips empty lines, and lines of at most length_max bytes enclosed in braces, with at least one hashtag array and only
 * empty hashtag arrays. Starts at the first byte of a line.
 */
void chimera_scan_tweets(
        const uint8_t *bytes, int32_t from, int32_t limit, int32_t length_max, struct chimera_lines *found);

#endif
