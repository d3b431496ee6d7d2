package io.chimera.archive.query.answer;

import io.chimera.api.model.Row;

/** Cursor over found data points. */
public interface FoundPoints extends FoundItems {
    /** Returns the point as the original row. */
    Row row();

    /** Returns the write time of the point, ns since 1970. If two nodes wrote a row, the later write wins. */
    long writtenNs();

    /**
     * Returns true if the point meets the filter. An answer to another node also contains rows with a value outside the
     * filter, because the other node may hold an older version of the row with a matching value.
     */
    boolean isMet();
}
