package io.chimera.bench.peers.engine;

import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;

/**
 * How Chimera is set up for a run.
 *
 * @param queueNodes one, or as many as copies of the journal are wanted
 * @param toKairosDb whether rows go to a KairosDB instead of the store that only counts
 */
public record ChimeraSetup(int queueNodes, boolean toKairosDb) {
    /** Two processors in every setup: one per core of the machine that the peers are given two tasks on. */
    private static final int PROCESSORS = 2;

    /** One queue node, and the store that only counts: nearest to what the peers do. */
    public static final ChimeraSetup PLAIN = new ChimeraSetup(1, false);

    /** Every point in two journals before it is acknowledged. */
    public static final ChimeraSetup TWO_JOURNALS = new ChimeraSetup(2, false);

    /** Rows go to a real store. */
    public static final ChimeraSetup KAIROSDB = new ChimeraSetup(1, true);

    /**
     * The cluster.
     *
     * @param store host:port of KairosDB
     */
    ClusterPlan plan(String store) {
        return new ClusterPlan(
                true,
                queueNodes,
                PROCESSORS,
                queueNodes,
                toKairosDb ? "5s" : "3s", // a KairosDB on H2 takes some ten thousand rows a second
                "interval",
                "delivery: exactly_once",
                toKairosDb ? "type: kairosdb, url: \"http://" + store + "\"" : "type: counting",
                NodeMemory.SMALL);
    }
}
