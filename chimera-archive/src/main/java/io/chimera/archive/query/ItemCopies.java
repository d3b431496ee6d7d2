package io.chimera.archive.query;

import org.agrona.DirectBuffer;

/**
 * Copies what was found into intervals, to be sent to another node. One thread; memory of its own.
 *
 * @param <F> what was found
 */
public interface ItemCopies<F extends FoundItems> {
    /** Copies the current item. False: it belongs into the next interval. */
    boolean add(F found);

    /** Items in the interval. */
    int items();

    /** Ends the interval. Returns its bytes. */
    int finish();

    /** Where the interval lies, from 0 on. */
    DirectBuffer buffer();

    /** Begins the next. */
    void clear();
}
