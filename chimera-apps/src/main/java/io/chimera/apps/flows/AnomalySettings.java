package io.chimera.apps.flows;

/**
 * Settings of {@code syn_flood} and {@code port_scan}; each may be left out.
 *
 * @param limit flows of a cycle that make a host conspicuous; 100
 * @param hosts that are told apart in a partition and cycle; 100000
 */
public record AnomalySettings(Integer limit, Integer hosts) {
    private static final int LIMIT_MAX = 1_000_000;

    /** Fills in the defaults. */
    public AnomalySettings {
        limit = limit == null ? 100 : limit;
        hosts = hosts == null ? 100_000 : hosts;
        if (limit < 1 || limit > LIMIT_MAX || hosts < 1 || hosts > LIMIT_MAX) {
            throw new IllegalArgumentException("limit and hosts are 1 to " + LIMIT_MAX);
        }
    }
}
