package io.chimera.bench.peers.job;

import io.chimera.apps.voip.CallFilters;
import io.chimera.apps.voip.VoipSettings;
import java.time.Duration;

/**
 * The filters of all partitions, and which of them a user belongs to: as Chimera parts its keys, so that the same users meet in
 * the same filters and all scores have to be equal to the last bit. One thread.
 */
public final class CallPartitions {
    /** What scores are called in results. */
    public static final String FIELD = "score";

    /** Partitions of the users. */
    public static final int COUNT = 64;

    /** An hour, so that all passes lie in it; twice as many cells as for ten minutes. */
    public static final VoipSettings SETTINGS = new VoipSettings(Duration.ofHours(1), 8192, 262_144, null, null, null);

    private final CallFilters[] filters = new CallFilters[COUNT];

    /** No filters yet. */
    public CallPartitions() {}

    /** Partition of a user, by the hash of the number. */
    public static int of(long user) {
        return Math.floorMod(mix(user ^ 0xC2B2AE3D27D4EB4FL), COUNT);
    }

    private static long mix(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }

    /** Filters of a partition; made when they are first asked for. */
    public CallFilters filters(int partition) {
        CallFilters found = filters[partition];
        if (found == null) {
            found = new CallFilters(SETTINGS);
            filters[partition] = found;
        }
        return found;
    }

    /** Puts a score into results when it is an alert. */
    public static void report(ResultTable results, String user, double score) {
        if (score > SETTINGS.limit()) {
            results.total("call,user=" + user, FIELD).add(1, score, score, score, score, 0);
        }
    }
}
