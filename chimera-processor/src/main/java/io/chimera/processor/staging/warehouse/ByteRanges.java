package io.chimera.processor.staging.warehouse;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;

/** Compares byte ranges eight bytes at a time. */
final class ByteRanges {
    private ByteRanges() {}

    /**
     * Returns whether two ranges of the same length contain the same bytes. Reads up to the next multiple of 8 after
     * the length, so both buffers must extend that far; keys and names are padded both in records and in warehouses.
     */
    @HotPath
    static boolean areEqual(DirectBuffer left, int leftOffset, DirectBuffer right, int rightOffset, int length) {
        int whole = length & ~7;
        for (int i = 0; i < whole; i += 8) {
            if (left.getLong(leftOffset + i) != right.getLong(rightOffset + i)) {
                return false;
            }
        }
        int rest = length & 7;
        if (rest == 0) {
            return true;
        }
        long difference =
                left.getLong(leftOffset + whole, LITTLE_ENDIAN) ^ right.getLong(rightOffset + whole, LITTLE_ENDIAN);
        return difference << (64 - 8 * rest) == 0; // the bytes after the range are the upper bytes
    }
}
