package io.chimera.common.metrics;

import java.util.Locale;

/** Gauges of a node's certificates. */
public enum TlsGauge implements GaugeDescriptor {
    /** End of validity of a certificate. */
    NOT_AFTER_SECONDS("End of the validity of the certificates in a file, in seconds since 1970.");

    private final String help;

    TlsGauge(String help) {
        this.help = help;
    }

    @Override
    public String stage() {
        return "tls";
    }

    @Override
    public String what() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String help() {
        return help;
    }
}
