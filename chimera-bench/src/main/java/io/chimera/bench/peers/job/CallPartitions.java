package io.chimera.bench.peers.job;

import io.chimera.apps.voip.CallFilters;
import io.chimera.apps.voip.VoipSettings;
import java.time.Duration;

/**
 * Filters of all partitions, and the partition of each user. The partitioning is Chimera's partitioning of keys, so
 * that the same users share the same filters and all scores must be equal to the last bit. One thread.
 */
public final class CallPartitions {
    /** Name of scores in results. */
    public static final String FIELD = "score";

    /** Number of partitions of the users. */
    public static final int COUNT = 64;

    /**
     * Filter settings with a window of one hour, which covers all passes, and twice as many cells as for ten minutes.
     */
    public static final VoipSettings SETTINGS = new VoipSettings(Duration.ofHours(1), 8192, 262_144, null, null, null);

    private final CallFilters[] filters = new CallFilters[COUNT];

    /** Creates partitions without filters. */
    public CallPartitions() {}

    /** Returns the partition of a user, by the hash of the number. */
    public static int of(long user) {
        return Math.floorMod(mix(user ^ 0xC2B2AE3D27D4EB4FL), COUNT);
    }

    private static long mix(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }

    /** Returns the filters of a partition, created on first use. */
    public CallFilters filters(int partition) {
        CallFilters found = filters[partition];
        if (found == null) {
            found = new CallFilters(SETTINGS);
            filters[partition] = found;
        }
        return found;
    }

    /** Adds a score to results if the score is an alert. */
    public static void report(ResultTable results, String user, double score) {
        if (score > SETTINGS.limit()) {
            results.total("call,user=" + user, FIELD).add(1, score, score, score, score, 0);
        }
    }
}
