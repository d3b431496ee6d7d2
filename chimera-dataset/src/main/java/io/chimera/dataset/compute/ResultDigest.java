package io.chimera.dataset.compute;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digest that identifies the content of a result. One thread. */
public final class ResultDigest {
    /** Half of SHA-256 identifies results well enough, and keeps reports short. */
    private static final int LENGTH = 16;

    private final MessageDigest digest;

    /** Begins a digest without content. */
    public ResultDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /**
     * Returns the digest of several parts in their order.
     *
     * @param parts parts from index 0 to their limits
     * @return 32 hexadecimal digits
     */
    public static String of(ByteBuffer... parts) {
        ResultDigest whole = new ResultDigest();
        for (ByteBuffer part : parts) {
            whole.add(part.duplicate().rewind());
        }
        return whole.hex();
    }

    /**
     * Adds bytes.
     *
     * @param bytes bytes from the position to the limit
     */
    public void add(ByteBuffer bytes) {
        digest.update(bytes);
    }

    /**
     * Ends the digest.
     *
     * @return 32 hexadecimal digits
     */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest(), 0, LENGTH);
    }
}
