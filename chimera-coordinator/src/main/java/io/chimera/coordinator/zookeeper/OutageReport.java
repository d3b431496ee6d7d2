package io.chimera.coordinator.zookeeper;

import io.chimera.common.agent.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the operator why this node has no link to ZooKeeper: probes the servers after some seconds, logs each new
 * cause at once, and the same cause once a minute. Used by the agent's thread, except {@link #problem}.
 */
final class OutageReport {
    private static final Logger LOG = LoggerFactory.getLogger(OutageReport.class);
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long REMIND_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PROBE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final String CAUSE_UNKNOWN = "The cause is not known yet: probing the servers.";

    private final ZooKeeperSettings settings;
    private final Clock clock;
    private final Consumer<Consumer<String>> probe;
    private volatile String problem = "";

    /** Number of the outage or of its known cause: the result of an earlier probe is obsolete. */
    private int number;

    private boolean isOver;
    private boolean isProbing;
    private long sinceNs;
    private long probeAtNs;
    private long remindAtNs;
    private String cause = "";
    private Code refusal = Code.OK;

    /**
     * Creates a report; the node has no link yet.
     *
     * @param probe starts a probe of the servers, and passes the found defects to its argument on the agent's thread
     */
    OutageReport(ZooKeeperSettings settings, Clock clock, Consumer<Consumer<String>> probe) {
        this.settings = settings;
        this.clock = clock;
        this.probe = probe;
        begin();
    }

    /**
     * Returns why this node has no part in the cluster; empty when it has, or has lost the connection only just now.
     * Any thread.
     */
    String problem() {
        return problem;
    }

    /** Begins an outage. */
    void begin() {
        number++;
        isOver = false;
        sinceNs = clock.nanoTime();
        probeAtNs = sinceNs + SILENCE_NS;
        remindAtNs = probeAtNs;
        cause = "";
        refusal = Code.OK;
    }

    /**
     * Ends the outage.
     *
     * @param defect why the tree cannot be used although it was read; empty when the tree is sound
     */
    void end(String defect) {
        isOver = true;
        problem = defect;
    }

    /** Records the error of the last attempt, for the case that the servers have no defect. */
    void refused(Code code) {
        refusal = code;
    }

    /** Sets a known cause for some time, without a probe. */
    void known(String reason, long validNs) {
        if (!problem.equals(reason)) {
            LOG.error(reason);
        }
        problem = reason;
        number++;
        remindAtNs = clock.nanoTime() + REMIND_NS;
        probeAtNs = clock.nanoTime() + validNs + PROBE_NS;
    }

    /** Sets the final cause: this node gives up. */
    void stop(String reason) {
        isOver = true;
        problem = reason;
    }

    /** Probes the servers when a probe is due. Called during an outage. */
    void look(long nowNs) {
        if (nowNs - probeAtNs < 0) {
            return;
        }
        if (cause.isEmpty()) {
            report(CAUSE_UNKNOWN, nowNs); // a probe takes seconds
        }
        if (!isProbing) {
            probeAtNs = nowNs + PROBE_NS;
            int asked = number;
            probe.accept(found -> onProbed(asked, found));
            isProbing = true; // a probe that cannot start is repeated
        }
    }

    private void onProbed(int asked, String found) {
        isProbing = false;
        if (isOver || asked != number) {
            return; // the cause was found in the meantime, or the connection was restored
        }
        long nowNs = clock.nanoTime();
        probeAtNs = nowNs + PROBE_NS;
        report(found.isEmpty() ? withoutDefect() : found, nowNs);
    }

    /** Sets and logs the reason for the missing connection: at once for a new cause, otherwise once a minute. */
    private void report(String newCause, long nowNs) {
        boolean isNew = !newCause.equals(cause);
        cause = newCause;
        problem = "No connection to ZooKeeper at " + settings.connect() + " for "
                + TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs) + " s; this node waits for it. " + cause;
        if (isNew || nowNs - remindAtNs >= 0) {
            remindAtNs = nowNs + REMIND_NS;
            LOG.warn(problem);
        }
    }

    /**
     * Returns the reason when all servers answer: either the servers refuse this node, or the connection is about to be
     * ready.
     */
    private String withoutDefect() {
        return switch (refusal) {
            case OK, CONNECTIONLOSS, SESSIONEXPIRED, OPERATIONTIMEOUT ->
                "The server answers; see its log if this lasts.";
            case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                "Authentication failed (" + refusal + "): set coordinator.secret, or permit this node at the server.";
            default -> "The server refuses requests (" + refusal + "); see its log.";
        };
    }
}
