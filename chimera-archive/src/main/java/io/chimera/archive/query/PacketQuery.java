package io.chimera.archive.query;

import io.chimera.archive.streamfs.StreamStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * An answer to a question about packets, packet by packet. Those of one data stream come in the order of arrival; several streams are
 * merged by time. It holds what was archived when it began, also while more is written. One thread.
 */
public final class PacketQuery implements FoundPackets {
    private final long limit;
    private final List<String> warnings;
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
        PacketFilters filters = new PacketFilters(question.filter());
        limit = question.limit();
        warnings = filters.warnings();
        List<PacketStream> asked = asked(streams, question);
        try {
            asked.forEach(stream -> sources.add(new PacketSource(store, stream, question, filters, () -> isCancelled)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public List<String> warnings() {
        return warnings;
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

    /** See {@link FoundPackets#next}. Intervals that cannot be read are counted, and the rest comes. */
    @Override
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

    @Override
    public PacketInterval packet() {
        return current.packet();
    }

    @Override
    public String stream() {
        return current.stream().name();
    }

    @Override
    public QueryProgress progress() {
        QueryProgress all =
                sources.stream().map(PacketSource::progress).reduce(QueryProgress.NONE, QueryProgress::plus);
        return all.withPackets(packets);
    }

    @Override
    public void cancel() {
        isCancelled = true;
    }

    @Override
    public void close() {
        sources.forEach(PacketSource::close);
    }
}
