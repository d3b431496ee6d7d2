package io.chimera.archive.query;

import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * An answer to a question about packets, packet by packet. Those of one data stream come in the order of arrival; several streams are
 * merged by time. It holds what was archived when it began, also while more is written. One thread.
 */
public final class PacketQuery implements AutoCloseable {
    private final long limit;
    private final PacketFilters filters;
    private final List<PacketSource> sources = new ArrayList<>();
    private final PriorityQueue<PacketSource> heads = new PriorityQueue<>(
            Comparator.<PacketSource>comparingLong(source -> source.packet().timeNs())
                    .thenComparingInt(source -> source.stream().number()));
    private PacketSource current;
    private boolean hasBegun;
    private long packets;
    private volatile boolean isCancelled;

    /**
     * Asks.
     *
     * @param streams of the store; one of them is asked where the question names it, all otherwise
     * @throws QuestionException when the question is not understood, or names a stream that is not there
     */
    public PacketQuery(StreamStore store, List<PacketStream> streams, Question question) {
        this(store, streams, question, new SystemClock());
    }

    PacketQuery(StreamStore store, List<PacketStream> streams, Question question, Clock clock) {
        filters = new PacketFilters(question.filter());
        limit = question.limit();
        List<PacketStream> asked = asked(streams, question);
        try {
            asked.forEach(stream -> sources.add(new PacketSource(store, stream, question, filters, clock)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** What whoever asked should be told, though the question is understood; often empty. */
    public List<String> warnings() {
        return filters.warnings();
    }

    private static List<PacketStream> asked(List<PacketStream> streams, Question question) {
        if (question.stream().isEmpty()) {
            return streams;
        }
        return List.of(streams.stream()
                .filter(stream -> stream.name().equals(question.stream()))
                .findFirst()
                .orElseThrow(() -> new QuestionException("There is no stream " + question.stream()
                        + " of packets; there are: "
                        + streams.stream().map(PacketStream::name).collect(Collectors.joining(", ")) + ".")));
    }

    /**
     * Goes to the next packet.
     *
     * @return false when there is none, the limit is reached, or the query was cancelled
     * @throws io.chimera.common.error.ChimeraException when the index cannot be read. Intervals that cannot be read are counted, and
     *     the rest comes
     */
    public boolean next() {
        if (packets == limit || isCancelled) {
            return false;
        }
        if (!hasBegun) {
            hasBegun = true;
            sources.forEach(this::advance);
        } else if (current != null) {
            advance(current);
        }
        current = heads.poll();
        packets += current == null ? 0 : 1;
        return current != null;
    }

    private void advance(PacketSource source) {
        if (source.next()) {
            heads.add(source);
        }
    }

    /** The packet: a cursor of whose methods only those that move it are not for the caller. Valid until the next. */
    public PacketInterval packet() {
        return current.packet();
    }

    /** The data stream that the packet comes from. */
    public String stream() {
        return current.stream().name();
    }

    /** What was done up to now; whole once {@link #next} has returned false. */
    public QueryProgress progress() {
        QueryProgress all =
                sources.stream().map(PacketSource::progress).reduce(QueryProgress.NONE, QueryProgress::plus);
        return all.withPackets(packets);
    }

    /** What of the question the index was asked, and what each step took up to now; whole once {@link #next} has returned false. */
    public Explanation explanation() {
        return new Explanation(
                filters.text(),
                filters.probeInWords(),
                filters.steps(),
                sources.stream().map(PacketSource::explanation).toList());
    }

    /** Ends the answer at the next packet, also while nothing is found; what is not whole is not told apart from what is. Any thread. */
    public void cancel() {
        isCancelled = true;
        sources.forEach(PacketSource::cancel);
    }

    @Override
    public void close() {
        sources.forEach(PacketSource::close);
    }
}
