package io.chimera.bench.scale.quota;

import io.chimera.bench.load.SeriesText;
import io.chimera.bench.peers.job.FieldTotal;
import io.chimera.bench.peers.job.ResultTable;
import java.util.Map;

/**
 * Comparison of the stored counts of each series with the sent points.
 *
 * @param lost sent points without a row
 * @param doubled points counted more than once
 */
record SeriesCounts(long lost, long doubled) {
    /**
     * Compares.
     *
     * @param stored results of all stores
     * @param series number of series of the sent {@link SeriesText}
     * @param sent number of sent points, from point 0
     */
    static SeriesCounts of(ResultTable stored, int series, long sent) {
        long[] missing = new long[series];
        for (int i = 0; i < series; i++) {
            missing[i] = sent / series + (i < sent % series ? 1 : 0);
        }
        for (Map.Entry<String, Map<String, FieldTotal>> row : stored.totals().entrySet()) {
            missing[SeriesText.seriesOf(row.getKey())] -=
                    row.getValue().get(SeriesText.FIELD).count();
        }
        long lost = 0;
        long doubled = 0;
        for (long points : missing) {
            lost += Math.max(0, points);
            doubled += Math.max(0, -points);
        }
        return new SeriesCounts(lost, doubled);
    }
}
