package io.chimera.common.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/**
 * What a client shows. The text form never contains the secret.
 *
 * @param name user name; empty for a token
 * @param secret token or password; empty when the client shows nothing
 */
public record Credentials(String name, String secret) {
    /** A client that shows nothing. */
    public static final Credentials NONE = new Credentials("", "");

    /** Longest name or secret that is looked at. */
    static final int LENGTH_MAX = 1_024;

    /** A token. */
    public static Credentials token(String token) {
        return checked("", token);
    }

    /**
     * Reads the header {@code Authorization}: Bearer, Token or Basic. A scheme that is not known, and a value that does
     * not decode, count as a wrong token.
     *
     * @param header its value; null where the client sent none
     */
    public static Credentials ofHeader(String header) {
        if (header == null) {
            return NONE;
        }
        int space = header.indexOf(' ');
        String scheme = space < 0 ? "" : header.substring(0, space).toLowerCase(Locale.ROOT);
        String value = header.substring(space + 1).strip();
        return switch (scheme) {
            case "bearer" -> token(value);
            case "token" -> {
                int colon = value.indexOf(':'); // InfluxDB 1.8 accepts Token user:password
                yield colon < 0 ? token(value) : checked(value.substring(0, colon), value.substring(colon + 1));
            }
            case "basic" -> basic(value);
            default -> token("?");
        };
    }

    /** A user name and a password, or a token in place of the password. */
    public static Credentials password(String name, String password) {
        return checked(name == null ? "" : name, password == null ? "" : password);
    }

    private static Credentials basic(String value) {
        try {
            String decoded = new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
            int colon = decoded.indexOf(':');
            return colon < 0 ? token("?") : checked(decoded.substring(0, colon), decoded.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return token("?");
        }
    }

    private static Credentials checked(String name, String secret) {
        boolean isTooLong = name.length() > LENGTH_MAX || secret.length() > LENGTH_MAX;
        return isTooLong ? new Credentials("", "?") : new Credentials(name, secret.isEmpty() ? "?" : secret);
    }

    /** Whether the client shows nothing. */
    boolean isNone() {
        return secret.isEmpty();
    }

    @Override
    public String toString() {
        return "Credentials[" + (isNone() ? "none" : name.isEmpty() ? "token" : name) + "]";
    }
}
