package io.chimera.common.config.binding;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations: {@code 250ms}, {@code 10s}, {@code 5m}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s?(us|ms|s|m|h|d)");

    private Durations() {}

    /**
     * Parses a duration: an integer and us, ms, s, m, h or d.
     *
     * @throws IllegalArgumentException for another format
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration; use e.g. 250ms, 10s, 5m or 1h.");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(Math.multiplyExact(amount, 1_000L));
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** Formats a duration in the shortest exact form accepted by {@link #parse}, e.g. {@code 10s}. */
    public static String format(Duration duration) {
        long seconds = duration.getSeconds();
        int ns = duration.getNano();
        if (ns % 1_000_000 != 0) {
            return duration.toNanos() / 1_000 + "us";
        }
        if (ns != 0) {
            return duration.toMillis() + "ms";
        }
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        if (seconds % 3_600 != 0) {
            return seconds / 60 + "m";
        }
        return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3_600 + "h";
    }
}
