package io.chimera.common.agent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * The threads of one node: each runs one agent until it is closed. Waiting threads of the data plane spin shortly and
 * then sleep up to a millisecond; those of the control plane sleep until they are woken, so that an idle node costs next to
 * nothing on a small machine. Closed in the order opposite to starting.
 */
public final class AgentThreads implements AutoCloseable {
    private static final long PARK_NS_MIN = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long PARK_NS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long AWAIT_MS = 5;

    private final String nodeName;
    private final ErrorHandler errors;
    private final List<AgentRunner> runners = new ArrayList<>();

    /**
     * No threads yet.
     *
     * @param nodeName goes into the threads' names
     * @param errors is told of what an agent throws; the agent goes on
     */
    public AgentThreads(String nodeName, ErrorHandler errors) {
        this.nodeName = nodeName;
        this.errors = errors;
    }

    /** Starts a thread for an agent of the data plane, which points wait for. */
    public void start(Agent agent) {
        start(agent, new BackoffIdleStrategy(10, 10, PARK_NS_MIN, PARK_NS_MAX));
    }

    /**
     * Starts a thread for an agent of the control plane: what it does is asked for some times per cycle.
     *
     * @param wakeup wakes it
     */
    public void startControl(Agent agent, Wakeup wakeup) {
        start(agent, wakeup.sleep());
    }

    private void start(Agent agent, IdleStrategy idle) {
        AgentRunner runner = new AgentRunner(idle, errors, null, agent);
        runners.add(runner);
        AgentRunner.startOnThread(runner, work -> new Thread(work, nodeName + "-" + agent.roleName()));
    }

    /**
     * Waits on the calling thread until something is so, while the agents work on. Without running agents nothing would
     * change, so it returns at once.
     *
     * @param condition asked every few ms
     * @param withinMs gives up after so long
     */
    public void awaitUntil(BooleanSupplier condition, long withinMs) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs);
        try {
            while (!runners.isEmpty() && !condition.getAsBoolean() && System.nanoTime() - deadlineNs < 0) {
                Thread.sleep(AWAIT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sleeps on the calling thread, for control-plane code that waits for something outside. */
    public static void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis());
    }

    @Override
    public void close() {
        for (int i = runners.size() - 1; i >= 0; i--) {
            CloseHelper.close(errors, runners.get(i));
        }
        runners.clear();
    }
}
