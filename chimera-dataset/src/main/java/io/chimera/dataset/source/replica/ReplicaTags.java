package io.chimera.dataset.source.replica;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Versions of an object at its replicas, as one text: {@code length:place length:tag} for each replica, ordered by
 * place.
 *
 * @param byPlace tags by the address of the source
 */
record ReplicaTags(Map<String, String> byPlace) {
    private static final char END_OF_LENGTH = ':';
    private static final int DIGITS_MAX = 6;

    /** Copies the map. */
    ReplicaTags {
        byPlace = Map.copyOf(byPlace);
    }

    /** Returns the text; empty without tags. */
    String text() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(byPlace).forEach((place, tag) -> {
            add(text, place);
            add(text, tag);
        });
        return text.toString();
    }

    private static void add(StringBuilder text, String part) {
        text.append(part.length()).append(END_OF_LENGTH).append(part);
    }

    /** Reads a text; empty for another text. */
    static Optional<ReplicaTags> parse(String text) {
        Map<String, String> tags = new TreeMap<>();
        int at = 0;
        while (at < text.length()) {
            Optional<String> place = part(text, at);
            if (place.isEmpty()) {
                return Optional.empty();
            }
            at = end(text, at, place.get());
            Optional<String> tag = part(text, at);
            if (tag.isEmpty()) {
                return Optional.empty();
            }
            at = end(text, at, tag.get());
            tags.put(place.get(), tag.get());
        }
        return Optional.of(new ReplicaTags(tags));
    }

    private static Optional<String> part(String text, int at) {
        int colon = text.indexOf(END_OF_LENGTH, at);
        if (colon < 0 || colon == at || colon - at > DIGITS_MAX) {
            return Optional.empty();
        }
        String digits = text.substring(at, colon);
        if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int length = Integer.parseInt(digits);
        return length <= text.length() - colon - 1
                ? Optional.of(text.substring(colon + 1, colon + 1 + length))
                : Optional.empty();
    }

    private static int end(String text, int at, String part) {
        return text.indexOf(END_OF_LENGTH, at) + 1 + part.length();
    }
}
