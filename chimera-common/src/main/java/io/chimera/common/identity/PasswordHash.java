package io.chimera.common.identity;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Hash of a user-chosen password: PBKDF2 with HMAC-SHA-256, available in every JDK. Written as {@code
 * pbkdf2-sha256:<iterations>:<salt in hex>:<hash in hex>}.
 */
public final class PasswordHash {
    private static final Pattern FORM = Pattern.compile("pbkdf2-sha256:(\\d{6,7}):([0-9a-f]{32,64}):([0-9a-f]{64})");

    /** Iterations of new hashes: OWASP's recommendation for PBKDF2-HMAC-SHA256, about 200 ms of one core. */
    private static final int ITERATIONS = 600_000;

    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** Returns whether a text has the written form. */
    public static boolean isHash(String text) {
        return FORM.matcher(text).matches();
    }

    /** Parses the written form. */
    public static PasswordHash parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Invalid password hash.");
        }
        HexFormat hex = HexFormat.of();
        return new PasswordHash(
                Integer.parseInt(matcher.group(1)), hex.parseHex(matcher.group(2)), hex.parseHex(matcher.group(3)));
    }

    /** Hashes a password with a new salt. */
    public static String write(String password, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        HexFormat hex = HexFormat.of();
        return "pbkdf2-sha256:" + ITERATIONS + ":" + hex.formatHex(salt) + ":"
                + hex.formatHex(derive(password, salt, ITERATIONS));
    }

    /** Returns whether a password has this hash; takes the same time for a wrong password. */
    public boolean matches(String password) {
        return MessageDigest.isEqual(hash, derive(password, salt, iterations));
    }

    private static byte[] derive(String password, byte[] salt, int iterations) {
        char[] characters = password.toCharArray();
        PBEKeySpec key = new PBEKeySpec(characters, salt, iterations, HASH_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(key)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK lacks PBKDF2 with HMAC-SHA-256.", e);
        } finally {
            key.clearPassword();
            Arrays.fill(characters, ' ');
        }
    }
}
