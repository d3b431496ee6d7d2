package io.chimera.dataset.format;

/**
 * Place of a split in its object, in bytes of the object as stored (compressed, if it is). The events whose first byte
 * is in the range belong to the split; the format defines the first byte of an event.
 *
 * @param from offset of the first byte
 * @param to offset after the last byte, more than {@code from}
 */
public record ByteRange(long from, long to) {
    /**
     * Checks the order.
     *
     * @param from offset of the first byte, at least 0
     * @param to offset after the last byte
     */
    public ByteRange {
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException("byte range " + from + " to " + to + "; expected an ascending range");
        }
    }

    /** Returns the length in bytes. */
    public long length() {
        return to - from;
    }
}
