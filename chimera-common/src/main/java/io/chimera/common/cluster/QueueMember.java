package io.chimera.common.cluster;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A live queue node as it announces itself, again and again while its journal grows.
 *
 * @param id the node's name in the configuration
 * @param session names this start of the process; never used again
 * @param address host:port where peers connect
 * @param http host:port of health, metrics and taps
 * @param stream the stream that this start of the node stamps, new with every start
 * @param digests of the configurations that it can process cycles with, the newest first; see {@link Agreement}
 * @param bases per stream: the journal holds only what lies above this sequence number
 * @param positions per stream: the journal holds all up to this sequence number, durably
 * @param leaving true when the node asked to leave: it gets no part of later cycles
 * @param unreachable sessions of live processors that the node has had no channel to for some seconds
 * @param clockMs the node's clock when it announced, ms since 1970; 0 from a release that does not announce it
 * @param past cycles whose records the journal still holds and whose bounds it knows, so that they can be replayed
 * @param kept how far the copy of the control state in the node's data folder reaches
 */
public record QueueMember(
        String id,
        long session,
        String address,
        String http,
        long stream,
        List<String> digests,
        SortedMap<Long, Long> bases,
        SortedMap<Long, Long> positions,
        boolean leaving,
        List<Long> unreachable,
        long clockMs,
        List<CycleSpan> past,
        ControlMark kept) {
    /** Takes unmodifiable copies. */
    public QueueMember {
        digests = List.copyOf(digests);
        bases = Collections.unmodifiableSortedMap(new TreeMap<>(bases));
        positions = Collections.unmodifiableSortedMap(new TreeMap<>(positions));
        unreachable = List.copyOf(unreachable);
        past = List.copyOf(past);
    }

    /** A node without a copy of the control state. */
    public QueueMember(
            String id,
            long session,
            String address,
            String http,
            long stream,
            List<String> digests,
            SortedMap<Long, Long> bases,
            SortedMap<Long, Long> positions,
            boolean leaving,
            List<Long> unreachable,
            long clockMs,
            List<CycleSpan> past) {
        this(
                id,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                positions,
                leaving,
                unreachable,
                clockMs,
                past,
                ControlMark.NONE);
    }

    /** A node of one configuration that reaches every processor and retains nothing beyond the commit. */
    public QueueMember(
            String id,
            long session,
            String address,
            String http,
            long stream,
            String digest,
            SortedMap<Long, Long> bases,
            SortedMap<Long, Long> positions,
            boolean leaving) {
        this(id, session, address, http, stream, List.of(digest), bases, positions, leaving, List.of(), 0, List.of());
    }

    /** The same at other positions. */
    public QueueMember at(SortedMap<Long, Long> others) {
        return new QueueMember(
                id, session, address, http, stream, digests, bases, others, leaving, unreachable, clockMs, past, kept);
    }

    /** The same with another clock. */
    public QueueMember clockedAt(long ms) {
        return new QueueMember(
                id, session, address, http, stream, digests, bases, positions, leaving, unreachable, ms, past, kept);
    }

    /** The same with a copy of the control state that reaches so far. */
    public QueueMember keeping(ControlMark mark) {
        return new QueueMember(
                id,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                positions,
                leaving,
                unreachable,
                clockMs,
                past,
                mark);
    }

    /** Whether this node can send cycles of a configuration; of one that is not named any can. */
    public boolean holds(String digest) {
        return digest.isEmpty() || digests.contains(digest);
    }

    /** The newest configuration that it has; empty when it has none. */
    public String digest() {
        return digests.isEmpty() ? "" : digests.get(0);
    }

    /** Whether this node can send a past cycle again. */
    public boolean holdsPast(long cycle) {
        return past.stream().anyMatch(span -> span.contains(cycle));
    }

    /** Highest durable sequence number of a stream in this node's journal; 0 when it holds nothing of it. */
    public long position(long ofStream) {
        return positions.getOrDefault(ofStream, 0L);
    }

    /** Whether this node's journal holds everything of a stream above the given sequence number. */
    public boolean holdsAbove(long ofStream, long seq) {
        return bases.getOrDefault(ofStream, 0L) <= seq;
    }
}
