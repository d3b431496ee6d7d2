package io.chimera.archive.query;

import io.chimera.archive.index.SearchCounts;
import java.util.List;

/**
 * Why a question took as long as it did: what of it the index was asked, and what was skipped, read and looked at.
 *
 * @param filter decides about every item that is read; empty: all match
 * @param parts one for each stream that was asked
 */
public record Explanation(String filter, List<Part> parts) {
    /** Copies. */
    public Explanation {
        parts = List.copyOf(parts);
    }

    /**
     * What one stream took.
     *
     * @param stream its name
     * @param index what the index was asked for; whatever it does not rule out is read
     * @param steps that the filter takes at most for a frame of Ethernet; 0 where they are not counted
     * @param search what was done in the index
     * @param searchNs how long that took, on a thread of its own; up to now while it goes on
     * @param intervals that were read and looked through
     * @param reads of the device for them
     * @param bytes of them
     * @param readNs how long these reads took, added up: several go on at a time
     * @param waitedNs how long the answer waited for the index and for reads
     * @param looked items looked at
     * @param matched of these
     * @param filterNs how long it took to look at them, and to write them down
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
        /** Intervals in the span of time, as far as the search has come. */
        public long inSpan() {
            return search.intervalsSkippedByGroup()
                    + search.intervalsSkipped()
                    + search.intervalsGone()
                    + search.intervalsDamaged()
                    + search.intervalsVisited();
        }
    }
}
