package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Reply;
import io.chimera.archive.distributed.SpanQuestion.Member;
import io.chimera.archive.distributed.SpanQuestion.Told;
import io.chimera.archive.index.DamagedRecordException;
import io.chimera.archive.index.IndexKey;
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
 * What this node holds of the indexes of all archive nodes, its own among them: for the spans that are its share, in memory. What it has
 * lost, by a restart or for want of room, is not answered for; whoever asks turns to the archive nodes themselves. Any thread.
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
     * Holds nothing yet.
     *
     * @param session of this process; never used again
     * @param spanNs how long spans are
     * @param keys of the indexes
     * @param bytesMax of memory for what it holds, about; beyond it the earliest spans are dropped
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
     * Takes a parcel.
     *
     * @return what is to be answered
     * @throws DamagedRecordException when it is none, or of nodes that do not share an index with this one
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
            throw new DamagedRecordException("spans of " + spanNs + " ns, this node has " + spans.lengthNs());
        }
    }

    private HeldMember begin(long sender) throws DamagedRecordException {
        if (members.size() >= MEMBERS_MAX && !members.containsKey(sender)) {
            throw new DamagedRecordException("from one archive node more than " + MEMBERS_MAX);
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
            members.values().forEach(member -> member.drop(first));
            floor = first + 1;
            counters.increment(ArchiveCounter.SHARED_SPANS_DROPPED);
        }
    }

    /**
     * Answers which archive nodes may hold something, and of which spans it does not know.
     *
     * @throws DamagedRecordException when it is no question, or spans are of another length
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

    /** Forgets those who have not been members for a while. */
    synchronized void forget(LongPredicate isMember) {
        long nowNs = clock.nanoTime();
        members.forEach((sender, member) -> {
            if (isMember.test(sender)) {
                member.seen(nowNs);
            }
        });
        members.values().removeIf(member -> nowNs - member.seenNs() >= FORGOTTEN_AFTER_NS);
    }

    /** Bytes that are held, about. */
    public synchronized long bytes() {
        return members.values().stream().mapToLong(HeldMember::bytes).sum();
    }

    /** Spans of which something is held, counted for each archive node. */
    public synchronized long spans() {
        return members.values().stream().mapToLong(HeldMember::spans).sum();
    }
}
