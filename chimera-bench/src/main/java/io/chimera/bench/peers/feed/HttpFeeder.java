package io.chimera.bench.peers.feed;

import io.chimera.bench.load.HttpConnections;
import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Sends the points as bodies of HTTP requests and waits for each answer: a client without losses. Several connections
 * share the points in order, so that the server always has work while answers are pending.
 */
public final class HttpFeeder implements EngineProcess {
    /** Lines per body: 1.0 MB with 346-byte lines, a usual batch of agents. */
    private static final int BODY_LINES = 3_000;

    /**
     * Number of connections. A journal with a sync every 100 ms answers ten times per second: 16 x 3,000 lines x 10 are
     * 480,000 points/s. With four connections the engine would wait for the client.
     */
    private static final int CONNECTIONS = 16;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private PointInput input;
    private HttpConnections connections;

    private HttpFeeder() {}

    /** Runs until its input ends. Property {@code feed.targets}: host:port, separated by commas. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new HttpFeeder());
    }

    @Override
    public void open() throws IOException {
        input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        String[] targets = System.getProperty("feed.targets", "").split(",", -1);
        connections = new HttpConnections(List.of(targets), CONNECTIONS);
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        int bodies = (input.points() + BODY_LINES - 1) / BODY_LINES;
        connections.sendAll(PATIENCE, bodies, body -> {
            int first = (int) body * BODY_LINES;
            return input.lines(first, Math.min(BODY_LINES, input.points() - first));
        });
    }

    @Override
    public void close() throws IOException {
        connections.close();
    }
}
