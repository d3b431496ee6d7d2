package io.chimera.faults.sim.plane;

import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.DrivenSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.time.Duration;
import org.agrona.concurrent.Agent;

/**
 * A process with a real session agent. The agent runs {@link #WAKE_NS} after a delivery, and after the sleep that the
 * agent wants.
 */
final class PlaneProcess {
    /** Time for a sleeping thread to run. */
    static final long WAKE_NS = 50_000;

    private static final ZooKeeperSettings SETTINGS =
            new ZooKeeperSettings("model", "/chimera", "c", Duration.ofSeconds(4));
    private static final int TURNS_MAX = 4;

    private final PlaneTime time;
    private final PlaneClient client;
    private final DrivenSession session;
    private final CpuMeter meter = new CpuMeter();
    private Runnable work = () -> {};
    private boolean isDue;
    private long turns;

    PlaneProcess(PlaneServers servers, long sessionId, int number) {
        time = servers.time();
        client = new PlaneClient(servers, sessionId, number % PlaneServers.SERVERS, meter);
        session = new DrivenSession(SETTINGS, time, new Counters<>(ClusterCounter.class), client);
    }

    DrivenSession session() {
        return session;
    }

    PlaneClient client() {
        return client;
    }

    /** Returns the CPU time of this process. */
    long cpuNs() {
        return meter.totalNs();
    }

    /** Sets the further work of the process after each turn of the agent. */
    void also(Runnable further) {
        work = further;
    }

    /** Starts the process. */
    void start(long atNs) {
        client.onDelivery(this::wake);
        time.at(atNs, session::connect);
        time.at(atNs, this::turn);
    }

    /** Runs the agent soon, as an announcement of another thread does. */
    void wake() {
        if (!isDue) {
            isDue = true;
            time.at(time.nanoTime() + WAKE_NS, this::turn);
        }
    }

    private void turn() {
        isDue = false;
        turns++;
        run(session.agent());
        work.run();
        long turn = turns;
        time.at(time.nanoTime() + session.nextSleepNs(), () -> {
            if (turn == turns) {
                turn();
            }
        });
    }

    /** Runs an agent of this process until it has no work. */
    private void run(Agent agent) {
        int times = 1;
        while (runOnce(agent) > 0 && times < TURNS_MAX) {
            times++;
        }
    }

    /** Runs an agent of this process once, under the meter of the process. */
    int runOnce(Agent agent) {
        meter.begin();
        try {
            return agent.doWork();
        } catch (Exception e) {
            throw new IllegalStateException("Agent " + agent.roleName() + " failed", e);
        } finally {
            meter.end();
        }
    }
}
