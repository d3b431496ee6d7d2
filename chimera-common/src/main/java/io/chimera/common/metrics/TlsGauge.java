package io.chimera.common.metrics;

import java.util.Locale;

/** Gauges of a node's certificates. */
public enum TlsGauge implements GaugeDescriptor {
    NOT_AFTER_SECONDS("End of the validity of the certificates in a file, in seconds since 1970.");

    private final MetricText text;

    TlsGauge(String help) {
        text = new MetricText("tls", name().toLowerCase(Locale.ROOT), help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
