package io.chimera.dataset.source.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Credentials for one HTTP server. The text of the record shows no secret.
 *
 * @param scheme how the credentials are sent
 * @param user name of the user for {@link Scheme#BASIC}; empty otherwise
 * @param secret password or token; empty for {@link Scheme#NONE}
 */
public record HttpCredentials(Scheme scheme, String user, String secret) {
    /** No credentials. */
    public static final HttpCredentials NONE = new HttpCredentials(Scheme.NONE, "", "");

    /** How credentials are sent. */
    public enum Scheme {
        /** No credentials. */
        NONE,
        /** User and password (RFC 7617). */
        BASIC,
        /** A token (RFC 6750). */
        BEARER
    }

    /**
     * Checks the values.
     *
     * @param scheme how the credentials are sent
     * @param user without {@code :} and control characters
     * @param secret without control characters
     */
    public HttpCredentials {
        if (user.indexOf(':') >= 0 || hasControl(user) || hasControl(secret)) {
            throw new IllegalArgumentException(
                    "HTTP credentials with a control character, or a user with ':'; check the line ends of the secret");
        }
        boolean isEmpty = scheme == Scheme.NONE;
        if (secret.isEmpty() != isEmpty || user.isEmpty() == (scheme == Scheme.BASIC)) {
            throw new IllegalArgumentException("HTTP credentials of the scheme " + scheme
                    + "; expected a user and a password for BASIC, a token for BEARER, nothing for NONE");
        }
        if (scheme == Scheme.BEARER && !secret.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException("a bearer token with a space or a character beyond ASCII");
        }
    }

    /** Returns credentials of a user with a password. */
    public static HttpCredentials basic(String user, String password) {
        return new HttpCredentials(Scheme.BASIC, user, password);
    }

    /** Returns credentials of a token. */
    public static HttpCredentials bearer(String token) {
        return new HttpCredentials(Scheme.BEARER, "", token);
    }

    /** Returns the value of the header {@code Authorization}; empty without credentials. */
    String authorization() {
        return switch (scheme) {
            case NONE -> "";
            case BEARER -> "Bearer " + secret;
            case BASIC ->
                "Basic " + Base64.getEncoder().encodeToString((user + ":" + secret).getBytes(StandardCharsets.UTF_8));
        };
    }

    private static boolean hasControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    @Override
    public String toString() {
        return scheme == Scheme.BASIC ? "HttpCredentials[BASIC, user=" + user + "]" : "HttpCredentials[" + scheme + "]";
    }
}
