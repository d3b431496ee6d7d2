package io.chimera.flow.ipfix.exporter;

/**
 * Messages at the end of a connection without proof of arrival. TCP does not report how much the peer has read, but the
 * kernels at both ends never hold more than their buffer sizes. Used by one thread.
 */
final class Unconfirmed {
    /** 8 MiB hold this many messages of 512 bytes, the smallest size of a full message. */
    private static final int MESSAGES_MAX = 16 << 10;

    private final int[] lengths = new int[MESSAGES_MAX];
    private final int[] records = new int[MESSAGES_MAX];
    private int first;
    private int count;
    private long bytes;
    private long recordsHeld;
    private long total;

    /**
     * Adds a message, and removes the messages displaced from the buffers.
     *
     * @param length bytes of the message
     * @param dataRecords records of the message
     * @param bufferBytes maximum bytes held by the operating systems
     */
    void sent(int length, int dataRecords, long bufferBytes) {
        if (count == MESSAGES_MAX) {
            letGo();
        }
        int last = (first + count++) % MESSAGES_MAX;
        lengths[last] = length;
        records[last] = dataRecords;
        bytes += length;
        recordsHeld += dataRecords;
        total += dataRecords;
        while (bytes - lengths[first] >= bufferBytes) {
            letGo();
        }
    }

    private void letGo() {
        bytes -= lengths[first];
        recordsHeld -= records[first];
        first = (first + 1) % MESSAGES_MAX;
        count--;
    }

    /** Records without proof of arrival. */
    long records() {
        return recordsHeld;
    }

    /** Records sent on the connection so far. */
    long total() {
        return total;
    }

    /** Resets for the next connection. */
    void clear() {
        first = 0;
        count = 0;
        bytes = 0;
        recordsHeld = 0;
        total = 0;
    }
}
