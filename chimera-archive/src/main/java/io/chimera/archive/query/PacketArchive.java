package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.IntervalAdder;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PacketBatch;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Archives packets: cuts them into intervals, appends these to a data stream and their keys to its index (Hyperion, sections 4
 * and 5). Packets can be found once their interval is cut: when it is full, or old enough.
 *
 * <p>One thread, that of the store's writer, which also calls {@link StreamStore#doWork}. Nothing is allocated per packet. Where
 * the device does not keep up, nothing is thrown away: {@link #add} takes no more.
 */
public final class PacketArchive {
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final long intervalAgeNs;
    private final PacketIntervalWriter interval;
    private final IntervalAppender appender;
    private final Map<Integer, PacketKeys> keysOfKinds = new HashMap<>();

    /** Of frames that begin as the last one did. */
    private PacketKeys keys;

    private int keysLinkType;

    /** By the clock, when the first packet of the interval came. */
    private long beganNs;

    private long packetBytes;

    /**
     * Opens or creates the stream. What the index lacks since the last time is read again first.
     *
     * @throws io.chimera.common.error.ChimeraException when the guarantee does not fit, or the device cannot be read
     */
    public PacketArchive(StreamStore store, ArchiveSettings settings, Clock clock, Counters<ArchiveCounter> counters) {
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
        appender = new IntervalAppender(store, ArchiveStream.create(store, ArchiveStream.PACKETS, settings), counters);
        appender.rebuild(new Reindexing());
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
        keysOf(linkType);
        for (int i = from; i < size; i++) {
            if (!put(batch, i, linkType)) {
                if (!cut()) {
                    return i;
                }
                beganNs = clock.nanoTime();
                put(batch, i, linkType);
            }
            keys.add(interval.address(), interval.captured());
        }
        return size;
    }

    private void keysOf(int linkType) {
        if (keys == null || linkType != keysLinkType) {
            keys = keysOfKinds.computeIfAbsent(linkType, type -> new PacketKeys(type, appender.sink()));
            keysLinkType = linkType;
        }
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
        if (!appender.append(
                interval.buffer(), interval.finish(), interval.firstNs(), interval.lastNs(), interval.packets())) {
            return false;
        }
        counters.add(ArchiveCounter.ARCHIVE_PACKETS, interval.packets());
        counters.add(ArchiveCounter.ARCHIVE_BYTES, packetBytes);
        packetBytes = 0;
        interval.clear();
        return true;
    }

    /** Appends what has waited long enough, and what is due of the index. Does not wait. Returns 0 when there was nothing to do. */
    public int doWork() {
        long nowNs = clock.nanoTime();
        int work = appender.doWork();
        if (interval.packets() > 0 && nowNs - beganNs >= intervalAgeNs && cut()) {
            work++;
        }
        return work;
    }

    /**
     * Appends the interval although it is neither full nor old, and the index of all there is, and asks that both are made durable.
     * Nothing is added afterwards.
     *
     * @return false when there is no room now: call {@link #doWork} and that of the store, and try again
     */
    public boolean end() {
        if (interval.packets() > 0 && !cut()) {
            return false;
        }
        appender.finish();
        return true;
    }

    /** Whether all that was appended survives a loss of power. */
    public boolean isDurable() {
        return appender.isDurable();
    }

    /** Adds the keys of an interval that is in the data stream and not yet in the index. */
    private final class Reindexing implements IntervalAdder {
        private final PacketInterval packets = new PacketInterval();

        @Override
        public void add(RecordView record, IndexWriter into) {
            DirectBuffer bytes = interval.hold(record.buffer());
            packets.wrap(bytes, 0, record.buffer().capacity());
            keysOf(packets.linkType());
            while (packets.next()) {
                keys.add(packets.address(), packets.captured());
            }
            into.endInterval(record.handle(), record.number(), packets.firstNs(), packets.lastNs(), packets.packets());
            interval.clear();
        }
    }
}
