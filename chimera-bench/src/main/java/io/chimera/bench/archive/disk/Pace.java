package io.chimera.bench.archive.disk;

/**
 * Write speed of one writer.
 *
 * @param who name of the writer and its conditions
 * @param meanMib MiB/s until all data was on the disk
 * @param worstSecondMib MiB in the worst second
 * @param worstHalfMib MiB/s in the worst half second
 * @param bestSecondMib MiB in the best second
 * @param longestMs longest wait of one record
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
     * Returns this pace with the writes of the disk instead of the accepted bytes: tens of MiB of accepted bytes may
     * wait in memory, in varying amounts.
     *
     * @param bytes number of accepted bytes
     */
    Pace asWritten(Timeline written, long bytes) {
        long tookNs = (long) (bytes * 1e9 / DiskSite.MIB / meanMib);
        written.cut(tookNs);
        return of(who, written, tookNs, (long) (longestMs * 1e6));
    }
}
