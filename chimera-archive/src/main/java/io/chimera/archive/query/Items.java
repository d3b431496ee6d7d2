package io.chimera.archive.query;

import io.chimera.archive.index.Probe;
import io.chimera.archive.streamfs.RecordView;

/** What one kind of interval holds, for a question: a cursor over the items of one interval at a time. One thread. */
interface Items {
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

    /** Records that the answer needs beside intervals and that could not be read. */
    long damaged();

    /** What was wrong with the first of them; empty: nothing. */
    String damage();
}
