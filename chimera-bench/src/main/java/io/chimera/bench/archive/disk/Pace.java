package io.chimera.bench.archive.disk;

/**
 * How fast somebody wrote.
 *
 * @param who and under which conditions
 * @param meanMib MiB per second until all was on the disk
 * @param worstSecondMib MiB in the worst second
 * @param worstHalfMib MiB per second in the worst half second
 * @param bestSecondMib MiB in the best second
 * @param longestMs that one record had to wait for
 */
public record Pace(
        String who,
        double meanMib,
        double worstSecondMib,
        double worstHalfMib,
        double bestSecondMib,
        double longestMs) {

    static Pace of(String who, Timeline timeline, long tookNs, long longestNs) {
        return new Pace(
                who,
                timeline.bytes() * 1e9 / tookNs / DiskSite.MIB,
                timeline.worst(Timeline.SECOND) / DiskSite.MIB,
                timeline.worst(Timeline.HALF_SECOND) / DiskSite.MIB,
                timeline.best(Timeline.SECOND) / DiskSite.MIB,
                longestNs / 1e6);
    }
}
