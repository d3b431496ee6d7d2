package io.chimera.archive.query;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.filter.PacketFilters;
import io.chimera.archive.query.text.QuestionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Filter with additional clauses: {@code host 192.0.2.1 and after 5m ago and stream eth0 and limit 100}. Clauses apply
 * to the whole question and stand outside of parentheses, at its start, at its end or joined by {@code and}.
 *
 * @param filter text without the clauses; blanks in their place keep the positions of the question
 * @param stream name of the stream; empty without a stream clause
 * @param afterNs earliest time, included; ns since 1970, {@link Long#MIN_VALUE} without a clause
 * @param beforeNs latest time, included; {@link Long#MAX_VALUE} without a clause. The clause {@code before} itself
 *     excludes its time
 * @param limit maximum packets or points in the answer; {@link Long#MAX_VALUE} without a clause
 */
public record Question(String filter, String stream, long afterNs, long beforeNs, long limit) {
    /**
     * Parses a question and extracts its clauses.
     *
     * @param text the question
     * @param nowNs reference time of "5m ago", ns since 1970
     * @return the question
     * @throws QuestionException when a clause is invalid, or given twice
     */
    public static Question parse(String text, long nowNs) {
        return new QuestionReader(text, nowNs).read();
    }

    /** Returns a copy for another time span. */
    public Question within(long otherAfterNs, long otherBeforeNs) {
        return new Question(filter, stream, otherAfterNs, otherBeforeNs, limit);
    }

    /** Returns a copy without a stream. */
    public Question ofAnyStream() {
        return new Question(filter, "", afterNs, beforeNs, limit);
    }

    /**
     * Returns the probe for an index of packets.
     *
     * @throws QuestionException when the filter is invalid
     */
    public Probe probe() {
        return new PacketFilters(filter).probe();
    }

    /**
     * Returns hints for the author of an otherwise valid question about packets.
     *
     * @throws QuestionException when the filter is invalid
     */
    public List<String> warnings() {
        return new PacketFilters(filter).warnings();
    }

    /** Returns the question in the form accepted by {@link #parse}, with absolute times. */
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
