package io.chimera.archive.query;

import io.chimera.archive.index.SearchCounts;
import java.util.List;

/**
 * Cost breakdown of a query: the probe of the index, and the data skipped, read and filtered.
 *
 * @param filter filter applied to every item read; empty: all match
 * @param parts one part per queried stream
 */
public record Explanation(String filter, List<Part> parts) {
    /** Copies the parts. */
    public Explanation {
        parts = List.copyOf(parts);
    }

    /**
     * Cost of one stream.
     *
     * @param stream name of the stream
     * @param index probe of the index in words; intervals not ruled out by the probe are read
     * @param steps maximum filter steps for an Ethernet frame; 0 if not counted
     * @param search work in the index
     * @param searchNs duration of the search on its own thread; up to now during the search
     * @param intervals intervals read and filtered
     * @param reads device reads for these intervals
     * @param bytes bytes of these intervals
     * @param readNs sum of the read times; several reads run at a time
     * @param waitedNs time the answer waited for the index and for reads
     * @param looked items examined
     * @param matched items matched
     * @param filterNs time for filtering and output
     */
    public record Part(
            String stream,
            String index,
            int steps,
            SearchCounts search,
            long searchNs,
            long intervals,
            long reads,
            long bytes,
            long readNs,
            long waitedNs,
            long looked,
            long matched,
            long filterNs) {
        /** Returns the number of intervals in the time span, as far as the search has advanced. */
        public long inSpan() {
            return search.intervalsSkippedByGroup()
                    + search.intervalsSkipped()
                    + search.intervalsGone()
                    + search.intervalsDamaged()
                    + search.intervalsVisited();
        }
    }
}
