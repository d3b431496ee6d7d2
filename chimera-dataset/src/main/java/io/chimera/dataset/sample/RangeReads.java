package io.chimera.dataset.sample;

import java.io.IOException;
import java.time.Duration;

/** Reads of a data set for measurements: each read asks for bytes that no read before asked for, if there are some. */
interface RangeReads {
    /** Returns the address of the source without credentials. */
    String place();

    /**
     * Reads one range on each of some connections at the same time, in a single attempt.
     *
     * @param connections number of ranges and connections, at least 1
     * @param length wished length of a range in bytes, at least 1; shorter at the end of an object
     * @param timeMax time after which the ranges under way are given up
     * @return the received ranges
     * @throws IOException when the source fails
     */
    ReadRound read(int connections, int length, Duration timeMax) throws IOException;
}
