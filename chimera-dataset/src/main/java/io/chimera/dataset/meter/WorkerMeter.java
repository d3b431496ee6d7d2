package io.chimera.dataset.meter;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Time and bytes of a worker. The worker writes, any thread reads. */
public final class WorkerMeter {
    private final Clock clock;
    private volatile Totals totals = new Totals(0, 0, 0, 0, 0, 0);
    private long bytesOfWholeSplits;
    private long splitStartNs;
    private long waitedNs;

    /**
     * Work of a worker so far.
     *
     * @param splits computed splits
     * @param bytes length of the computed splits, and of the bytes read of the present split
     * @param bytesOfSplit bytes read of the present split
     * @param points accepted points of the computed splits
     * @param computingNs time of the computed splits without the time that the worker waited for bytes
     * @param waitingNs time of the computed splits that the worker waited for bytes
     */
    public record Totals(int splits, long bytes, long bytesOfSplit, long points, long computingNs, long waitingNs) {}

    /**
     * Creates a meter of a worker without work.
     *
     * @param clock time of the work
     */
    public WorkerMeter(Clock clock) {
        this.clock = clock;
    }

    /** Returns the work so far. */
    public Totals totals() {
        return totals;
    }

    /**
     * Begins a split; the bytes of an unfinished split before it no longer count.
     *
     * @param bytes bytes of the object
     * @param split range of the split
     * @return the bytes, counted as they are read
     */
    public ObjectBytes begin(ObjectBytes bytes, ByteRange split) {
        splitStartNs = clock.nanoTime();
        waitedNs = 0;
        return new MeteredBytes(bytes, split);
    }

    /**
     * Ends the present split.
     *
     * @param split range of the split
     * @param points accepted points
     */
    public void end(ByteRange split, long points) {
        Totals before = totals;
        long wholeNs = clock.nanoTime() - splitStartNs;
        bytesOfWholeSplits += split.length();
        totals = new Totals(
                before.splits() + 1,
                bytesOfWholeSplits,
                0,
                before.points() + points,
                before.computingNs() + wholeNs - waitedNs,
                before.waitingNs() + waitedNs);
    }

    /** Bytes of a split; counts how far the worker has read, and how long it waited. */
    private final class MeteredBytes implements ObjectBytes {
        private final ObjectBytes bytes;
        private final ByteRange split;
        private long readOfSplit;

        MeteredBytes(ObjectBytes bytes, ByteRange split) {
            this.bytes = bytes;
            this.split = split;
        }

        @Override
        public String path() {
            return bytes.path();
        }

        @Override
        public long length() {
            return bytes.length();
        }

        @Override
        public int read(long offset, ByteBuffer into) throws IOException {
            long startNs = clock.nanoTime();
            int count = bytes.read(offset, into);
            waitedNs += clock.nanoTime() - startNs;
            long read = Math.min(split.to(), offset + Math.max(0, count)) - split.from();
            if (read > readOfSplit) {
                readOfSplit = read;
                Totals before = totals;
                totals = new Totals(
                        before.splits(),
                        bytesOfWholeSplits + read,
                        read,
                        before.points(),
                        before.computingNs(),
                        before.waitingNs());
            }
            return count;
        }
    }
}
