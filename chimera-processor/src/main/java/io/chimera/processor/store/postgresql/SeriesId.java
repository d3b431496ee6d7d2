package io.chimera.processor.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.Tags;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.UUID;

/**
 * Computes the key of a series: 122 bits of the SHA-256 of metric and tags, as a UUID of version 8. The key needs no
 * sequence of the database, so each processor computes the same key, and nobody can choose two series with one key. One
 * thread.
 */
final class SeriesId {
    private final MessageDigest sha = sha256();
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK has no SHA-256.", e);
        }
    }

    UUID of(String metric, Tags tags) {
        add(metric);
        for (Map.Entry<String, String> tag : tags.asMap().entrySet()) {
            add(tag.getKey());
            add(tag.getValue());
        }
        ByteBuffer hash = ByteBuffer.wrap(sha.digest());
        long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    private void add(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        sha.update(length.clear().putInt(bytes.length).flip());
        sha.update(bytes);
    }
}
