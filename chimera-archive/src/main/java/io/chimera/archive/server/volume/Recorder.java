package io.chimera.archive.server.volume;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records packets of one or several sources into one volume. One thread, the volume's writer. */
public final class Recorder implements AutoCloseable {
    private static final long COUNT_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final StreamStore store;
    private final List<RecordedSource> sources;
    private final Clock clock;
    private long countedNs;
    private boolean isEnded;

    /** Creates a recorder. The recorder closes the sources, but not the store. */
    public Recorder(StreamStore store, List<RecordedSource> sources, Clock clock) {
        this.store = store;
        this.sources = List.copyOf(sources);
        this.clock = clock;
        countedNs = clock.nanoTime();
    }

    /** Returns the written streams. */
    public List<ArchiveStream> streams() {
        return sources.stream().map(source -> source.archive().stream()).toList();
    }

    /**
     * Moves one batch of each source, and advances the device.
     *
     * @return 0 if no work was possible
     */
    public int doWork() {
        int work = 0;
        for (RecordedSource source : sources) {
            work += source.doWork();
        }
        work += store.doWork();
        if (clock.nanoTime() - countedNs >= COUNT_EVERY_NS) {
            countedNs = clock.nanoTime();
            sources.forEach(RecordedSource::count);
        }
        return work;
    }

    /** Whether all sources are files and at their end. */
    public boolean isAtEnd() {
        return sources.stream().allMatch(RecordedSource::isAtEnd);
    }

    /**
     * Stops receiving, and appends the received packets. Call repeatedly, together with {@link #doWork}, until it
     * returns true.
     *
     * @return whether all received packets survive a power loss
     */
    public boolean end() {
        sources.forEach(RecordedSource::end);
        if (!isEnded) {
            isEnded = sources.stream()
                    .allMatch(source -> source.isTaken() && source.archive().end());
            return false;
        }
        sources.forEach(RecordedSource::count);
        return sources.stream().allMatch(source -> source.archive().isDurable());
    }

    @Override
    public void close() {
        sources.forEach(RecordedSource::close);
    }
}
