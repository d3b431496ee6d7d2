package io.chimera.flow.ipfix;

/** Constants of the message formats that the exporter and the collector share. */
public final class WireFormat {
    /** Version number of an IPFIX message (RFC 7011, 3.1). */
    public static final int IPFIX = 10;

    /** Smallest id of a template, and of the data sets with its records (RFC 7011, 3.3.2). */
    public static final int DATA_SETS = 256;

    private WireFormat() {}
}
