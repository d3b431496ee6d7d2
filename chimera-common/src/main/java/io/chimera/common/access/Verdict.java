package io.chimera.common.access;

import java.util.Map;

/**
 * Whether a request or connection is accepted.
 *
 * @param status 0 when it is accepted; otherwise 401, 403, 421 or 429
 * @param message why it is refused, and what to do
 * @param principal name of the principal; empty for a client without credentials
 * @param quota of the principal
 * @param retrySeconds for status 429: when to try again
 * @param login who logged in; null for a client without credentials
 */
public record Verdict(int status, String message, String principal, Quota quota, long retrySeconds, Principal login) {
    /** A client without credentials that is accepted. */
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

    /** Whether it is accepted. */
    public boolean isAccepted() {
        return status == 0;
    }

    /** Headers of the refusal over HTTP. */
    public Map<String, String> headers() {
        return switch (status) {
            case 401 -> Map.of("WWW-Authenticate", "Bearer realm=\"chimera\", Basic realm=\"chimera\"");
            case 429 -> Map.of("Retry-After", String.valueOf(retrySeconds));
            default -> Map.of();
        };
    }
}
