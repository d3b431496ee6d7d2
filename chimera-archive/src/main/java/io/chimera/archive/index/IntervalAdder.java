package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordView;

/** Reads a record of the data stream for an index that is being rebuilt. */
@FunctionalInterface
public interface IntervalAdder {
    /**
     * Adds the keys of all items of the record, then calls {@link IndexWriter#endInterval} once; or neither, where the record is none
     * that it can read: searches visit it, then. On the writer's thread.
     *
     * @param record valid until this returns
     */
    void add(RecordView record, IndexWriter into);
}
