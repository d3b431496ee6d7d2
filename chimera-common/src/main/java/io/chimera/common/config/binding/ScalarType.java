package io.chimera.common.config.binding;

import io.chimera.common.channel.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Kinds of single values of keys, with their parsing, formatting and description. */
public enum ScalarType {
    TEXT("text", "text"),
    WHOLE_NUMBER("a whole number, e.g. 5_000_000", "whole number"),
    NUMBER("a number, e.g. 0.5", "number"),
    TRUTH("true or false", "true or false"),
    DURATION("a duration, e.g. 250ms, 10s, 5m or 1h", "duration"),
    SIZE("a size, e.g. 512KiB, 64MiB or 1GiB", "size"),
    PATH("a path, e.g. /var/lib/chimera", "path"),
    LANES("auto, or a whole number from 1 to 64", "auto or whole number"),
    PERIOD("auto, or a duration, e.g. 250ms, 10s, 5m or 1h", "auto or duration"),
    WEIGHT("auto, or a whole number from 1 to 100", "auto or whole number"),
    ADDRESS("an address host:port, e.g. 127.0.0.1:8086", "address"),
    CHOICE("", "");

    private final String expectation;
    private final String title;

    ScalarType(String expectation, String title) {
        this.expectation = expectation;
        this.title = title;
    }

    /** Returns the kind of a Java type, or null for a type without single values. */
    public static ScalarType of(Class<?> type) {
        if (type.isEnum()) {
            return CHOICE;
        }
        if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
            return WHOLE_NUMBER;
        }
        if (type == String.class) {
            return TEXT;
        }
        if (type == Double.class || type == double.class) {
            return NUMBER;
        }
        if (type == Boolean.class || type == boolean.class) {
            return TRUTH;
        }
        if (type == Duration.class) {
            return DURATION;
        }
        if (type == ByteSize.class) {
            return SIZE;
        }
        if (type == LaneCount.class) {
            return LANES;
        }
        if (type == CyclePeriod.class) {
            return PERIOD;
        }
        if (type == ProcessorWeight.class) {
            return WEIGHT;
        }
        if (type == Path.class) {
            return PATH;
        }
        return type == Endpoint.class ? ADDRESS : null;
    }

    /** Expected value, phrased for a sentence. */
    String expectation(Class<?> type) {
        return this == CHOICE ? "one of " + String.join(", ", choices(type)) : expectation;
    }

    /** Name of the kind in the reference. */
    public String title(Class<?> type) {
        return this == CHOICE ? String.join(" | ", choices(type)) : title;
    }

    /** Values of an enum as written in the file. */
    public static List<String> choices(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(ScalarType::write).toList();
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException for invalid text
     */
    Object read(String text, Class<?> type) {
        return switch (this) {
            case TEXT -> text;
            case WHOLE_NUMBER -> wholeNumber(text, type);
            case NUMBER -> finite(text);
            case TRUTH -> truth(text);
            case DURATION -> Durations.parse(text);
            case SIZE -> ByteSize.parse(text);
            case PATH -> Path.of(text);
            case LANES -> LaneCount.parse(text);
            case PERIOD -> CyclePeriod.parse(text);
            case WEIGHT -> ProcessorWeight.parse(text);
            case ADDRESS -> Endpoint.parse(text);
            case CHOICE -> choice(text, type);
        };
    }

    /** Formats a value as in the file. */
    public static String write(Object value) {
        if (value instanceof Duration duration) {
            return Durations.format(duration);
        }
        return value instanceof Enum<?> choice ? choice.name().toLowerCase(Locale.ROOT) : value.toString();
    }

    private static Object wholeNumber(String text, Class<?> type) {
        if (!text.matches("[+-]?\\d[\\d_]*")) {
            throw new IllegalArgumentException("no whole number");
        }
        String digits = text.replace("_", "");
        if (type == Integer.class || type == int.class) {
            return Integer.valueOf(digits);
        }
        return Long.valueOf(digits);
    }

    private static Object finite(String text) {
        double value = Double.parseDouble(text.replace("_", ""));
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not finite");
        }
        return value;
    }

    private static Object truth(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        throw new IllegalArgumentException("neither true nor false");
    }

    private static Object choice(String text, Class<?> type) {
        for (Object constant : type.getEnumConstants()) {
            if (write(constant).equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("none of the choices");
    }
}
