package io.chimera.archive.index;

import io.chimera.archive.streamfs.store.RecordView;

/** Adds a record of the data stream to an index during a rebuild. */
@FunctionalInterface
public interface IntervalAdder {
    /**
     * Adds the keys of all items of the record, then calls {@link IndexWriter#endInterval} once. Adds nothing for an
     * unreadable record; searches then visit the record. Writer's thread.
     *
     * @param record valid until the method returns
     */
    void add(RecordView record, IndexWriter into);
}
