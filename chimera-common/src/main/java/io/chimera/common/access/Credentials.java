package io.chimera.common.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/**
 * Credentials of a client. The text form never contains the secret.
 *
 * @param name user name; empty for a token
 * @param secret token or password; empty for a client without credentials
 */
public record Credentials(String name, String secret) {
    /** Missing credentials. */
    public static final Credentials NONE = new Credentials("", "");

    /** Maximum length of a name or secret. */
    static final int LENGTH_MAX = 1_024;

    /** Creates the credentials of a token. */
    public static Credentials token(String token) {
        return checked("", token);
    }

    /**
     * Parses the header {@code Authorization}: Bearer, Token or Basic. An unknown scheme or an undecodable value counts
     * as an invalid token.
     *
     * @param header value of the header; null without the header
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

    /** Creates the credentials of a user name and a password, or a token in place of the password. */
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

    /** Returns whether the client has no credentials. */
    boolean isNone() {
        return secret.isEmpty();
    }

    @Override
    public String toString() {
        return "Credentials[" + (isNone() ? "none" : name.isEmpty() ? "token" : name) + "]";
    }
}
