package io.chimera.archive.streamfs.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.common.error.ChimeraException;

/**
 * Settings of a stream.
 *
 * @param name unique in the volume; 1 to 64 bytes of UTF-8
 * @param kind content type of the records, e.g. packets, points, index; at most 16 bytes of UTF-8
 * @param guaranteeBytes device bytes reserved for the newest records of the stream, independent of writes to other
 *     streams; 0: none
 */
public record StreamSettings(String name, String kind, long guaranteeBytes) {
    /** Maximum length of a name in bytes of UTF-8. */
    public static final int NAME_LENGTH_MAX = 64;

    /** Maximum length of a kind in bytes of UTF-8. */
    public static final int KIND_LENGTH_MAX = 16;

    /** Validates the limits of the volume directory. */
    public StreamSettings {
        int length = name.getBytes(UTF_8).length;
        if (length == 0 || length > NAME_LENGTH_MAX) {
            throw new ChimeraException(
                    ChimeraException.Category.ERROR,
                    "The name of stream '" + name + "' has " + length + " bytes; it must have 1 to 64.");
        }
        if (kind.getBytes(UTF_8).length > KIND_LENGTH_MAX) {
            throw new ChimeraException(
                    ChimeraException.Category.ERROR,
                    "The kind '" + kind + "' of stream '" + name + "' has more than 16 bytes.");
        }
        if (guaranteeBytes < 0) {
            throw new ChimeraException(
                    ChimeraException.Category.ERROR,
                    "The guarantee of stream '" + name + "' is " + guaranteeBytes + " bytes; it must not be negative.");
        }
    }
}
