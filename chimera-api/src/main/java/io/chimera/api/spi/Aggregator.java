package io.chimera.api.spi;

/**
 * A function over the values of one field of one group in one cycle. The state is an object of the plugin's own class
 * with a no-argument constructor; a warehouse off the heap serialises it after every fold. Instances are shared by the
 * groups of a node and called by one thread at a time; the result must depend on nothing but the values and their order.
 *
 * @param <S> the state
 */
public interface Aggregator<S> extends Plugin {
    /**
     * Name of the function in the configuration and, by default, at the end of the output metric. A function has no settings.
     *
     * @return lower-case letters, digits and underscores
     */
    @Override
    String name();

    /**
     * A state that has seen no value.
     *
     * @return a new object
     */
    S create();

    /**
     * Takes one value into the state.
     *
     * @param state changed in place
     * @param value finite
     * @param timeNs time of the data point, nanoseconds since 1970
     */
    void fold(S state, double value, long timeNs);

    /**
     * Takes all that another state has seen, later than everything in this one.
     *
     * @param into changed in place
     * @param from left as it is
     */
    void merge(S into, S from);

    /**
     * The result.
     *
     * @param state has seen at least one value
     * @return the value to store; NaN writes no row
     */
    double result(S state);
}
