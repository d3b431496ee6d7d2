package io.chimera.bench.peers.engine;

/**
 * How Chimera is set up for a run.
 *
 * @param queueNodes one, or as many as copies of the journal are wanted
 * @param toKairosDb whether rows go to a KairosDB instead of the store that only counts
 */
public record ChimeraSetup(int queueNodes, boolean toKairosDb) {
    /** Two processors in every setup: one per core of the machine that the peers are given two tasks on. */
    static final int PROCESSORS = 2;

    /** One queue node, and the store that only counts: nearest to what the peers do. */
    public static final ChimeraSetup PLAIN = new ChimeraSetup(1, false);

    /** Every point in two journals before it is acknowledged. */
    public static final ChimeraSetup TWO_JOURNALS = new ChimeraSetup(2, false);

    /** Rows go to a real store. */
    public static final ChimeraSetup KAIROSDB = new ChimeraSetup(1, true);

    /**
     * The configuration of all nodes.
     *
     * @param zooKeeper host:port of the coordinator's embedded server
     * @param store host:port of KairosDB
     */
    String configuration(String zooKeeper, String store) {
        return """
                # nobody fails here, so a machine that is busy with other things shall not look like it
                coordinator:
                  { connect: "%s", cluster: bench, session_timeout: 30s, embedded: { run: always, address: "%s" } }
                # a window of the peers has a million points, too
                cycle: { every: %s, max_points: 1_000_000 }
                queue: { copies: %d }
                inputs:
                  influx: { type: influx, http: "127.0.0.1:0" }
                pipelines:
                  all: { stores: [results], delivery: exactly_once }
                stores:
                  results: { type: %s }
                """.formatted(
                        zooKeeper,
                        zooKeeper,
                        toKairosDb ? "5s" : "3s", // a KairosDB on H2 takes some ten thousand rows a second
                        queueNodes,
                        toKairosDb ? "kairosdb, url: \"http://" + store + "\"" : "counting");
    }
}
