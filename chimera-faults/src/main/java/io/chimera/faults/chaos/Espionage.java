package io.chimera.faults.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.PrefixWatch;
import io.chimera.faults.chaos.intruder.Intruder.Knowledge;
import io.chimera.node.watch.NodeClient;
import java.time.Duration;
import java.util.function.Supplier;

/** Finds a live session and an open cycle for the intruder's frames, simulating an eavesdropper. Any thread. */
final class Espionage implements Supplier<Knowledge> {
    private static final long FRESH_NS = Duration.ofSeconds(2).toNanos();

    private final ChaosCluster cluster;
    private final NodeClient client;
    private final PrefixWatch watch;
    private Knowledge known = new Knowledge(1, 1);
    private long learnedNs = System.nanoTime() - FRESH_NS;

    Espionage(ChaosCluster cluster, PrefixWatch watch) {
        this.cluster = cluster;
        this.watch = watch;
        client = cluster.client(Duration.ofSeconds(1));
    }

    @Override
    public synchronized Knowledge get() {
        if (System.nanoTime() - learnedNs >= FRESH_NS) {
            known = new Knowledge(session(), watch.prefix().begun());
            learnedNs = System.nanoTime();
        }
        return known;
    }

    private long session() {
        for (String coordinator : cluster.coordinators()) {
            try {
                for (JsonNode member : client.status(coordinator, "coordinator").path("members")) {
                    if (member.path("role").asText().equals("queue")) {
                        return Long.parseUnsignedLong(member.path("session").asText(), 16);
                    }
                }
            } catch (ChimeraException e) {
                // this coordinator is down; the next may answer
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return known.session();
            }
        }
        return known.session();
    }
}
