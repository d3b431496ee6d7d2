package io.chimera.archive.query.interval;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.RecordView;
import java.util.function.BooleanSupplier;

/** Cursor over the items of one interval at a time, for the interval kind of a question. Single-threaded. */
public interface Items {
    /**
     * Collects everything needed before the first item.
     *
     * @param isStopped polled now and then; true when the answer is no longer wanted
     * @throws QuestionException when the result would take too much memory
     * @throws io.chimera.common.error.ChimeraException when the index cannot be read
     */
    void prepare(BooleanSupplier isStopped);

    /** Returns the probe for the index: every interval with a matching item matches the probe. */
    Probe probe();

    /** Returns the probe in words. */
    String probeInWords();

    /** Returns the maximum filter steps per item; 0 if not counted. */
    int steps();

    /**
     * Positions the cursor before the first item of an interval.
     *
     * @param record valid until the next call
     * @throws QuestionException when the question does not apply to items of this interval
     * @throws io.chimera.common.error.ChimeraException when the record is not an interval of this kind
     */
    void open(RecordView record);

    /** Returns the number of items in the interval. */
    int count();

    /**
     * Advances to the next item of the interval.
     *
     * @return false at the end
     * @throws io.chimera.common.error.ChimeraException when the item is incomplete
     */
    boolean next();

    /** Returns the time of the item, ns since 1970. */
    long timeNs();

    /** Returns true if the item belongs to the answer, without a check of its time. */
    boolean matches();

    /** Returns the work done by {@link #prepare} so far. */
    QueryProgress prepared();
}
