package io.chimera.common.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;

final class WakeupTest {
    private static final int HANDED = 200;

    /** Each of these times, the agent rests before it gets work. */
    private static final int RESTS = 5;

    private static final long REST_MS = 50;

    /** Ends the agent, which no close could wake. */
    private static final int END = -1;

    /** A sleep so long that a lost wakeup fails the test. */
    private static final long LONG_NS = TimeUnit.HOURS.toNanos(1);

    private final Wakeup wakeup = new Wakeup(LONG_NS, LONG_NS);

    @Test
    void doesNothingWhileNobodySleeps() {
        wakeup.wake();

        wakeup.sleep().idle(1);
    }

    @Test
    void looksOnceMoreBeforeItSleeps() {
        var sleep = wakeup.sleep();

        sleep.idle(0); // announces the sleep
        wakeup.wake();
        sleep.idle(0); // the earlier wakeup still counts
        sleep.reset();

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void everythingHandedOverIsFoundByTheAgentThatSleeps() throws InterruptedException {
        assertEverythingIsFound(AgentThreads::startControl);
    }

    @Test
    void everythingHandedOverIsFoundByTheAgentThatPolls() throws InterruptedException {
        assertEverythingIsFound(AgentThreads::start);
    }

    private interface Start {
        void start(AgentThreads threads, Agent agent, Wakeup wakeup);
    }

    private void assertEverythingIsFound(Start start) throws InterruptedException {
        AtomicInteger handed = new AtomicInteger();
        SynchronousQueue<Integer> found = new SynchronousQueue<>();
        Agent agent = new Agent() {
            private int seen;

            @Override
            public int doWork() throws InterruptedException {
                int now = handed.get();
                if (now == END) {
                    throw new AgentTerminationException();
                }
                if (now == seen) {
                    return 0;
                }
                seen = now;
                found.put(now);
                return 1;
            }

            @Override
            public String roleName() {
                return "sleeper";
            }
        };
        try (AgentThreads threads = new AgentThreads("test", error -> {})) {
            start.start(threads, agent, wakeup);
            for (int i = 1; i <= HANDED; i++) {
                if (i <= RESTS) {
                    Thread.sleep(REST_MS);
                }
                handed.set(i);
                wakeup.wake();
                assertThat(found.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo(i);
            }
            handed.set(END);
            wakeup.wake();
        }
    }
}
