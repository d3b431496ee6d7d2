/*
 * Copies memory and sums it up in one pass. The sum is the CRC32C that java.util.zip.CRC32C computes.
 *
 * The caller owns both ranges, which do not overlap; nothing is kept between calls.
 */
#ifndef CHIMERA_COPY_H
#define CHIMERA_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this processor has what it takes: SSE 4.2 and AVX2. To be called once before the first copy. */
bool chimera_copy_prepare(void);

/* Returns the CRC32C of what it copied. */
uint32_t chimera_copy_crc32c(void *to, const void *from, size_t bytes);

/* Asks for large pages below memory that is written and read a lot; what the kernel has none for stays as it is. */
void chimera_copy_enlarge_pages(void *memory, size_t bytes);

#endif
