package io.chimera.apps.archive;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records packets of one or several sources into one volume. One thread, the writer's of the volume. */
public final class Recorder implements AutoCloseable {
    private static final long COUNT_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final StreamStore store;
    private final List<RecordedSource> sources;
    private final Clock clock;
    private long countedNs;
    private boolean isEnded;

    /** Nothing is recorded yet. The sources are closed with this, the store is not. */
    public Recorder(StreamStore store, List<RecordedSource> sources, Clock clock) {
        this.store = store;
        this.sources = List.copyOf(sources);
        this.clock = clock;
        countedNs = clock.nanoTime();
    }

    /** The streams that are written. */
    public List<ArchiveStream> streams() {
        return sources.stream().map(source -> source.archive().stream()).toList();
    }

    /**
     * One turn: a batch of each source, and what the device is to do.
     *
     * @return 0 when there was nothing to do
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

    /** Whether all sources are files that were read to their end. */
    public boolean isAtEnd() {
        return sources.stream().allMatch(RecordedSource::isAtEnd);
    }

    /**
     * Receives no more, and appends what was received; to be called, with {@link #doWork}, until it returns true.
     *
     * @return whether all that was received survives a loss of power
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
