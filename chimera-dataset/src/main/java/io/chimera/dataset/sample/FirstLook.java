package io.chimera.dataset.sample;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Estimates the time of a transfer from two short reads, to decide whether a sample pays. One thread. */
public final class FirstLook {
    private static final int LENGTH = 128 << 10;

    /** Connections of a transfer: the rate of one connection to a far source is limited by its round trip. */
    private static final int CONNECTIONS = 8;

    private final Clock clock;

    /**
     * Creates a look.
     *
     * @param clock time of the reads
     */
    public FirstLook(Clock clock) {
        this.clock = clock;
    }

    /**
     * Reads the begin of a split, at most 128 KiB after the connection is open.
     *
     * @param source the source
     * @param split a split
     * @param bytes length of the transfer
     * @return expected time in seconds; a lower bound where the source has one limit for all connections
     * @throws IOException when the source fails
     */
    public double seconds(DataSource source, Split split, long bytes) throws IOException {
        source.read(split.object(), split.range().from(), ByteBuffer.allocate(1));
        int length = (int) Math.min(LENGTH, split.range().length());
        long startNs = clock.nanoTime();
        source.read(split.object(), split.range().from(), ByteBuffer.allocate(length));
        double perByte = Math.max(1, clock.nanoTime() - startNs) / 1e9 / length;
        return bytes * perByte / CONNECTIONS;
    }
}
