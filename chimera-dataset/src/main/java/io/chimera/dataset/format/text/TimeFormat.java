package io.chimera.dataset.format.text;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Format of a time in text: a decimal number of units since 1970-01-01T00:00Z, or a pattern of {@link
 * DateTimeFormatter}. Reading a number allocates nothing; a pattern allocates some hundred bytes per time. Immutable.
 */
public final class TimeFormat {
    /** Result for text that is no time, or a time outside the range of a 64-bit number of nanoseconds. */
    static final long NO_TIME = Long.MIN_VALUE;

    private static final int PATTERN_BYTES_MAX = 128;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final long unitNs;
    private final @Nullable DateTimeFormatter formatter;
    private final ZoneId zone;

    private TimeFormat(long unitNs, @Nullable DateTimeFormatter formatter, ZoneId zone) {
        this.unitNs = unitNs;
        this.formatter = formatter;
        this.zone = zone;
    }

    /**
     * Returns the format for a text of the configuration.
     *
     * @param text {@code s}, {@code ms}, {@code us} or {@code ns} for a number; {@code iso} for ISO 8601; else a
     *     pattern of {@link DateTimeFormatter} with English names
     * @param zone zone of times without a zone or an offset
     * @throws IllegalArgumentException when the text is no pattern
     */
    public static TimeFormat of(String text, ZoneId zone) {
        return switch (text) {
            case "s" -> new TimeFormat(NS_PER_SECOND, null, zone);
            case "ms" -> new TimeFormat(1_000_000, null, zone);
            case "us" -> new TimeFormat(1_000, null, zone);
            case "ns" -> new TimeFormat(1, null, zone);
            case "iso" -> new TimeFormat(1, DateTimeFormatter.ISO_DATE_TIME, zone);
            default -> new TimeFormat(1, DateTimeFormatter.ofPattern(text, Locale.ENGLISH), zone);
        };
    }

    /**
     * Reads a time.
     *
     * @param bytes array with the text
     * @param from index of the first byte
     * @param to index after the last byte
     * @return nanoseconds since 1970-01-01T00:00Z; {@link #NO_TIME} for any other text
     */
    long parse(byte[] bytes, int from, int to) {
        if (formatter == null) {
            return number(bytes, from, to);
        }
        if (to - from > PATTERN_BYTES_MAX) {
            return NO_TIME;
        }
        try {
            TemporalAccessor time = formatter.parseBest(
                    new String(bytes, from, to - from, StandardCharsets.UTF_8),
                    ZonedDateTime::from,
                    LocalDateTime::from,
                    LocalDate::from);
            Instant instant = instant(time);
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NS_PER_SECOND), instant.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            return NO_TIME;
        }
    }

    private Instant instant(TemporalAccessor time) {
        if (time instanceof ZonedDateTime zoned) {
            return zoned.toInstant();
        }
        LocalDateTime local = time instanceof LocalDateTime dateTime ? dateTime : ((LocalDate) time).atStartOfDay();
        return local.atZone(zone).toInstant();
    }

    /** Reads digits with an optional sign and fraction; digits below one nanosecond are dropped. */
    private long number(byte[] bytes, int from, int to) {
        boolean isNegative = from < to && bytes[from] == '-';
        int start = isNegative ? from + 1 : from;
        int point = LineScan.indexOf(bytes, start, to, '.');
        long negated = DecimalText.negated(bytes, start, point);
        long whole = -negated;
        if (negated == DecimalText.NO_NUMBER || whole < 0 || whole > Long.MAX_VALUE / unitNs || point == to - 1) {
            return NO_TIME;
        }
        long ns = whole * unitNs;
        long unit = unitNs;
        for (int i = point + 1; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return NO_TIME;
            }
            unit /= 10;
            if (ns > Long.MAX_VALUE - digit * unit) {
                return NO_TIME;
            }
            ns += digit * unit;
        }
        return isNegative ? -ns : ns;
    }
}
