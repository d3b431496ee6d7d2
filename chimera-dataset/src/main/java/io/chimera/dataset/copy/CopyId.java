package io.chimera.dataset.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.dataset.source.DataObject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Identity of a copy: a copy is used again for the same version of the same object only.
 *
 * @param source address of the source without secrets
 * @param credentials name of the credentials of the source; empty without a name. A job without the credentials does
 *     not find the copies of a job with the credentials
 * @param object the object with its length and version
 * @param blockBytes length of a block in bytes
 */
record CopyId(String source, String credentials, DataObject object, int blockBytes) {
    /** First part of each identity; another layout of the files has another text. */
    private static final String LAYOUT = "chimera copy 1";

    private static final int NAME_BYTES = 16;

    /** Returns whether the source tells a version, without which a changed object would look the same. */
    static boolean isVersioned(DataObject object) {
        return !object.version().tag().isEmpty()
                || !object.version().checksum().hex().isEmpty();
    }

    /** Returns the name of the copy: 32 hexadecimal digits of a digest of all parts. */
    String name() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            add(digest, LAYOUT);
            add(digest, source);
            add(digest, credentials);
            add(digest, object.path());
            add(digest, Long.toString(object.length()));
            add(digest, object.version().tag());
            add(digest, object.version().checksum().algorithm().name());
            add(digest, object.version().checksum().hex());
            add(digest, Integer.toString(blockBytes));
            return HexFormat.of().formatHex(digest.digest(), 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** Adds a part after its length, so that different parts never give the same bytes. */
    private static void add(MessageDigest digest, String part) {
        byte[] bytes = part.getBytes(UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }
}
