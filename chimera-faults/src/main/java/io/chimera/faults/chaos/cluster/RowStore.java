package io.chimera.faults.chaos.cluster;

/** Store of the cluster's rows. */
public enum RowStore {
    /** KairosDB on H2. */
    KAIROSDB,
    /** KairosDB on Cassandra. */
    CASSANDRA,
    /** The archives of the processors, each on a separate volume; journals also have an archive. */
    ARCHIVE
}
