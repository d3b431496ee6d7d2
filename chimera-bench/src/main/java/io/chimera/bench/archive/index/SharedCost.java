package io.chimera.bench.archive.index;

import io.chimera.archive.distributed.IndexNode;
import io.chimera.archive.distributed.IndexSender;
import io.chimera.archive.distributed.IndexedStream;
import io.chimera.archive.distributed.Peers;
import io.chimera.archive.index.IndexMessages;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Bytes that an archive node sends to index nodes, measured with the real sender and with all spans on another node.
 *
 * @param bytes bytes of parcels per packet, including HTTP overhead
 * @param parcels number of parcels
 */
record SharedCost(double bytes, long parcels) {
    /** Size of request and reply headers of the JDK's client and the recorder. */
    private static final int HTTP_BYTES = 400;

    /** 2,000 intervals, 128 MB: the data of one minute at 2 MB/s. */
    private static final long SPAN_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long INTERVALS_MIN = 20_000;
    private static final double MS_PER_SPAN = SPAN_NS / 1e6;
    private static final long NODE_BYTES = 1L << 30;
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int TURNS = 200;

    /** Indexes the packets repeatedly until there are enough spans, and shares the index. */
    static SharedCost of(PacketTuples packets) {
        TupleIndexer indexer = new TupleIndexer(SignatureKind.SPLIT_BLOCK, true);
        long rounds = 0;
        while (indexer.intervals() < INTERVALS_MIN) {
            indexer.index(packets);
            rounds++;
        }
        Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
        Wire wire = new Wire();
        int keys = new IndexMessages(TupleIndexer.KEYS).fingerprint();
        ArchiveMember leaf = new ArchiveMember("leaf", 1, "leaf", new ArchiveMember.IndexFormat(SPAN_NS, keys), 0);
        ArchiveMember other = new ArchiveMember("other", 2, "other", new ArchiveMember.IndexFormat(SPAN_NS, keys), 0);
        ClusterView view = ClusterView.of(1, new Archives(List.of(other), List.of()));
        IndexSender sender = new IndexSender(
                leaf,
                TupleIndexer.KEYS,
                List.of(new IndexedStream("packets", indexer.index())),
                () -> view,
                member -> {},
                wire,
                wire.node(leaf),
                wire,
                counters);
        long sent = -1;
        for (int turn = 0; turn < TURNS; turn++) {
            wire.nowNs += TURN_NS;
            while (sender.doWork() > 0 && wire.parcels != sent) {
                sent = wire.parcels;
            }
        }
        sender.onClose();
        double perInterval = (double) rounds * packets.size() / indexer.intervals();
        double shared = counters.get(ArchiveCounter.SHARED_SPANS_SENT) * MS_PER_SPAN * perInterval;
        return new SharedCost((wire.bytes + (double) wire.parcels * HTTP_BYTES) / shared, wire.parcels);
    }

    /** Counts parcels, and supplies the time. */
    private static final class Wire implements Peers, Clock {
        private long nowNs;
        private long bytes;
        private long parcels;
        private final IndexNode other =
                new IndexNode(2, SPAN_NS, TupleIndexer.KEYS, NODE_BYTES, this, new Counters<>(ArchiveCounter.class));

        private IndexNode node(ArchiveMember member) {
            return new IndexNode(
                    member.session(),
                    SPAN_NS,
                    TupleIndexer.KEYS,
                    NODE_BYTES,
                    this,
                    new Counters<>(ArchiveCounter.class));
        }

        @Override
        public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
            bytes += parcel.length;
            parcels++;
            try {
                reply.accept(other.take(parcel));
            } catch (DamagedRecordException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public List<byte[]> ask(List<ArchiveMember> nodes, List<byte[]> questions) {
            throw new UnsupportedOperationException("Unused in this benchmark.");
        }

        @Override
        public FoundPackets packets(ArchiveMember from, Question question) {
            throw new UnsupportedOperationException("Unused in this benchmark.");
        }

        @Override
        public FoundPoints points(ArchiveMember from, Question question) {
            throw new UnsupportedOperationException("Unused in this benchmark.");
        }

        @Override
        public void awaitRoom(int refusals) {
            throw new UnsupportedOperationException("Unused in this benchmark.");
        }

        @Override
        public long nanoTime() {
            return nowNs;
        }

        /** Returns a time long after the packets. */
        @Override
        public long epochNs() {
            return TimeUnit.DAYS.toNanos(365) + nowNs;
        }
    }
}
