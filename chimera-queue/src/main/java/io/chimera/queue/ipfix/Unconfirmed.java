package io.chimera.queue.ipfix;

/**
 * The messages at the end of a connection that may not have arrived: TCP does not tell a program what the other one has read, but the
 * systems in between never hold more than their buffers take. One thread.
 */
final class Unconfirmed {
    /** 8 MiB are so many messages of 512 bytes, which is the least that full ones have. */
    private static final int MESSAGES_MAX = 16 << 10;

    private final int[] lengths = new int[MESSAGES_MAX];
    private final int[] records = new int[MESSAGES_MAX];
    private int first;
    private int count;
    private long bytes;
    private long recordsHeld;
    private long total;

    /**
     * Adds a message, and lets go of those that must have left to make room.
     *
     * @param length its bytes
     * @param dataRecords its records
     * @param bufferBytes what the systems hold at most
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

    /** Records in messages that may not have arrived. */
    long records() {
        return recordsHeld;
    }

    /** Records of the connection so far. */
    long total() {
        return total;
    }

    /** Forgets the connection. */
    void clear() {
        first = 0;
        count = 0;
        bytes = 0;
        recordsHeld = 0;
        total = 0;
    }
}
