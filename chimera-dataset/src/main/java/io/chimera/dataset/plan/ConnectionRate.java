package io.chimera.dataset.plan;

/**
 * Rate of a source with a number of connections, measured by a single worker without computation.
 *
 * @param connections number of connections with a request under way
 * @param bytesPerSecond rate of all connections together
 */
public record ConnectionRate(int connections, double bytesPerSecond) {
    /**
     * Checks the values.
     *
     * @param connections at least 1
     * @param bytesPerSecond more than 0
     */
    public ConnectionRate {
        if (connections < 1 || !(bytesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    bytesPerSecond + " bytes/s with " + connections + " connections; expected positive values");
        }
    }
}
