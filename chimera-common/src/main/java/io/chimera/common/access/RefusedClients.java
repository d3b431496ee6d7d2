package io.chimera.common.access;

import io.chimera.common.agent.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports refused clients to the operator: a warning in the log once a minute, and in readiness for ten minutes.
 * Without the report, an agent with an expired token would lose its points while every node seems healthy. Any thread.
 */
final class RefusedClients {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedClients.class);

    private static final long LOG_EVERY_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long SHOWN_MS = TimeUnit.MINUTES.toMillis(10);

    private static final int TARGET_MAX = 100;

    private final Clock clock;
    private String last = "";
    private long lastMs;
    private long refused;
    private long unreported;
    private long logAtNs;

    RefusedClients(Clock clock) {
        this.clock = clock;
        logAtNs = clock.nanoTime();
    }

    /**
     * Records a refused client.
     *
     * @param principal name of the principal; empty if unknown
     * @param target requested resource
     */
    void refused(String principal, String client, String target, String reason) {
        String text = "client=" + client + " principal=" + (principal.isEmpty() ? "-" : principal) + " target=\""
                + shown(target) + "\" reason=\"" + reason + "\"";
        long report;
        synchronized (this) {
            long nowMs = clock.epochMs();
            refused = nowMs - lastMs > SHOWN_MS ? 1 : refused + 1;
            last = text;
            lastMs = nowMs;
            unreported++;
            long nowNs = clock.nanoTime();
            if (nowNs - logAtNs < 0) {
                return;
            }
            logAtNs = nowNs + LOG_EVERY_NS;
            report = unreported;
            unreported = 0;
        }
        LOG.warn(
                "Refused clients: count={} last: {}. Their data were not accepted; see audit-refused.jsonl.",
                report,
                text);
    }

    /** Shortens client-controlled text to one short line. */
    private static String shown(String target) {
        String line = target.replaceAll("[\\p{Cntrl}\"]", "?");
        return line.length() <= TARGET_MAX ? line : line.substring(0, TARGET_MAX) + "…";
    }

    /** Readiness warning for the last minutes; empty without a refused client. */
    synchronized String warning() {
        return refused == 0 || clock.epochMs() - lastMs > SHOWN_MS
                ? ""
                : refused + " requests or connections were refused for lack of permissions, the last at "
                        + Instant.ofEpochMilli(lastMs) + ": " + last + ". See audit-refused.jsonl.";
    }
}
