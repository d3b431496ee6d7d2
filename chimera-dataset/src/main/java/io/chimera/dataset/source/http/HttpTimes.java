package io.chimera.dataset.source.http;

import io.chimera.common.agent.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/** Values of headers with times: {@code Retry-After} and {@code Last-Modified}. */
public final class HttpTimes {
    /** Longest pause that a server may ask for. */
    public static final Duration RETRY_AFTER_MAX = Duration.ofMinutes(5);

    private static final int LENGTH_MAX = 64;

    private static final DateTimeFormatter IMF_FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private HttpTimes() {}

    /**
     * Returns the pause of a {@code Retry-After}: seconds, or a date.
     *
     * @param text value of the header
     * @param clock time from which a date counts
     * @return 0 to {@link #RETRY_AFTER_MAX}; zero for a date in the past, and when the text is neither
     */
    public static Duration retryAfter(String text, Clock clock) {
        String value = text.strip();
        if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            long seconds = DecimalDigits.parse(value);
            return seconds < 0 ? RETRY_AFTER_MAX : bounded(Duration.ofSeconds(seconds));
        }
        return date(value)
                .map(at -> bounded(Duration.between(Instant.ofEpochMilli(clock.epochMs()), at)))
                .orElse(Duration.ZERO);
    }

    /** Returns the instant of a date of HTTP; empty when the text is not a date. */
    public static Optional<Instant> date(String text) {
        if (text.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        try {
            return Optional.of(ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Returns an instant as a date of HTTP. */
    static String format(Instant instant) {
        return IMF_FIXDATE.format(instant.atZone(ZoneOffset.UTC));
    }

    private static Duration bounded(Duration pause) {
        if (pause.isNegative()) {
            return Duration.ZERO;
        }
        return pause.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : pause;
    }
}
