package io.chimera.faults.chaos.load;

import io.chimera.faults.chaos.access.ClientAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Clients that write to all queue nodes, each at a bounded rate. */
public final class ClientLoad implements AutoCloseable {
    private static final long LOOK_MS = 20;

    /** Maximum time to wait for the end of a lane; a lane ends after its current request. */
    private static final Duration END_PATIENCE = Duration.ofMinutes(2);

    private final List<Lane> lanes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Creates a load that has not begun.
     *
     * @param inputs by id of the queue node, host:port of its InfluxDB input
     * @param access security settings of the clients
     * @param clientsPerNode number of clients of each queue node
     * @param every time from a request of a client to the next
     */
    public ClientLoad(long seed, Map<String, String> inputs, ClientAccess access, int clientsPerNode, Duration every) {
        inputs.forEach((node, address) -> {
            for (int i = 0; i < clientsPerNode; i++) {
                lanes.add(new Lane(seed, lanes.size(), node, address, access, every));
            }
        });
    }

    /** Starts the clients. */
    public void start() {
        for (Lane lane : lanes) {
            Thread thread = new Thread(lane, "lane-" + lane.node());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /**
     * Returns the longest wait for an acknowledgement within a period, for the clients of all queue nodes except the
     * given nodes.
     */
    public long longestWaitNs(long fromNs, long toNs, Set<String> butOf) {
        return lanes.stream()
                .filter(lane -> !butOf.contains(lane.node()))
                .mapToLong(lane -> lane.gaps().longestNs(fromNs, toNs))
                .max()
                .orElse(0);
    }

    /**
     * Makes all clients pause, and waits until no request is in flight.
     *
     * @return false on a time-out; the clients then pause after their requests
     */
    public boolean pause(Duration patience) throws InterruptedException {
        lanes.forEach(Lane::pause);
        return await(lanes, Lane::isIdle, patience);
    }

    /** Continues the paused clients of some queue nodes. */
    public void resume(Set<String> nodes) {
        lanes.stream().filter(lane -> nodes.contains(lane.node())).forEach(Lane::resume);
    }

    /** Continues all paused clients. */
    public void resume() {
        lanes.forEach(Lane::resume);
    }

    /**
     * Waits until each client of some queue nodes has received another acknowledgement.
     *
     * @return false on a time-out
     */
    public boolean awaitAcknowledged(Set<String> nodes, Duration patience) throws InterruptedException {
        long nowNs = System.nanoTime();
        List<Lane> some =
                lanes.stream().filter(lane -> nodes.contains(lane.node())).toList();
        return await(some, lane -> lane.gaps().acknowledgedNs() - nowNs > 0, patience);
    }

    private static boolean await(List<Lane> lanes, Predicate<Lane> wanted, Duration patience)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!lanes.stream().allMatch(wanted)) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(LOOK_MS);
        }
        return true;
    }

    /** Returns the wrong answers to valid points. */
    public List<String> wrongAnswers() {
        return lanes.stream()
                .map(Lane::wrongAnswer)
                .filter(answer -> !answer.isEmpty())
                .toList();
    }

    /** Ends the load and returns the sent batches. */
    public List<Generation> finish() throws InterruptedException {
        close();
        for (Thread thread : threads) {
            thread.join(END_PATIENCE.toMillis());
            if (thread.isAlive()) {
                throw new IllegalStateException("A client thread did not end: " + thread.getName());
            }
        }
        return lanes.stream().flatMap(ClientLoad::sentBy).toList();
    }

    private static Stream<Generation> sentBy(Lane lane) {
        return lane.sent().stream();
    }

    /** Makes all lanes end after their current request. */
    @Override
    public void close() {
        lanes.forEach(Lane::stop);
    }
}
