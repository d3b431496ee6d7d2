package io.chimera.bench.peers.job;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.chimera.apps.voip.CallFilters;
import io.chimera.apps.voip.VoipSettings;
import java.time.Duration;
import net.openhft.hashing.LongHashFunction;

/**
 * The filters of all partitions, and which of them a user belongs to: as Chimera parts its keys, so that the same users meet in
 * the same filters and all scores have to be equal to the last bit. One thread.
 */
public final class CallPartitions {
    /** What scores are called in results. */
    public static final String FIELD = "score";

    /** A score above it is an alert. */
    public static final double LIMIT = 0.65;

    /** Partitions of the users. */
    public static final int COUNT = 64;

    /** An hour, so that all passes lie in it; twice as many cells as for ten minutes. */
    public static final VoipSettings SETTINGS = new VoipSettings(Duration.ofHours(1), 8192, 262_144, null, null);

    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    /** Metric and tag of the group key, each behind its length. */
    private static final byte[] PREFIX = "\4\0call\4\0user".getBytes(ISO_8859_1);

    private final byte[] key = new byte[PREFIX.length + 2 + 256];
    private final CallFilters[] filters = new CallFilters[COUNT];

    /** No filters yet. */
    public CallPartitions() {
        System.arraycopy(PREFIX, 0, key, 0, PREFIX.length);
    }

    /** Partition of a user. */
    @SuppressWarnings("deprecation") // all of them are ASCII
    public int of(String user) {
        int length = user.length();
        key[PREFIX.length] = (byte) length;
        user.getBytes(0, length, key, PREFIX.length + 2);
        long hash = XX3.hashBytes(key, 0, PREFIX.length + 2 + length);
        return Math.floorMod(mix(hash ^ 0xC2B2AE3D27D4EB4FL), COUNT);
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
        if (score > LIMIT) {
            results.total("call,user=" + user, FIELD).add(1, score, score, score, score, 0);
        }
    }
}
