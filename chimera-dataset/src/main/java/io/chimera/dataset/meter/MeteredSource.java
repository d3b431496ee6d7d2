package io.chimera.dataset.meter;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.SourceException;
import java.nio.ByteBuffer;
import java.util.List;

/** Counts the reads of a source. Owns the source. */
public final class MeteredSource implements DataSource {
    private final DataSource source;
    private final Clock clock;
    private int underWay;
    private long busySinceNs;
    private long busyNs;
    private long bytes;
    private long reads;
    private long failures;

    /**
     * Reads of a source so far.
     *
     * @param place address of the source without credentials
     * @param bytes bytes of the complete reads
     * @param reads complete reads
     * @param failures failed reads; most of them are tried again
     * @param busyNs time with at least one read under way
     */
    public record Totals(String place, long bytes, long reads, long failures, long busyNs) {}

    /**
     * Wraps a source.
     *
     * @param source the source
     * @param clock time of the reads
     */
    public MeteredSource(DataSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Returns the reads so far. */
    public synchronized Totals totals() {
        long now = underWay > 0 ? clock.nanoTime() - busySinceNs : 0;
        return new Totals(source.place(), bytes, reads, failures, busyNs + now);
    }

    @Override
    public String place() {
        return source.place();
    }

    @Override
    public List<DataObject> list(String pattern) throws SourceException {
        return source.list(pattern);
    }

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        int length = into.remaining();
        boolean isComplete = false;
        begin();
        try {
            source.read(object, offset, into);
            isComplete = true;
        } finally {
            end(isComplete, length);
        }
    }

    private synchronized void begin() {
        if (underWay++ == 0) {
            busySinceNs = clock.nanoTime();
        }
    }

    private synchronized void end(boolean isComplete, int length) {
        if (--underWay == 0) {
            busyNs += clock.nanoTime() - busySinceNs;
        }
        bytes += isComplete ? length : 0;
        reads += isComplete ? 1 : 0;
        failures += isComplete ? 0 : 1;
    }

    @Override
    public void close() {
        source.close();
    }
}
