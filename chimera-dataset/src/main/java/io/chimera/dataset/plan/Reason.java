package io.chimera.dataset.plan;

import java.util.Map;

/**
 * A fact of an advice, as data and as a line for people.
 *
 * @param code kind of the reason
 * @param figures numbers of the line by name; the name ends with the unit
 * @param line a line of plain English with the same numbers
 */
public record Reason(ReasonCode code, Map<String, Double> figures, String line) {
    /**
     * Copies the figures.
     *
     * @param code kind of the reason
     * @param figures numbers by name
     * @param line a line for people
     */
    public Reason {
        figures = Map.copyOf(figures);
    }
}
