package io.chimera.bench.archive.peers;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The kernel's page cache. */
public final class PageCache {
    private PageCache() {}

    /**
     * Drops the files of a stenographer store from the page cache: an archive is larger than memory, and Chimera's
     * archive bypasses the page cache.
     */
    public static void forget(Path store) throws IOException, InterruptedException {
        for (String name : List.of("packets", "index")) {
            try (Stream<Path> files = Files.list(store.resolve(name))) {
                for (Path file : files.toList()) {
                    ProgramRun.run(List.of(ProgramRun.require("sync"), file.toString())); // dirty pages stay in memory
                    ProgramRun.run(
                            List.of(ProgramRun.require("dd"), "if=" + file, "iflag=nocache", "count=0", "status=none"));
                }
            }
        }
    }
}
