package io.chimera.dataset.source.xrootd;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Text that follows the question mark of a path: {@code key=value} joined by {@code &}. Values may be credentials, so
 * no method returns them except for the request itself. Immutable.
 */
public final class Opaque {
    /** No text. */
    public static final Opaque NONE = new Opaque(Map.of());

    /** Shorter values occur in innocent text. */
    private static final int SECRET_LENGTH_MIN = 6;

    private static final String TRIED = "tried";
    private static final String TRIED_REASON = "triedrc";

    private final Map<String, String> values;

    private Opaque(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Parses opaque text.
     *
     * @param text text without the question mark; may be empty
     */
    public static Opaque of(String text) {
        return NONE.merge(text);
    }

    /**
     * Adds values.
     *
     * @param text opaque text; its values replace values of the same key
     */
    Opaque merge(String text) {
        Map<String, String> merged = new LinkedHashMap<>(values);
        for (String part : text.split("&", -1)) {
            int equals = part.indexOf('=');
            if (!part.isEmpty()) {
                merged.put(equals < 0 ? part : part.substring(0, equals), equals < 0 ? "" : part.substring(equals + 1));
            }
        }
        return new Opaque(merged);
    }

    /**
     * Tells a redirector which data server to avoid.
     *
     * @param host host of the data server
     * @param reason word of the protocol; empty without a reason
     */
    Opaque avoid(String host, String reason) {
        Map<String, String> merged = new LinkedHashMap<>(values);
        merged.merge(TRIED, host, (before, added) -> before + "," + added);
        if (!reason.isEmpty()) {
            merged.put(TRIED_REASON, reason);
        }
        return new Opaque(merged);
    }

    /** Returns path and opaque text for a request. */
    String onto(String path) {
        StringBuilder text = new StringBuilder(path);
        char separator = '?';
        for (Map.Entry<String, String> value : values.entrySet()) {
            text.append(separator).append(value.getKey()).append('=').append(value.getValue());
            separator = '&';
        }
        return text.toString();
    }

    /** Returns text of a server without the values. */
    String redact(String text) {
        String redacted = text;
        for (String value : values.values()) {
            if (value.length() >= SECRET_LENGTH_MIN) {
                redacted = redacted.replace(value, "***").replace(decoded(value), "***");
            }
        }
        return redacted;
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Opaque that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Returns the number of values only. */
    @Override
    public String toString() {
        return "Opaque[" + values.size() + " values]";
    }
}
