package io.chimera.common.access;

import java.util.Map;

/**
 * Decision about a request or connection.
 *
 * @param status 0 for accepted; otherwise 401, 403, 421 or 429
 * @param message reason of the refusal, and the remedy
 * @param principal name of the principal; empty for a client without credentials
 * @param quota quota of the principal
 * @param retrySeconds delay before a retry, for status 429
 * @param login authenticated principal; null for a client without credentials
 */
public record Verdict(int status, String message, String principal, Quota quota, long retrySeconds, Principal login) {
    /** Accepts a client without credentials. */
    static final Verdict ANYBODY = new Verdict(0, "", "", Quota.NONE, 0, null);

    static Verdict of(Principal principal) {
        return new Verdict(0, "", principal.name(), principal.quota(), 0, principal);
    }

    static Verdict refused(int status, String message) {
        return new Verdict(status, message, "", Quota.NONE, 0, null);
    }

    static Verdict later(String message, long seconds) {
        return new Verdict(429, message, "", Quota.NONE, seconds, null);
    }

    /** Returns whether the request or connection is accepted. */
    public boolean isAccepted() {
        return status == 0;
    }

    /** HTTP headers of the refusal. */
    public Map<String, String> headers() {
        return switch (status) {
            case 401 -> Map.of("WWW-Authenticate", "Bearer realm=\"chimera\", Basic realm=\"chimera\"");
            case 429 -> Map.of("Retry-After", String.valueOf(retrySeconds));
            default -> Map.of();
        };
    }
}
