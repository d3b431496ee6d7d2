package io.chimera.queue.parser.remotewrite;

import io.chimera.api.HotPath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Mapping of series to fields, and treatment of values that aggregates cannot store. Immutable. */
public final class RemoteWriteRules {
    /** Type of a series, from the metadata of version 2. */
    static final int TYPE_UNKNOWN = 0;

    private static final int TYPE_COUNTER = 1;
    private static final int TYPE_HISTOGRAM = 3;
    private static final int TYPE_SUMMARY = 5;

    private final byte[][] counterSuffixes;
    private final boolean rejectsNotFinite;

    /**
     * Creates rules.
     *
     * @param counterSuffixes endings of the metrics of cumulative series, for senders that do not tell the type
     * @param rejectsNotFinite whether NaN and infinite values are rejected; otherwise counted and dropped
     */
    public RemoteWriteRules(List<String> counterSuffixes, boolean rejectsNotFinite) {
        this.counterSuffixes = counterSuffixes.stream()
                .map(suffix -> suffix.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.rejectsNotFinite = rejectsNotFinite;
    }

    /** Returns whether NaN and infinite values are rejected. */
    boolean rejectsNotFinite() {
        return rejectsNotFinite;
    }

    /**
     * Returns whether the samples of a series are cumulative: by the type that the sender tells, otherwise by the
     * ending of the metric. A summary has cumulative and other series, so its type decides nothing.
     *
     * @param type number of the type in the metadata; {@link #TYPE_UNKNOWN} without metadata
     */
    @HotPath
    boolean isCumulative(int type, byte[] bytes, int metricOffset, int metricLength) {
        return switch (type) {
            case TYPE_COUNTER, TYPE_HISTOGRAM -> true;
            case TYPE_UNKNOWN, TYPE_SUMMARY -> hasCounterSuffix(bytes, metricOffset, metricLength);
            default -> false; // gauge, gauge histogram, info, state set, and types of later versions
        };
    }

    private boolean hasCounterSuffix(byte[] bytes, int offset, int length) {
        int end = offset + length;
        for (byte[] suffix : counterSuffixes) {
            if (length >= suffix.length && Arrays.equals(bytes, end - suffix.length, end, suffix, 0, suffix.length)) {
                return true;
            }
        }
        return false;
    }
}
