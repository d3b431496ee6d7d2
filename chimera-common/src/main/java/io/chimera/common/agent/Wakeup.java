package io.chimera.common.agent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * Wakes the thread of one agent from its idle sleep. Producers of work call {@link #wake} after passing work to the
 * agent or after changing its input. A sleep is bounded, because agents also wait for points in time. Any thread may
 * call {@link #wake}; without a sleeping thread, as in a simulation, the call has no effect.
 */
public final class Wakeup {
    /**
     * Maximum sleep. Grace periods and retry delays of control-plane agents are tens of ms. 50 wakeups per second cost
     * 0.03 % of a core.
     */
    private static final long SLEEP_NS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

    private volatile Thread sleeper;
    private long sleepNs = SLEEP_NS_MAX;

    /** Creates a wakeup without a sleeping thread. */
    public Wakeup() {}

    /** Wakes the agent if its thread sleeps or is about to sleep. */
    public void wake() {
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Limits the agent's next sleep. Called by the agent's thread. */
    public void sleepAtMost(long ns) {
        sleepNs = Math.min(SLEEP_NS_MAX, ns);
    }

    /** Returns the agent's next sleep, and resets the limit. Called by the agent's thread. */
    public long nextSleepNs() {
        long ns = sleepNs;
        sleepNs = SLEEP_NS_MAX;
        return ns;
    }

    /** Returns the idle strategy of the agent's thread. */
    IdleStrategy sleep() {
        return new Sleep();
    }

    /**
     * Idle strategy without lost wakeups: the agent polls once more between announcing the sleep and sleeping. The poll
     * finds work from before the announcement; work from after the announcement wakes the thread.
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
                LockSupport.parkNanos(this, nextSleepNs());
                sleeper = null;
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
