package io.chimera.common.agent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * Wakes the thread of one agent, which sleeps when it has nothing to do. Whoever hands something to the agent, or
 * changes what it looks at, calls {@link #wake} afterwards. A sleep has an end all the same: agents also wait for times.
 * {@link #wake} any thread; without a thread that sleeps, as in a simulation, it does nothing.
 */
public final class Wakeup {
    /**
     * Times that agents of the control plane wait for, for graces and attempts, are tens of ms. 50 looks a second cost
     * 0.03 % of a core.
     */
    private static final long SLEEP_NS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

    private volatile Thread sleeper;
    private long sleepNs = SLEEP_NS_MAX;

    /** Nobody sleeps yet. */
    public Wakeup() {}

    /** Wakes the agent, if it sleeps or is about to. */
    public void wake() {
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** The agent has to look again in so long: its next sleep is no longer. The agent's thread. */
    public void sleepAtMost(long ns) {
        sleepNs = Math.min(SLEEP_NS_MAX, ns);
    }

    /** How the agent's thread sleeps. */
    IdleStrategy sleep() {
        return new Sleep();
    }

    /**
     * Between saying that it sleeps and sleeping the agent looks once more: what came before the one is found by the
     * look, what comes after it wakes.
     */
    private final class Sleep implements IdleStrategy {
        @Override
        public void idle(int workCount) {
            if (workCount > 0) {
                reset();
            } else {
                idle();
            }
        }

        @Override
        public void idle() {
            if (sleeper == null) {
                sleeper = Thread.currentThread();
            } else {
                LockSupport.parkNanos(this, sleepNs);
                sleeper = null;
                sleepNs = SLEEP_NS_MAX;
            }
        }

        @Override
        public void reset() {
            if (sleeper != null) {
                sleeper = null;
            }
        }
    }
}
