package io.chimera.archive.query;

import io.chimera.archive.index.Probe;
import io.chimera.archive.streamfs.RecordView;
import java.util.function.BooleanSupplier;

/** What one kind of interval holds, for a question: a cursor over the items of one interval at a time. One thread. */
interface Items {
    /**
     * Finds out what has to be known ahead of the first item.
     *
     * @param isStopped asked now and then; true: the answer is not wanted any more
     * @throws QuestionException when that is too much to be known
     * @throws io.chimera.common.error.ChimeraException when the index cannot be read
     */
    void prepare(BooleanSupplier isStopped);

    /** What the index is asked for: no item that matches is in an interval that it leaves out. */
    Probe probe();

    /** The same for people. */
    String probeInWords();

    /** Steps that the filter takes at most for an item; 0 where they are not counted. */
    int steps();

    /**
     * Lays it over an interval, ahead of its first item.
     *
     * @param record valid until the next
     * @throws QuestionException when items of this interval cannot be asked so
     * @throws io.chimera.common.error.ChimeraException when the record is no such interval
     */
    void open(RecordView record);

    /** How many items the interval has. */
    int count();

    /**
     * Goes to the next item of the interval.
     *
     * @return false when there is none
     * @throws io.chimera.common.error.ChimeraException when it is not whole
     */
    boolean next();

    /** When the item was, ns since 1970. */
    long timeNs();

    /** Whether it is in the answer, by everything but its time. */
    boolean matches();

    /** What {@link #prepare} did up to now. */
    QueryProgress prepared();
}
