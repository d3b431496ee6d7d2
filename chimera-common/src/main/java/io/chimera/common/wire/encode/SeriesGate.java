package io.chimera.common.wire.encode;

import io.chimera.common.wire.SeriesFlyweight;

/**
 * Decides whether a {@link RecordEncoder} may learn a new series. The encoder asks once per series, and again only
 * after dropping the series from its cache.
 */
@FunctionalInterface
public interface SeriesGate {
    /** Admits every series. */
    SeriesGate ALL = definition -> true;

    /**
     * Returns whether records of a series may be written.
     *
     * @param definition definition of the series; valid during the call
     */
    boolean admits(SeriesFlyweight definition);
}
