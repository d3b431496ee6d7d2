/*
 * Copies memory and computes a checksum in one pass: CRC32C as in java.util.zip.CRC32C.
 *
 * The caller owns both ranges, which must not overlap. Stateless.
 */
#ifndef CHIMERA_COPY_H
#define CHIMERA_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this processor has SSE 4.2 and AVX2. Must be called once before the first copy. */
bool chimera_copy_prepare(void);

/* Returns the CRC32C of the copied bytes. */
uint32_t chimera_copy_crc32c(void *to, const void *from, size_t bytes);

/* Requests huge pages for frequently used memory; memory remains unchanged if the kernel has none. */
void chimera_copy_enlarge_pages(void *memory, size_t bytes);

#endif
