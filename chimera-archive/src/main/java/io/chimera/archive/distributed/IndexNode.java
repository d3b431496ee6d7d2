package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Reply;
import io.chimera.archive.distributed.SpanQuestion.Member;
import io.chimera.archive.distributed.SpanQuestion.Told;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/**
 * Holds this node's share of the distributed index in memory: the level-2 summaries of all archive nodes, including
 * this node, for the spans of its share. Spans lost by a restart or dropped above the memory limit are reported as
 * unknown; the querying node then asks the archive nodes directly. Any thread.
 */
public final class IndexNode {
    private static final long FORGOTTEN_AFTER_NS = TimeUnit.MINUTES.toNanos(5);
    private static final int MEMBERS_MAX = DistributedCodec.MEMBERS_MAX;

    private final long session;
    private final Spans spans;
    private final long bytesMax;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final DistributedCodec codec;
    private final Map<Long, HeldMember> members = new HashMap<>();
    private long incarnations;
    private long floor = Long.MIN_VALUE;

    /**
     * Creates an empty index node.
     *
     * @param session session of this process; never reused
     * @param spanNs length of a span
     * @param keys keys of the indexes
     * @param bytesMax approximate memory limit; the earliest spans are dropped above the limit
     */
    public IndexNode(
            long session,
            long spanNs,
            List<IndexKey> keys,
            long bytesMax,
            Clock clock,
            Counters<ArchiveCounter> counters) {
        this.session = session;
        spans = new Spans(spanNs);
        this.bytesMax = bytesMax;
        this.clock = clock;
        this.counters = counters;
        codec = new DistributedCodec(keys);
    }

    /**
     * Applies a parcel.
     *
     * @return the encoded reply
     * @throws DamagedRecordException when the bytes are not a parcel, or come from a node with another span length
     */
    public synchronized byte[] take(byte[] bytes) throws DamagedRecordException {
        Parcel parcel = codec.parcel(bytes);
        check(parcel.spanNs());
        counters.add(ArchiveCounter.SHARED_RECEIVED_BYTES, bytes.length);
        HeldMember member = members.get(parcel.session());
        if (parcel.incarnation() == 0) {
            member = begin(parcel.session());
        } else if (member == null || member.incarnation() != parcel.incarnation()) {
            return codec.encode(new Reply(0, parcel.sequence(), floor));
        }
        member.seen(clock.nanoTime());
        member.take(parcel, floor);
        makeRoom();
        return codec.encode(new Reply(member.incarnation(), parcel.sequence(), floor));
    }

    private void check(long spanNs) throws DamagedRecordException {
        if (spanNs != spans.lengthNs()) {
            throw new DamagedRecordException("spans of " + spanNs + " ns, but this node uses " + spans.lengthNs());
        }
    }

    private HeldMember begin(long sender) throws DamagedRecordException {
        if (members.size() >= MEMBERS_MAX && !members.containsKey(sender)) {
            throw new DamagedRecordException("a parcel of an archive node beyond the limit of " + MEMBERS_MAX);
        }
        incarnations++;
        HeldMember member = new HeldMember(Math.max(1, (session ^ incarnations) & Long.MAX_VALUE), clock.nanoTime());
        members.put(sender, member);
        return member;
    }

    private void makeRoom() {
        while (bytes() > bytesMax) {
            long first =
                    members.values().stream().mapToLong(HeldMember::first).min().orElse(Long.MAX_VALUE);
            if (first == Long.MAX_VALUE) {
                return; // no span left to drop
            }
            members.values().forEach(member -> member.drop(first));
            floor = first + 1;
            counters.increment(ArchiveCounter.SHARED_SPANS_DROPPED);
        }
    }

    /**
     * Returns which archive nodes may hold matching data, and which spans are unknown here.
     *
     * @throws DamagedRecordException when the bytes are not a question, or the span length differs
     */
    public synchronized byte[] answer(byte[] bytes) throws DamagedRecordException {
        SpanQuestion question = codec.question(bytes);
        check(question.spanNs());
        List<Told> answer = new ArrayList<>();
        for (Member asked : question.members()) {
            HeldMember member = members.get(asked.session());
            answer.add(member == null ? nothing(question) : member.told(question, asked.generation()));
        }
        return codec.encode(answer);
    }

    private static Told nothing(SpanQuestion question) {
        BitSet unknown = new BitSet();
        unknown.set(0, question.spans().size());
        return new Told(unknown, false, 0, 0);
    }

    /** Removes the data of archive nodes that have left the membership for a while. */
    synchronized void forget(LongPredicate isMember) {
        long nowNs = clock.nanoTime();
        members.forEach((sender, member) -> {
            if (isMember.test(sender)) {
                member.seen(nowNs);
            }
        });
        members.values().removeIf(member -> nowNs - member.seenNs() >= FORGOTTEN_AFTER_NS);
    }

    /** Returns the approximate memory use in bytes. */
    public synchronized long bytes() {
        return members.values().stream().mapToLong(HeldMember::bytes).sum();
    }

    /** Returns the number of held spans, summed over the archive nodes. */
    public synchronized long spans() {
        return members.values().stream().mapToLong(HeldMember::spans).sum();
    }
}
