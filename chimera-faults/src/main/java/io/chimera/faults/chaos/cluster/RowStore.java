package io.chimera.faults.chaos.cluster;

/** What keeps the rows of the cluster. */
public enum RowStore {
    /** KairosDB on H2. */
    KAIROSDB,
    /** KairosDB on Cassandra. */
    CASSANDRA,
    /** The archives of the processors, each with a volume of its own; journals have an archive, too. */
    ARCHIVE
}
