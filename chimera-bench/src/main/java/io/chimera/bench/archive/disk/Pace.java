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

    /**
     * The same writer by what the disk wrote meanwhile, instead of by what was accepted: tens of MiB of that may wait in memory, now
     * more and now less.
     *
     * @param bytes that were accepted
     */
    Pace asWritten(Timeline written, long bytes) {
        long tookNs = (long) (bytes * 1e9 / DiskSite.MIB / meanMib);
        written.cut(tookNs);
        return of(who, written, tookNs, (long) (longestMs * 1e6));
    }
}
