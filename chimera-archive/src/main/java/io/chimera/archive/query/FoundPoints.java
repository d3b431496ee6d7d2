package io.chimera.archive.query;

import io.chimera.api.model.Row;

/** Data points that were found. */
public interface FoundPoints extends FoundItems {
    /** The point as the row that it was. */
    Row row();

    /** When the point was written, ns since 1970: of two nodes that wrote a row, the one that did so later has its value. */
    long writtenNs();

    /**
     * Whether the point meets the filter. In an answer to another node there are also rows that would with another value: that one may
     * have the row with such a value, written earlier.
     */
    boolean isMet();
}
