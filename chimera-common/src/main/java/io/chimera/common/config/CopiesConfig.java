package io.chimera.common.config;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.nio.file.Path;
import java.time.Duration;

/** Folder of copies of data sets. */
public record CopiesConfig(
        @Doc("Folder of copies alone; empty: _copies in the folder of the jobs. A relative path of a node is below"
                + " node.data_dir.")
        @Default
        Path folder,

        @Doc("Bytes of all copies at most, holes excluded; where the limit is reached, the copies with the oldest use"
                + " are deleted, never one in use. At least 64MiB.")
        @Default("16GiB")
        ByteSize maxBytes,

        @Doc("Time after the last use for which a copy is kept, at most 3650d.") @Default("7d")
        Duration keepFor,

        @Doc("Length of a block, the unit of copying; 64KiB to 8MiB. Copies with another length are not used.")
        @Default("1MiB")
        ByteSize blockBytes) {
    private static final ByteSize MAX_LEAST = ByteSize.ofMebibytes(64);
    private static final ByteSize BLOCK_LEAST = new ByteSize(64 << 10);
    private static final ByteSize BLOCK_MOST = ByteSize.ofMebibytes(8);
    private static final Duration KEEP_MOST = Duration.ofDays(3650);

    /** Checks the values. */
    public CopiesConfig {
        new Requirements()
                .that(maxBytes.compareTo(MAX_LEAST) >= 0, "max_bytes", maxBytes, "at least 64MiB")
                .between("keep_for", keepFor, Duration.ZERO, KEEP_MOST)
                .between("block_bytes", blockBytes, BLOCK_LEAST, BLOCK_MOST)
                .check();
    }

    /**
     * Returns the folder.
     *
     * @param base folder of relative paths
     * @param jobs folder of the jobs
     */
    public Path folder(Path base, Path jobs) {
        return folder.toString().isEmpty() ? jobs.resolve("_copies") : base.resolve(folder);
    }
}
