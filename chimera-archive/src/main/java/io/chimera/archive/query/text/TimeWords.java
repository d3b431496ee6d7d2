package io.chimera.archive.query.text;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses times: ISO 8601, in UTC by default, and relative times such as {@code 5m ago}. */
public final class TimeWords {
    private static final Pattern AGO = Pattern.compile("([0-9]{1,9})(ns|us|ms|s|m|h|d|w)");
    private static final long SECOND = 1_000_000_000L;
    private static final Map<String, Long> UNITS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            SECOND,
            "m",
            60 * SECOND,
            "h",
            3_600 * SECOND,
            "d",
            86_400 * SECOND,
            "w",
            604_800 * SECOND);
    private static final List<Function<String, Instant>> FORMS = List.of(
            text -> OffsetDateTime.parse(text).toInstant(),
            text -> LocalDateTime.parse(text).toInstant(ZoneOffset.UTC),
            text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));

    private TimeWords() {}

    /** Returns true for a duration, which must be followed by "ago". */
    public static boolean isLength(String word) {
        return AGO.matcher(word).matches();
    }

    /**
     * Returns the time a duration before another time.
     *
     * @throws QuestionException when the result is before 1677
     */
    public static long ago(String length, long nowNs) {
        Matcher matcher = AGO.matcher(length);
        if (!matcher.matches()) {
            throw new QuestionException("A duration is a number with ns, us, ms, s, m, h, d or w, such as 5m.");
        }
        try {
            return Math.subtractExact(
                    nowNs,
                    Math.multiplyExact(
                            Long.parseLong(matcher.group(1)),
                            requireNonNull(UNITS.get(matcher.group(2)), "The pattern admits known units only.")));
        } catch (ArithmeticException e) {
            throw new QuestionException("The duration is too long; use a shorter duration.");
        }
    }

    /**
     * Parses an absolute time.
     *
     * @return ns since 1970
     * @throws QuestionException when the text is not a time, or outside the years 1678 to 2261
     */
    public static long at(String text) {
        for (Function<String, Instant> form : FORMS) {
            try {
                Instant instant = form.apply(text);
                return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND), instant.getNano());
            } catch (DateTimeException e) {
                // perhaps another form
            } catch (ArithmeticException e) {
                throw new QuestionException("Times must lie in the years 1678 to 2261.");
            }
        }
        throw new QuestionException("Expected a time such as 2026-01-31T12:00:00Z, 2026-01-31 or '5m ago'.");
    }
}
