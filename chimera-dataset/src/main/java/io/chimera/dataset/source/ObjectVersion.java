package io.chimera.dataset.source;

/**
 * Text that changes with the content of an object at one source, and a checksum that is comparable between sources.
 *
 * @param tag a strong ETag, or modification time and length; empty when the source tells neither. Compared with tags of
 *     the same source only
 * @param checksum checksum of the content as the source declares it; {@link Checksum#NONE} without one
 */
public record ObjectVersion(String tag, Checksum checksum) {
    /** Version of an object about which the source tells nothing. */
    public static final ObjectVersion UNKNOWN = new ObjectVersion("", Checksum.NONE);
}
