package io.chimera.faults.chaos.load;

import io.chimera.faults.chaos.access.ClientAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A client of a queue node, with a single request in flight. An answer of 204 acknowledges the batch. A refused or
 * unanswered batch is in doubt: the batch is not repeated, and the client continues with other keys on another
 * connection. So the points of a generation use one connection, which ends at one lane of the queue node, and keep
 * their order. Without a connection nothing is sent, and the client retries. Its own thread; accessors any thread.
 */
final class Lane implements Runnable {
    private static final long AGAIN_MS = 100;
    private static final int GOOD = 204;
    private static final int FULL = 503;

    private enum Outcome {
        ACKNOWLEDGED,
        NOT_SENT,
        IN_DOUBT
    }

    private final long seed;
    private final int number;
    private final String node;
    private final String address;
    private final ClientAccess access;
    private final long everyNs;
    private final AckGaps gaps = new AckGaps(System.nanoTime());
    private final List<Generation> closed = new ArrayList<>();
    private volatile boolean stopping;
    private volatile boolean paused;
    private volatile boolean idle;
    private volatile String wrongAnswer = "";
    private Optional<InputConnection> connection = Optional.empty();
    private long acknowledged;

    /**
     * Creates a lane that sends nothing yet.
     *
     * @param node id of the queue node
     * @param address host:port of its input
     * @param every time from a request to the next
     */
    Lane(long seed, int number, String node, String address, ClientAccess access, Duration every) {
        this.seed = seed;
        this.number = number;
        this.node = node;
        this.address = address;
        this.access = access;
        everyNs = every.toNanos();
    }

    String node() {
        return node;
    }

    AckGaps gaps() {
        return gaps;
    }

    /** Returns the last wrong answer of an input to valid points; empty when there was none. */
    String wrongAnswer() {
        return wrongAnswer;
    }

    void stop() {
        stopping = true;
    }

    /** Makes the lane pause after its current request. */
    void pause() {
        idle = false;
        paused = true;
    }

    /** Returns whether the lane has reached the pause: no request is in flight. */
    boolean isIdle() {
        return idle;
    }

    void resume() {
        paused = false;
    }

    /** Returns the sent batches; valid after the end of the thread. */
    List<Generation> sent() {
        List<Generation> all = new ArrayList<>(closed);
        all.add(new Generation(number, closed.size(), acknowledged, false));
        return all;
    }

    @Override
    public void run() {
        try {
            long dueNs = System.nanoTime();
            while (!stopping) {
                long nowNs = System.nanoTime();
                if (nowNs - dueNs < 0) {
                    TimeUnit.NANOSECONDS.sleep(dueNs - nowNs);
                }
                // A delayed lane does not catch up: the load is bounded.
                dueNs = Math.max(dueNs, System.nanoTime() - everyNs) + everyNs;
                if (paused) {
                    idle = true;
                    gaps.restart(System.nanoTime());
                } else {
                    act(post());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
        }
    }

    private void act(Outcome outcome) throws InterruptedException {
        switch (outcome) {
            case ACKNOWLEDGED -> {
                acknowledged++;
                gaps.acknowledged(System.nanoTime());
            }
            case NOT_SENT -> Thread.sleep(AGAIN_MS);
            case IN_DOUBT -> {
                closed.add(new Generation(number, closed.size(), acknowledged, true));
                acknowledged = 0;
                Thread.sleep(AGAIN_MS);
            }
        }
    }

    private Outcome post() {
        InputConnection connected;
        try {
            connected = connection.isPresent() ? connection.get() : InputConnection.open(access, address);
        } catch (IOException e) {
            return Outcome.NOT_SENT;
        }
        connection = Optional.of(connected);
        byte[] batch =
                LoadValues.batch(seed, number, closed.size(), acknowledged, System.currentTimeMillis() * 1_000_000L);
        try {
            InputConnection.Answer answer = connected.post(batch);
            if (answer.status() == GOOD) {
                return Outcome.ACKNOWLEDGED;
            }
            if (answer.status() != FULL) {
                wrongAnswer = address + " answered " + answer.status() + " to good points: " + answer.text();
            }
        } catch (IOException e) {
            // no answer
        }
        disconnect();
        return Outcome.IN_DOUBT;
    }

    private void disconnect() {
        try {
            if (connection.isPresent()) {
                connection.get().close();
            }
        } catch (IOException e) {
            // the other end closed it
        }
        connection = Optional.empty();
    }
}
