package io.chimera.node.watch;

import java.io.PrintWriter;
import java.util.Locale;

/** Table with one line per snapshot and a header after every twenty lines. */
public final class LiveTable {
    private static final int LINES_PER_HEAD = 20;

    private static final String HEAD = String.format(
            "%8s %5s %4s %12s %10s %10s %12s %12s %12s %12s %9s %5s",
            "cycle",
            "open",
            "q/p",
            "points in",
            "per s",
            "rejected",
            "journaled",
            "forwarded",
            "staged",
            "rows flushed",
            "commit ms",
            "skew");

    private final PrintWriter out;
    private int lines;
    private ClusterSnapshot last;
    private long lastNs;

    /** Creates a table on a writer. */
    public LiveTable(PrintWriter out) {
        this.out = out;
    }

    /**
     * Prints a line.
     *
     * @param now the snapshot
     * @param nowNs time of the snapshot by the monotonic clock
     */
    public void print(ClusterSnapshot now, long nowNs) {
        if (lines % LINES_PER_HEAD == 0) {
            out.println(HEAD);
        }
        lines++;
        out.println(String.format(
                Locale.ROOT,
                "%8d %5d %4s %12d %10s %10d %12d %12d %12d %12d %9s %5.2f%s%s%s",
                now.cycle(),
                now.openCycles(),
                now.queues() + "/" + now.processors(),
                now.pointsIn(),
                rate(now, nowNs),
                now.pointsRefused(),
                now.journaled(),
                now.forwarded(),
                now.staged(),
                now.rowsFlushed(),
                now.commitLatencyMs() < 0 ? "-" : Long.toString(now.commitLatencyMs()),
                now.shardSkew(),
                now.waitingFor().isEmpty() ? "" : "  " + now.waitingFor(),
                now.alarms().isEmpty() ? "" : "  ALARM: " + String.join(" ", now.alarms()),
                now.change().isEmpty() ? "" : "  CHANGE: " + now.change()));
        printRejections(now);
        out.flush();
        last = now;
        lastNs = nowNs;
    }

    /** Names each queue node with rejected points since the previous snapshot. */
    private void printRejections(ClusterSnapshot now) {
        now.rejectedBy().forEach((node, rejected) -> {
            long before = last == null ? 0 : last.rejectedBy().getOrDefault(node, 0L);
            if (rejected > before) {
                out.println(String.format(
                        Locale.ROOT,
                        "         %s rejected %d points, %d since the last line; its /health/ready names input and"
                                + " sender",
                        node,
                        rejected,
                        rejected - before));
            }
        });
    }

    private String rate(ClusterSnapshot now, long nowNs) {
        if (last == null || nowNs <= lastNs || now.pointsIn() < last.pointsIn()) {
            return "-";
        }
        return Long.toString(Math.round((now.pointsIn() - last.pointsIn()) * 1e9 / (nowNs - lastNs)));
    }
}
