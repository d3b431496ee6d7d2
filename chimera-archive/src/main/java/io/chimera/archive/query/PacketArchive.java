package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PacketBatch;

/**
 * Archives packets: cuts them into intervals, appends these to a data stream and their keys to its index (Hyperion, sections 4
 * and 5). Packets can be found once their interval is cut, when it is full, or old enough, and indexed.
 *
 * <p>One thread, that of the store's writer, which also calls {@link StreamStore#doWork}; intervals may be indexed on another beside it.
 * Nothing is allocated per packet. Where the device or the index does not keep up, nothing is thrown away: {@link #add} takes no more.
 */
public final class PacketArchive implements AutoCloseable {
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final long intervalAgeNs;
    private final IntervalAppender appender;
    private final PacketIndexer indexer;

    /** Null: indexed here. */
    private final IndexingThread beside;

    private PacketIntervalWriter interval;

    /** By the clock, when the first packet of the interval came. */
    private long beganNs;

    private long packetBytes;

    /**
     * Opens or creates the stream, and indexes on this thread. What the index lacks since the last time is read again first.
     *
     * @throws io.chimera.common.error.ChimeraException when the guarantee does not fit, or the device cannot be read
     */
    public PacketArchive(StreamStore store, ArchiveSettings settings, Clock clock, Counters<ArchiveCounter> counters) {
        this(store, settings, clock, counters, false);
    }

    /**
     * The same.
     *
     * @param isIndexedBeside intervals are indexed on a thread of their own, for machines with a processor to spare
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
                    "Packets cannot be archived in blocks this small: the longest packet takes " + interval.bytesMax()
                            + " bytes, and a record has " + store.recordLengthMax()
                            + " at most; create the volume with blocks of 1 MiB.");
        }
        AppendedElsewhere elsewhere = isIndexedBeside ? new AppendedElsewhere(store) : null;
        StreamStore ofIndex = isIndexedBeside ? elsewhere : store;
        ArchiveStream stream = ArchiveStream.create(ofIndex, ArchiveStream.PACKETS, settings);
        appender = new IntervalAppender(store, stream, counters);
        indexer = new PacketIndexer(appender.index());
        appender.rebuild((record, into) -> {
            if (!indexer.addAgain(record, interval)) {
                counters.increment(ArchiveCounter.ARCHIVE_INTERVALS_FOREIGN);
            }
        });
        if (isIndexedBeside) {
            beside = new IndexingThread(appender, indexer, elsewhere, clock, settings.intervalBytes());
            interval = beside.interval();
        } else {
            beside = null;
        }
    }

    /** What is written, to be asked by any thread. */
    public ArchiveStream stream() {
        return appender.stream();
    }

    /**
     * Takes packets of a batch, in their order.
     *
     * @param from the first that was not taken yet
     * @param linkType what all frames of the batch begin with
     * @return the first that was not taken; the size of the batch when all were. There was no room for others: call {@link #doWork}
     *     and that of the store, and go on with it
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

    /** Appends the interval. False: there is no room now. */
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

    /** Appends what has waited long enough, and what is due of the index. Does not wait. Returns 0 when there was nothing to do. */
    public int doWork() {
        long nowNs = clock.nanoTime();
        int work = beside == null ? appender.doWork(nowNs) : beside.doWork();
        if (interval.packets() > 0 && nowNs - beganNs >= intervalAgeNs && cut()) {
            work++;
        }
        return work;
    }

    /**
     * Appends the interval although it is neither full nor old, and the index of all there is, and asks that both are made durable.
     * Nothing is added afterwards.
     *
     * @return false when there is no room now, or the index is behind: call {@link #doWork} and that of the store, and try again
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
            beside.doWork(); // throws where it failed at last
        }
        appender.finish();
        return true;
    }

    /** Whether all that was appended survives a loss of power. */
    public boolean isDurable() {
        return appender.isDurable();
    }

    /** Indexes no more: what was not indexed is read again at the next start. */
    @Override
    public void close() {
        if (beside != null) {
            beside.close();
        }
    }
}
