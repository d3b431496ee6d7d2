/*
 * Goes over lines of JSON in which an array under a key "hashtags" is looked for: what TweetScan of the queue does, 64 bytes at
 * a time. Line feeds cannot stand inside a text of JSON, and a quote that ends the key, plain or in escapes, would have a
 * backslash before it there.
 *
 * The caller owns the bytes and the result; nothing is kept between calls, and nothing is read outside the range.
 */
#ifndef CHIMERA_SCAN_H
#define CHIMERA_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Where a scan ended: at a line that has to be read, or has no end yet. */
struct chimera_lines {
    int32_t start;     /* index of the line's first byte; the limit when all lines were gone over */
    int32_t line_feed; /* index of its line feed; the limit when it has none yet */
    int32_t passed;    /* number of lines before it, none of which leaves anything */
};

/* Whether this processor has what the scan needs: AVX2. */
bool chimera_scan_is_supported(void);

/*
 * Goes over lines that need not be read: empty ones, and those that begin and end with a brace, have at most length_max bytes
 * and have empty arrays of hashtags only, and one of these at least. Begins at the first byte of a line.
 */
void chimera_scan_tweets(
        const uint8_t *bytes, int32_t from, int32_t limit, int32_t length_max, struct chimera_lines *found);

#endif
