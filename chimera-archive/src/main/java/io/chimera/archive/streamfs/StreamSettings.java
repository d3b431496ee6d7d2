package io.chimera.archive.streamfs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.common.error.ChimeraException;

/**
 * What a stream is opened with.
 *
 * @param name of the stream, unique in the volume; 1 to 64 bytes of UTF-8
 * @param kind what its records are, e.g. packets, points, index; at most 16 bytes of UTF-8
 * @param guaranteeBytes of the device that the newest records of the stream keep, whatever other streams write; 0: none
 */
public record StreamSettings(String name, String kind, long guaranteeBytes) {
    /** Bytes of UTF-8 that a name may have. */
    public static final int NAME_LENGTH_MAX = 64;

    /** Bytes of UTF-8 that a kind may have. */
    public static final int KIND_LENGTH_MAX = 16;

    /** Refuses what the directory of the volume cannot hold. */
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
