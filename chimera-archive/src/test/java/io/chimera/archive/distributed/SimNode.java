package io.chimera.archive.distributed;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexMessages;
import io.chimera.archive.index.IndexSettings;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.SignatureKind;
import io.chimera.archive.query.KeySink;
import io.chimera.archive.query.PacketKeys;
import io.chimera.archive.streamfs.MemoryStreamStore;
import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.StreamSettings;
import io.chimera.common.cluster.ArchiveMember;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One archive node of a {@link SimCluster}: a data stream of intervals with a few packets, whose index, sender and index node are the real
 * ones. It outlives its processes.
 */
final class SimNode {
    static final long SPAN_NS = 60_000_000_000L;
    private static final int FRAME_BYTES = 60;
    private static final int ITEM_BYTES = 16;

    /** A few groups: most spans take several parcels. */
    private static final int PARCEL_BYTES = 4_000;

    private static final long NOTICED_WITHIN_NS = 1_000_000_000L;

    /** Groups of 4 intervals, so that there are many. */
    private static final IndexSettings SETTINGS =
            new IndexSettings(PacketKeys.keys(), SignatureKind.SPLIT_BLOCK, 10, 16, 1024, 4, 64);

    final String id;
    final List<Item> items = new ArrayList<>();
    final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final SimCluster cluster;
    private final MemoryStreamStore store = new MemoryStreamStore();
    private final int data;
    private final int indexStream;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ITEM_BYTES * 16]);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[FRAME_BYTES]);

    /** Null while no process runs. */
    IndexSender sender;

    IndexNode indexNode;
    long session;
    boolean isReachable = true;

    /** Since when it sees the cluster, or does not; in virtual time. */
    long turnedNs;

    long killedNs;
    long idleUntilNs;
    ClusterView view = ClusterView.NONE;
    private Index index;
    private IndexWriter writer;
    private long generation;

    /** A packet: when, from which host; since when it must be found. */
    static final class Item {
        final long timeNs;
        final int host;
        final long archivedNs;
        final long session;
        final boolean isOld;

        /** Not found before the generation of its node is seen; 0: at once; {@link Long#MAX_VALUE}: not noticed yet. */
        long generation;

        Item(long timeNs, int host, long archivedNs, long session, boolean isOld) {
            this.timeNs = timeNs;
            this.host = host;
            this.archivedNs = archivedNs;
            this.session = session;
            this.isOld = isOld;
        }
    }

    SimNode(SimCluster cluster, String id) {
        this.cluster = cluster;
        this.id = id;
        data = store.open(new StreamSettings("packets", "packets", 0));
        indexStream = store.open(new StreamSettings("packets.index", "index", 0));
    }

    boolean isRunning() {
        return sender != null;
    }

    void start(long newSession, long indexBytesMax) {
        session = newSession;
        generation = 0;
        view = ClusterView.NONE;
        index = Index.open(store, data, indexStream, SETTINGS);
        writer = index.writer();
        writer.rebuild((record, into) -> {
            int length = record.buffer().capacity();
            buffer.putBytes(0, record.buffer(), 0, length);
            end(record.handle(), record.number(), length, into);
        });
        indexNode = new IndexNode(session, SPAN_NS, PacketKeys.keys(), indexBytesMax, cluster.clock, counters);
        sender = new IndexSender(
                new ArchiveMember(id, session, id, SPAN_NS, fingerprint(), 0),
                PacketKeys.keys(),
                List.of(new IndexedStream("packets", index)),
                () -> view,
                member -> cluster.announced(this, member),
                cluster.network,
                indexNode,
                cluster.clock,
                counters,
                PARCEL_BYTES);
    }

    private static int fingerprint() {
        return new IndexMessages(PacketKeys.keys()).fingerprint();
    }

    void kill() {
        sender.onClose();
        sender = null;
        indexNode = null;
    }

    /** Archives an interval of packets from one host at these times. */
    void archive(int host, long[] timesNs) {
        long nowNs = cluster.clock.epochNs();
        for (int i = 0; i < timesNs.length; i++) {
            buffer.putLong(i * ITEM_BYTES, timesNs[i]);
            buffer.putLong(i * ITEM_BYTES + 8, host);
        }
        while (!writer.isReady()) {
            store.doWork();
            writer.doWork();
        }
        int length = timesNs.length * ITEM_BYTES;
        long lastNs = Long.MIN_VALUE;
        for (long timeNs : timesNs) {
            lastNs = Math.max(lastNs, timeNs);
        }
        RecordHandle handle = store.append(data, lastNs, buffer, 0, length);
        for (long timeNs : timesNs) {
            Item item = new Item(timeNs, host, nowNs, session, timeNs < nowNs - IndexSender.SETTLE_NS);
            item.generation = sender.isTold(Math.floorDiv(timeNs, SPAN_NS)) ? Long.MAX_VALUE : 0;
            items.add(item);
        }
        end(handle, store.appended(data), length, writer);
        writer.doWork();
        store.doWork();
    }

    private void end(RecordHandle handle, long number, int length, IndexWriter into) {
        PacketKeys keys = new PacketKeys(1, new KeySink() {
            @Override
            public void add(int key, long hash) {
                into.add(key, hash);
            }

            @Override
            public void addRange(int key, long value) {
                into.addRange(key, value);
            }

            @Override
            public boolean isRecent(long first, long second) {
                return into.isRecent(first, second);
            }
        });
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        for (int at = 0; at < length; at += ITEM_BYTES) {
            firstNs = Math.min(firstNs, buffer.getLong(at));
            lastNs = Math.max(lastNs, buffer.getLong(at));
            frame.putShort(12, (short) 0x0800, ByteOrder.BIG_ENDIAN);
            frame.putByte(14, (byte) 0x45);
            frame.putByte(23, (byte) 6);
            frame.putInt(26, 10 << 24 | (int) buffer.getLong(at + 8), ByteOrder.BIG_ENDIAN);
            frame.putInt(30, 172 << 24 | 1, ByteOrder.BIG_ENDIAN);
            keys.add(frame, 0, FRAME_BYTES);
        }
        into.endInterval(handle, number, firstNs, lastNs, length / ITEM_BYTES);
    }

    /** One turn of the sender's thread. */
    void work() {
        sender.doWork();
        if (sender.self().generation() != generation) {
            generation = sender.self().generation();
            items.stream()
                    .filter(item -> item.generation == Long.MAX_VALUE && item.session == session)
                    .forEach(item -> item.generation = generation);
        }
        long nowNs = cluster.clock.epochNs();
        for (Iterator<Item> all = items.listIterator(Math.max(0, items.size() - 64)); all.hasNext(); ) {
            Item item = all.next();
            if (item.generation == Long.MAX_VALUE
                    && item.session == session
                    && nowNs - item.archivedNs > NOTICED_WITHIN_NS) {
                throw new AssertionError("Node " + id + " did not take back what it had told of " + item.timeNs);
            }
        }
    }
}
