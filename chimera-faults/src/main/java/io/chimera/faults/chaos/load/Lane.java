package io.chimera.faults.chaos.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client of a queue node, with a single request in flight. An answer of 204 acknowledges the batch. A refused or
 * unanswered batch is in doubt: the batch is not repeated, and the lane continues with other keys. A request without a
 * connection was not sent, and is retried. Its own thread; accessors any thread.
 */
final class Lane implements Runnable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);
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
    private final HttpClient client;
    private final HttpRequest.Builder write;
    private final AckGaps gaps = new AckGaps(System.nanoTime());
    private final List<Generation> closed = new ArrayList<>();
    private volatile boolean stopping;
    private volatile String wrongAnswer = "";
    private long acknowledged;

    /**
     * Creates a lane that sends nothing yet.
     *
     * @param node id of the queue node
     * @param write builder of requests to its input
     */
    Lane(long seed, int number, String node, HttpClient client, HttpRequest.Builder write) {
        this.seed = seed;
        this.number = number;
        this.node = node;
        this.client = client;
        this.write = write.timeout(TIMEOUT);
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
                dueNs = Math.max(dueNs, System.nanoTime() - EVERY_NS) + EVERY_NS;
                act(post());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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

    private Outcome post() throws InterruptedException {
        byte[] batch =
                LoadValues.batch(seed, number, closed.size(), acknowledged, System.currentTimeMillis() * 1_000_000L);
        HttpRequest request =
                write.POST(HttpRequest.BodyPublishers.ofByteArray(batch)).build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != GOOD && answer.statusCode() != FULL) {
                wrongAnswer = request.uri() + " answered " + answer.statusCode() + " to good points: " + answer.body();
            }
            return answer.statusCode() == GOOD ? Outcome.ACKNOWLEDGED : Outcome.IN_DOUBT;
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return Outcome.NOT_SENT;
        } catch (IOException e) {
            return Outcome.IN_DOUBT;
        }
    }
}
