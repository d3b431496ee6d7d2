package io.chimera.apps.flows;

/**
 * Settings of {@code syn_flood} and {@code port_scan}; all optional.
 *
 * @param limit flows per cycle from which a host is reported; default 100
 * @param hosts maximum number of hosts tracked per partition and cycle; default 100000
 */
public record AnomalySettings(Integer limit, Integer hosts) {
    private static final int LIMIT_MAX = 1_000_000;

    /** Fills in the defaults and checks the ranges. */
    public AnomalySettings {
        limit = limit == null ? 100 : limit;
        hosts = hosts == null ? 100_000 : hosts;
        if (limit < 1 || limit > LIMIT_MAX || hosts < 1 || hosts > LIMIT_MAX) {
            throw new IllegalArgumentException("limit and hosts must be 1 to " + LIMIT_MAX);
        }
    }
}
