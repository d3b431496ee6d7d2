package io.chimera.archive.query.answer;

import org.agrona.DirectBuffer;

/**
 * Copies found items into intervals for another node. Single-threaded; owns its memory.
 *
 * @param <F> kind of the found items
 */
public interface ItemCopies<F extends FoundItems> {
    /** Copies the current item. Returns false if the item belongs to the next interval. */
    boolean add(F found);

    /** Returns the number of items in the interval. */
    int items();

    /** Finishes the interval. Returns its length in bytes. */
    int finish();

    /** Returns the memory of the interval, from index 0. */
    DirectBuffer buffer();

    /** Starts the next interval. */
    void clear();
}
