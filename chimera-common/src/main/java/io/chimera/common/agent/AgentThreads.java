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
 * Threads of one node; each thread runs one agent until {@link #close}. Idle threads of the data plane spin briefly and
 * then sleep, at first for less than a millisecond. Idle threads of the control plane sleep until a wakeup. So an idle
 * node costs almost nothing on a small machine, even with many lanes. Threads are closed in reverse order of their
 * start.
 */
public final class AgentThreads implements AutoCloseable {
    private static final long PARK_NS_MIN = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long PARK_NS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long AWAIT_MS = 5;

    private final String nodeName;
    private final ErrorHandler errors;
    private final List<AgentRunner> runners = new ArrayList<>();

    /**
     * Creates an empty set of threads.
     *
     * @param nodeName prefix of the thread names
     * @param errors handler of exceptions thrown by an agent; the agent continues
     */
    public AgentThreads(String nodeName, ErrorHandler errors) {
        this.nodeName = nodeName;
        this.errors = errors;
    }

    /** Starts a thread for an agent of the data plane that no producer wakes: the agent polls every millisecond. */
    public void start(Agent agent) {
        start(agent, new BackoffIdleStrategy(10, 10, PARK_NS_MIN, PARK_NS_MAX));
    }

    /**
     * Starts a thread for an agent of the data plane. After some time without work, the thread sleeps until a wakeup or
     * for 10 ms.
     *
     * @param wakeup wakes the agent
     */
    public void start(Agent agent, Wakeup wakeup) {
        start(agent, wakeup.poll());
    }

    /**
     * Starts a thread for an agent of the control plane, with some work per cycle.
     *
     * @param wakeup wakes the agent
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
     * Blocks the calling thread until a condition holds, while the agents continue. Returns immediately without running
     * agents, because nothing could change.
     *
     * @param condition checked every few ms
     * @param withinMs time limit in ms
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

    /** Sleeps on the calling thread, for control-plane code with external dependencies. */
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
