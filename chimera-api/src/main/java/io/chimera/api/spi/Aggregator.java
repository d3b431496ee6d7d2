package io.chimera.api.spi;

/**
 * A function over the values of one field of one group in one cycle.
 *
 * <p>The state is an object of a class of the plugin with a no-argument constructor. The off-heap warehouse serialises
 * the state after every fold. The groups of a lane share aggregator instances, and one thread at a time calls an
 * instance. The result must depend on nothing but the values and their order.
 *
 * @param <S> the state
 */
public interface Aggregator<S> extends Plugin {
    /**
     * Returns the name of the function in the configuration and, by default, at the end of the output metric. A
     * function has no settings.
     *
     * @return lower-case letters, digits and underscores
     */
    @Override
    String name();

    /**
     * Creates a state without any values.
     *
     * @return a new object
     */
    S create();

    /**
     * Adds one value to the state.
     *
     * @param state changed in place
     * @param value finite
     * @param timeNs time of the data point, nanoseconds since 1970
     */
    void fold(S state, double value, long timeNs);

    /**
     * Merges a second state into the first. All values of the second state follow the values of the first.
     *
     * @param into changed in place
     * @param from not changed
     */
    void merge(S into, S from);

    /**
     * Computes the result.
     *
     * @param state state with at least one value
     * @return the value to store; NaN writes no row
     */
    double result(S state);
}
