package io.chimera.node.launch;

import io.chimera.common.agent.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inputs of a lane above 0, which open after the start of the node, with retries. One thread; any thread reads the
 * problem.
 */
final class LaneInputs {
    private static final Logger LOG = LoggerFactory.getLogger(LaneInputs.class);

    private static final long RETRY_MS_MIN = 500;
    private static final int DOUBLED_MAX = 6; // up to 32 s

    private final int lane;
    private final Runnable opening;
    private final Clock clock;
    private State state = State.CLOSED;
    private int failures;
    private long retryAtNs;
    private volatile String problem = "";

    /**
     * State of the inputs.
     *
     * <ul>
     *   <li>CLOSED → OPEN: all inputs listen.
     *   <li>CLOSED → FAILED: an address is not available; no input listens.
     *   <li>FAILED → OPEN: a retry succeeds.
     * </ul>
     */
    private enum State {
        CLOSED,
        FAILED,
        OPEN
    }

    /**
     * Creates closed inputs.
     *
     * @param lane number of the lane
     * @param opening opens all inputs or none
     */
    LaneInputs(int lane, Runnable opening, Clock clock) {
        this.lane = lane;
        this.opening = opening;
        this.clock = clock;
    }

    /** Opens closed inputs when a try is due; returns whether the state has changed. */
    boolean open() {
        if (state == State.OPEN || (state == State.FAILED && clock.nanoTime() - retryAtNs < 0)) {
            return false;
        }
        State before = state;
        try {
            opening.run();
            state = State.OPEN;
            problem = "";
            LOG.info("Inputs of a lane are listening: lane={}", lane);
        } catch (RuntimeException e) {
            fail(e.getMessage());
        }
        return state != before;
    }

    private void fail(String reason) {
        String now = "the inputs do not listen: " + reason + " The node retries.";
        if (!now.equals(problem)) {
            LOG.warn("Inputs of a lane cannot listen; retrying: lane={} reason={}", lane, reason);
        }
        problem = now;
        state = State.FAILED;
        retryAtNs = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MS_MIN << Math.min(failures, DOUBLED_MAX));
        failures++;
    }

    /** Returns the reason why the inputs could not open; empty without a failure. Any thread. */
    Optional<String> problem() {
        return Optional.of(problem).filter(text -> !text.isEmpty());
    }
}
