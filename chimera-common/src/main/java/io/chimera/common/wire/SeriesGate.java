package io.chimera.common.wire;

/** Decides whether a {@link RecordEncoder} may learn a series that it does not know. Asked once per series and encoder. */
@FunctionalInterface
public interface SeriesGate {
    /** Admits every series. */
    SeriesGate ALL = definition -> true;

    /**
     * Whether records of a series may be written.
     *
     * @param definition of the series; valid during the call
     */
    boolean admits(SeriesFlyweight definition);
}
