package io.chimera.bench.peers.engine;

import io.chimera.bench.cluster.ClusterLayout;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterPlan.Cycles;

/**
 * Setup of Chimera for a run.
 *
 * @param queueNodes number of queue nodes, equal to the number of copies in journals
 * @param toKairosDb whether rows go to KairosDB instead of the counting store
 */
public record ChimeraSetup(int queueNodes, boolean toKairosDb) {
    /** Number of processors in every setup: one per core; the peers use two tasks on the same machine. */
    private static final int PROCESSORS = 2;

    /** One queue node and the counting store: closest to the job of the peers. */
    public static final ChimeraSetup PLAIN = new ChimeraSetup(1, false);

    /** Every point in two journals before its acknowledgement. */
    public static final ChimeraSetup TWO_JOURNALS = new ChimeraSetup(2, false);

    /** Rows go to a real store. */
    public static final ChimeraSetup KAIROSDB = new ChimeraSetup(1, true);

    /**
     * Returns the cluster plan.
     *
     * @param store host:port of KairosDB
     */
    ClusterPlan plan(String store) {
        // KairosDB on H2 accepts about ten thousand rows per second
        String every = toKairosDb ? "5s" : "3s";
        ClusterPlan plan = ClusterPlan.counting(
                        ClusterLayout.of(queueNodes, PROCESSORS).shared())
                .copying(queueNodes)
                .cycling(Cycles.every(every));
        return toKairosDb ? plan.storing("type: kairosdb, url: \"http://" + store + "\"") : plan;
    }
}
