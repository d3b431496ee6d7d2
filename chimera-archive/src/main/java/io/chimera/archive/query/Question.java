package io.chimera.archive.query;

import io.chimera.archive.index.Probe;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A question with what stands beside its filter: {@code host 192.0.2.1 and after 5m ago and stream eth0 and limit 100}. These clauses
 * are about the whole question, so they stand outside of parentheses, at its beginning, at its end or joined by {@code and}.
 *
 * @param filter what is left without them, with blanks in their place, so that positions are those of the question
 * @param stream name of the stream; empty when none was named
 * @param afterNs the earliest time, included; ns since 1970, {@link Long#MIN_VALUE} without
 * @param beforeNs the latest time, included; {@link Long#MAX_VALUE} without. {@code before} itself means earlier than that
 * @param limit of packets or points in the answer; {@link Long#MAX_VALUE} without
 */
public record Question(String filter, String stream, long afterNs, long beforeNs, long limit) {
    /**
     * Takes the clauses out of a question.
     *
     * @param text the question
     * @param nowNs what "5m ago" counts from, ns since 1970
     * @return the question
     * @throws QuestionException when a clause is not understood, or given twice
     */
    public static Question parse(String text, long nowNs) {
        return new QuestionReader(text, nowNs).read();
    }

    /** The same for another span of time. */
    public Question within(long otherAfterNs, long otherBeforeNs) {
        return new Question(filter, stream, otherAfterNs, otherBeforeNs, limit);
    }

    /** The same of any stream. */
    public Question ofAnyStream() {
        return new Question(filter, "", afterNs, beforeNs, limit);
    }

    /**
     * What an index of packets is asked.
     *
     * @throws QuestionException when the filter is not understood
     */
    public Probe probe() {
        return new PacketFilters(filter).probe();
    }

    /**
     * What whoever asks about packets should be told, though the filter is understood.
     *
     * @throws QuestionException when it is not
     */
    public List<String> warnings() {
        return new PacketFilters(filter).warnings();
    }

    /** Writes it down, as {@link #parse} reads it; times are no longer relative. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (!filter.isBlank()) {
            parts.add("(" + filter.strip() + ")");
        }
        if (!stream.isEmpty()) {
            parts.add("stream " + stream);
        }
        if (afterNs != Long.MIN_VALUE) {
            parts.add("after " + Instant.ofEpochSecond(0, afterNs));
        }
        if (beforeNs != Long.MAX_VALUE) {
            parts.add("before " + Instant.ofEpochSecond(0, beforeNs + 1));
        }
        if (limit != Long.MAX_VALUE) {
            parts.add("limit " + limit);
        }
        return String.join(" and ", parts);
    }
}
