package io.chimera.archive.distributed;

import io.chimera.archive.index.IndexMessages;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Archive node of a {@link SimArchives}, with a busy and a slow stream. Indexes, sender and index node are the real
 * classes. A node survives its processes.
 */
final class SimNode {
    static final long SPAN_NS = 60_000_000_000L;
    static final String BUSY = "busy";
    static final String SLOW = "slow";

    /** Room for a few groups, so most spans need several parcels. */
    private static final int PARCEL_BYTES = 4_000;

    private static final long NOTICED_WITHIN_NS = 1_000_000_000L;

    final String id;
    final List<Item> items = new ArrayList<>();
    final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final SimArchives cluster;
    private final SimStream busy;
    private final SimStream slow;

    /** Null while no process runs. */
    IndexSender sender;

    IndexNode indexNode;
    long session;
    boolean isReachable = true;

    /** True if the memory of the index node is too small for its share. */
    boolean isSmall;

    /** Virtual time of the last change of {@link #isReachable}. */
    long turnedNs;

    long killedNs;
    long idleUntilNs;
    ClusterView view = ClusterView.NONE;
    private long generation;

    /** Packet with time and host, and the condition for its visibility. */
    static final class Item {
        final String stream;
        final long timeNs;
        final int host;
        final long archivedNs;
        final long session;
        final boolean isOld;

        /**
         * Generation needed to find the packet; 0: found at once; {@link Long#MAX_VALUE}: not noticed by the sender
         * yet.
         */
        long generation;

        Item(String stream, long timeNs, int host, long archivedNs, long session, boolean isOld) {
            this.stream = stream;
            this.timeNs = timeNs;
            this.host = host;
            this.archivedNs = archivedNs;
            this.session = session;
            this.isOld = isOld;
        }
    }

    SimNode(SimArchives cluster, String id) {
        this.cluster = cluster;
        this.id = id;
        MemoryStreamStore store = new MemoryStreamStore();
        busy = new SimStream(BUSY, store, cluster.clock);
        slow = new SimStream(SLOW, store, cluster.clock);
    }

    boolean isRunning() {
        return sender != null;
    }

    void start(long newSession, boolean isSmallNow) {
        session = newSession;
        isSmall = isSmallNow;
        generation = 0;
        view = ClusterView.NONE;
        List<IndexedStream> streams = List.of(busy.open(), slow.open());
        long indexBytesMax = isSmall ? 60_000 : 100 << 20;
        indexNode = new IndexNode(session, SPAN_NS, PacketKeys.keys(), indexBytesMax, cluster.clock, counters);
        sender = new IndexSender(
                new ArchiveMember(id, session, id, new ArchiveMember.IndexFormat(SPAN_NS, fingerprint()), 0),
                PacketKeys.keys(),
                streams,
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

    /** Archives an interval with packets of a host at these times. */
    void archive(String stream, int host, long[] timesNs) {
        long nowNs = cluster.clock.epochNs();
        for (long timeNs : timesNs) {
            Item item = new Item(stream, timeNs, host, nowNs, session, timeNs < nowNs - IndexSender.SETTLE_NS);
            item.generation = sender.isTold(Math.floorDiv(timeNs, SPAN_NS)) ? Long.MAX_VALUE : 0;
            items.add(item);
        }
        (stream.equals(BUSY) ? busy : slow).archive(host, timesNs);
    }

    /** Runs one turn of each thread of the node. */
    void work() {
        busy.work();
        slow.work();
        sender.doWork();
        if (cluster.mutant == SimArchives.Mutant.NOT_TOLD) {
            Untold.forget(sender);
        }
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
