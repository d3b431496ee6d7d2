package io.chimera.common.access;

import io.chimera.common.agent.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator of clients that were refused: a warning in the log once a minute, and in readiness for ten minutes. An agent
 * whose token has expired would otherwise lose its points while every node looks well. Any thread.
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
     * A client was refused.
     *
     * @param principal empty when it is not known
     * @param target what it asked for
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
                "Refused clients: count={} last: {}. What they sent is not taken; see audit-refused.jsonl.",
                report,
                text);
    }

    /** A client chose it: short, and one line. */
    private static String shown(String target) {
        String line = target.replaceAll("[\\p{Cntrl}\"]", "?");
        return line.length() <= TARGET_MAX ? line : line.substring(0, TARGET_MAX) + "…";
    }

    /** What readiness shows of the last minutes; empty when no client was refused in them. */
    synchronized String warning() {
        return refused == 0 || clock.epochMs() - lastMs > SHOWN_MS
                ? ""
                : refused + " requests or connections were refused for want of rights, the last at "
                        + Instant.ofEpochMilli(lastMs) + ": " + last + ". See audit-refused.jsonl.";
    }
}
