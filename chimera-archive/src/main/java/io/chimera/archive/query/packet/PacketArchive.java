package io.chimera.archive.query.packet;

import io.chimera.api.HotPath;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.interval.IntervalAppender;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PacketBatch;
import org.jspecify.annotations.Nullable;

/**
 * Archives packets: cuts them into intervals, appends the intervals to a data stream, and their keys to its index
 * (Hyperion, sections 4 and 5). Packets become searchable once their interval is cut, because it is full or old enough,
 * and indexed.
 *
 * <p>Confined to the thread of the store's writer, which also calls {@link StreamStore#doWork}; a second thread may
 * index the intervals. No allocation per packet. If the device or the index does not keep up, nothing is dropped:
 * {@link #add} stops accepting packets.
 */
public final class PacketArchive implements AutoCloseable {
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final long intervalAgeNs;
    private final IntervalAppender appender;
    private final PacketIndexer indexer;

    /** Null if this thread does the indexing. */
    private final @Nullable IndexingThread beside;

    private PacketIntervalWriter interval;

    /** Clock time of the first packet of the interval. */
    private long beganNs;

    private long packetBytes;

    /**
     * Opens or creates the stream, with indexing on this thread. First re-indexes the intervals missing in the index
     * since the last run.
     *
     * @throws io.chimera.common.error.ChimeraException when the guarantee does not fit, or the device cannot be read
     */
    public PacketArchive(StreamStore store, ArchiveSettings settings, Clock clock, Counters<ArchiveCounter> counters) {
        this(store, settings, clock, counters, false);
    }

    /**
     * Opens or creates the stream.
     *
     * @param isIndexedBeside true to index on a separate thread, for machines with a spare processor
     */
    public PacketArchive(
            StreamStore store,
            ArchiveSettings settings,
            Clock clock,
            Counters<ArchiveCounter> counters,
            boolean isIndexedBeside) {
        this.clock = clock;
        this.counters = counters;
        intervalAgeNs = settings.intervalAge().toNanos();
        interval = new PacketIntervalWriter(settings.intervalBytes());
        if (interval.bytesMax() > store.recordLengthMax()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The blocks are too small for packets: the longest packet takes " + interval.bytesMax()
                            + " bytes, and a record has " + store.recordLengthMax()
                            + " at most; create the volume with blocks of 1 MiB.");
        }
        AppendedElsewhere elsewhere = isIndexedBeside ? new AppendedElsewhere(store) : null;
        StreamStore ofIndex = elsewhere == null ? store : elsewhere;
        ArchiveStream stream = ArchiveStream.create(ofIndex, ArchiveStream.PACKETS, settings);
        appender = new IntervalAppender(store, stream, counters);
        indexer = new PacketIndexer(appender.index());
        appender.rebuild((record, into) -> {
            if (!indexer.addAgain(record, interval)) {
                counters.increment(ArchiveCounter.ARCHIVE_INTERVALS_FOREIGN);
            }
        });
        if (elsewhere == null) {
            beside = null;
        } else {
            beside = new IndexingThread(appender, indexer, elsewhere, clock, settings.intervalBytes());
            interval = beside.interval();
        }
    }

    /** Returns the written stream, open for queries of any thread. */
    public ArchiveStream stream() {
        return appender.stream();
    }

    /**
     * Adds packets of a batch, in order.
     *
     * @param from index of the first packet to add
     * @param linkType link type of all frames of the batch
     * @return index of the first packet not added; the size of the batch when all were added. A smaller index means no
     *     room: call {@link #doWork} and the store's {@code doWork}, then continue with this index
     */
    @HotPath
    public int add(PacketBatch batch, int from, int linkType) {
        int size = batch.size();
        if (from < size && interval.packets() == 0) {
            beganNs = clock.nanoTime();
        }
        for (int i = from; i < size; i++) {
            if (!put(batch, i, linkType)) {
                if (!cut()) {
                    return i;
                }
                beganNs = clock.nanoTime();
                put(batch, i, linkType);
            }
        }
        return size;
    }

    @HotPath
    private boolean put(PacketBatch batch, int i, int linkType) {
        if (!interval.add(
                linkType,
                batch.timestampNs(i),
                batch.address(i),
                batch.captured(i),
                batch.length(i),
                batch.vlanTci(i),
                batch.vlanTpid(i))) {
            return false;
        }
        packetBytes += interval.captured();
        return true;
    }

    /** Appends the interval. Returns false if there is no room. */
    private boolean cut() {
        int bytes = interval.finish();
        boolean isRoom = beside == null ? appender.index().isReady() : beside.hasRoom();
        RecordHandle handle = appender.append(interval.buffer(), bytes, interval.lastNs(), isRoom);
        if (handle == null) {
            return false;
        }
        counters.add(ArchiveCounter.ARCHIVE_PACKETS, interval.packets());
        counters.add(ArchiveCounter.ARCHIVE_BYTES, packetBytes);
        packetBytes = 0;
        if (beside == null) {
            indexer.add(interval.buffer(), bytes, handle, appender.number());
            interval.clear();
        } else {
            beside.appended(bytes, handle, appender.number());
            interval = beside.interval();
        }
        return true;
    }

    /**
     * Appends an interval past its maximum age, and due index records. Does not wait. Returns 0 if there was no work.
     */
    public int doWork() {
        long nowNs = clock.nanoTime();
        int work = beside == null ? appender.doWork(nowNs) : beside.doWork();
        if (interval.packets() > 0 && nowNs - beganNs >= intervalAgeNs && cut()) {
            work++;
        }
        return work;
    }

    /**
     * Appends the partly filled interval and the rest of the index, and requests a sync of both. No packet may be added
     * afterwards.
     *
     * @return false if there is no room, or the index is behind: call {@link #doWork} and the store's {@code doWork},
     *     then retry
     */
    public boolean end() {
        if (interval.packets() > 0 && !cut()) {
            return false;
        }
        if (beside != null) {
            beside.doWork();
            if (!beside.isIdle()) {
                return false;
            }
            beside.close();
            beside.doWork(); // throws a last failure of the thread
        }
        appender.finish();
        return true;
    }

    /** Returns true if everything appended survives a loss of power. */
    public boolean isDurable() {
        return appender.isDurable();
    }

    /** Stops the indexing; the next start re-indexes the rest. */
    @Override
    public void close() {
        if (beside != null) {
            beside.close();
        }
    }
}
