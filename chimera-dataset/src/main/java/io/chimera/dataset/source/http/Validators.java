package io.chimera.dataset.source.http;

import io.chimera.dataset.source.ObjectVersion;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Version of an object as its headers declare it. A weak ETag does not distinguish every byte and is no version; then
 * the time of modification, in whole seconds, and the length are the version.
 *
 * @param etag value of {@code ETag}; empty without a valid value
 * @param modified value of {@code Last-Modified}, if there is a valid value
 */
public record Validators(String etag, Optional<Instant> modified) {
    private static final String WEAK = "W/";
    private static final String MODIFIED = "modified=";
    private static final String LENGTH = ";length=";
    private static final int ETAG_LENGTH_MAX = 1024;

    /** Returns the version that an answer declares. */
    public static Validators of(HttpReply reply) {
        return new Validators(
                reply.header("ETag")
                        .map(String::strip)
                        .filter(Validators::isEtag)
                        .orElse(""),
                reply.header("Last-Modified").flatMap(HttpTimes::date));
    }

    /** Returns whether a text is a strong or weak ETag. */
    public static boolean isEtag(String text) {
        String opaque = opaque(text);
        return opaque.length() >= 2
                && opaque.length() <= ETAG_LENGTH_MAX
                && opaque.startsWith("\"")
                && opaque.indexOf('"', 1) == opaque.length() - 1
                && opaque.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    private static String opaque(String etag) {
        return etag.startsWith(WEAK) ? etag.substring(WEAK.length()) : etag;
    }

    /**
     * Returns the tag for {@link ObjectVersion}.
     *
     * @param length length of the object in bytes
     * @return the strong ETag, or time and length; empty when the server declares neither
     */
    public String tag(long length) {
        if (!etag.isEmpty() && !etag.startsWith(WEAK)) {
            return etag;
        }
        return modified.map(at -> MODIFIED + at.getEpochSecond() + LENGTH + length)
                .orElse("");
    }

    /** Returns whether the answer shows another version than the listed one. An answer without a version does not. */
    public boolean contradicts(ObjectVersion listed) {
        String tag = listed.tag();
        if (isEtag(tag)) {
            return !etag.isEmpty() && !opaque(etag).equals(tag);
        }
        return tag.startsWith(MODIFIED)
                && modified.isPresent()
                && !tag.startsWith(MODIFIED + modified.get().getEpochSecond() + LENGTH);
    }

    /** Returns the headers that make the server refuse a request when the object has another version. */
    public static Map<String, String> conditions(ObjectVersion listed) {
        String tag = listed.tag();
        if (isEtag(tag)) {
            return Map.of("If-Match", tag);
        }
        int end = tag.indexOf(LENGTH);
        if (!tag.startsWith(MODIFIED) || end < 0) {
            return Map.of();
        }
        long seconds = DecimalDigits.parse(tag.substring(MODIFIED.length(), end));
        return seconds < 0 ? Map.of() : Map.of("If-Unmodified-Since", HttpTimes.format(Instant.ofEpochSecond(seconds)));
    }
}
