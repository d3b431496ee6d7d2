package io.chimera.common.agent;

import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * Wakes the thread of one agent from its idle sleep. Producers of work call {@link #wake} after passing work to the
 * agent or after changing its input. A sleep is bounded, because agents also wait for points in time, and because some
 * producers of work do not wake. Any thread may call {@link #wake}; without a sleeping thread, as in a simulation, the
 * call has no effect.
 */
public final class Wakeup {
    /**
     * Maximum sleep. Grace periods and retry delays of control-plane agents are tens of ms. 50 wakeups per second cost
     * 0.03 % of a core.
     */
    private static final long SLEEP_NS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

    /** Polls of an idle thread of the data plane before its first sleep, without and with a yield. */
    private static final int SPINS = 10;

    private static final int POLLS = 20;

    /** First sleep of a thread of the data plane; each following sleep is twice as long. */
    private static final long POLL_NS_MIN = TimeUnit.MICROSECONDS.toNanos(50);

    /** Longest sleep of a thread of the data plane between two pieces of work of a busy node. */
    private static final long POLL_NS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    /** Sleeps of a thread of the data plane until the node counts as idle: about 20 ms without work. */
    private static final int POLL_SLEEPS = 24;

    /** Sleep of a thread of the data plane in an idle node: 100 wakeups per second instead of 1,000. */
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final long restNs;
    private final long sleepNsMax;
    private volatile Thread sleeper;
    private long sleepNs;

    /** Creates a wakeup without a sleeping thread. */
    public Wakeup() {
        this(REST_NS, SLEEP_NS_MAX);
    }

    /**
     * Creates a wakeup without a sleeping thread.
     *
     * @param restNs longest sleep of a thread of the data plane
     * @param sleepNsMax longest sleep of a thread of the control plane
     */
    Wakeup(long restNs, long sleepNsMax) {
        this.restNs = restNs;
        this.sleepNsMax = sleepNsMax;
        sleepNs = sleepNsMax;
    }

    /** Announces that the calling thread will sleep unless its next poll finds work. */
    private void announce() {
        sleeper = Thread.currentThread();
        VarHandle.fullFence(); // a poll is an acquiring read, which the language permits before the write
    }

    /** Returns whether a thread sleeps or is about to sleep. */
    boolean isAnnounced() {
        return sleeper != null;
    }

    /** Wakes the agent if its thread sleeps or is about to sleep. */
    public void wake() {
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Limits the agent's next sleep. Called by the agent's thread. */
    public void sleepAtMost(long ns) {
        sleepNs = Math.min(sleepNsMax, ns);
    }

    /** Returns the agent's next sleep, and resets the limit. Called by the agent's thread. */
    public long nextSleepNs() {
        long ns = sleepNs;
        sleepNs = sleepNsMax;
        return ns;
    }

    /** Returns the idle strategy of a thread of the control plane, which sleeps at once. */
    IdleStrategy sleep() {
        return new Sleep();
    }

    /** Returns the idle strategy of a thread of the data plane, which polls for a while before long sleeps. */
    IdleStrategy poll() {
        return new Poll();
    }

    /**
     * Idle strategy without lost wakeups: the agent polls once more between announcing the sleep and sleeping. The poll
     * finds work from before the announcement; work from after the announcement wakes the thread.
     */
    private abstract class Announced implements IdleStrategy {
        @Override
        public void idle(int workCount) {
            if (workCount > 0) {
                reset();
            } else {
                idle();
            }
        }

        @Override
        public void reset() {
            if (sleeper != null) {
                sleeper = null;
            }
        }
    }

    /** Idle strategy that sleeps at once. */
    private final class Sleep extends Announced {
        @Override
        public void idle() {
            if (sleeper == null) {
                announce();
            } else {
                LockSupport.parkNanos(this, nextSleepNs());
                sleeper = null;
            }
        }
    }

    /** Idle strategy with sleeps that grow. */
    private final class Poll extends Announced {
        private int idles;

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // on a single core, the producer runs at once
        public void idle() {
            idles = Math.min(idles + 1, POLLS + 1 + POLL_SLEEPS + 1);
            if (idles <= SPINS) {
                Thread.onSpinWait();
            } else if (idles <= POLLS) {
                Thread.yield();
            } else if (sleeper == null) {
                announce();
            } else {
                LockSupport.parkNanos(this, pollNs(idles - POLLS - 1));
            }
        }

        private long pollNs(int sleeps) {
            if (sleeps > POLL_SLEEPS) {
                return restNs;
            }
            return Math.min(POLL_NS_MAX, POLL_NS_MIN << (sleeps - 1));
        }

        @Override
        public void reset() {
            idles = 0;
            super.reset();
        }
    }
}
