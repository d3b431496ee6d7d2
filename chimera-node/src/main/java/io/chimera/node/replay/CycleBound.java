package io.chimera.node.replay;

import io.chimera.common.cluster.PastCycle;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Bound of a range of cycles as given by the user: the number of a cycle, or a time such as {@code
 * 2026-05-01T10:00:00Z}.
 *
 * @param cycle the number; 0 for a time
 * @param timeMs the time; 0 for a number
 */
record CycleBound(long cycle, long timeMs) {
    boolean isNumber() {
        return cycle > 0;
    }

    /** Whether a cycle lies at or after this lower bound. */
    boolean isReachedBy(PastCycle past) {
        return isNumber() ? past.number() >= cycle : past.timeMs() >= timeMs;
    }

    /** Whether a cycle lies within this upper bound: inclusive for a number, exclusive for a time. */
    boolean isNotPassedBy(PastCycle past) {
        return isNumber() ? past.number() <= cycle : past.timeMs() < timeMs;
    }

    @Override
    public String toString() {
        return isNumber() ? "cycle " + cycle : Instant.ofEpochMilli(timeMs).toString();
    }

    /** Converter for picocli. */
    public static final class Converter implements ITypeConverter<CycleBound> {
        Converter() {}

        @Override
        public CycleBound convert(String text) {
            if (text.matches("[1-9]\\d{0,14}")) {
                return new CycleBound(Long.parseLong(text), 0);
            }
            try {
                return new CycleBound(0, OffsetDateTime.parse(text).toInstant().toEpochMilli());
            } catch (DateTimeException e) {
                throw new TypeConversionException("'" + text
                        + "' is neither a cycle number nor a time; expected e.g. 4711 or 2026-05-01T10:00:00Z.");
            }
        }
    }
}
