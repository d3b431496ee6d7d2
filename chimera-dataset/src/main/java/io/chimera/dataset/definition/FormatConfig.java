package io.chimera.dataset.definition;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import org.jspecify.annotations.Nullable;

/** Format of the objects of a data set. */
public record FormatConfig(
        @Doc("influx (line protocol), csv, json_lines, parquet, pcap (also pcapng), or the name of a parser plugin for"
                + " lines.")
        @Default("influx")
        String type,

        @Doc("Compression: auto takes it from the end of each path (.gz, .zst, .lz4).") @Default("auto")
        CompressionChoice compression,

        @Doc("Unit of the times in line protocol: ns, us, ms or s.") @Default("ns")
        Precision precision,

        @Doc("Columns of the points; for csv, json_lines, parquet and pcap.") @Nullable
        MappingConfig mapping) {
    /** Compression of the objects. */
    public enum CompressionChoice {
        /** The end of the path decides. */
        AUTO,
        /** None. */
        PLAIN,
        /** gzip. */
        GZIP,
        /** Zstandard. */
        ZSTD,
        /** LZ4 frames. */
        LZ4
    }

    /** Unit of times. */
    public enum Precision {
        /** Nanoseconds. */
        NS(1),
        /** Microseconds. */
        US(1_000),
        /** Milliseconds. */
        MS(1_000_000),
        /** Seconds. */
        S(1_000_000_000);

        private final long unitNs;

        Precision(long unitNs) {
            this.unitNs = unitNs;
        }

        /** Returns the number of nanoseconds per unit. */
        public long unitNs() {
            return unitNs;
        }
    }
}
