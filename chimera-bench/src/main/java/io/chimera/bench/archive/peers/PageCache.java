package io.chimera.bench.archive.peers;

import io.chimera.bench.report.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The kernel's memory of files. */
public final class PageCache {
    private PageCache() {}

    /** Lets it forget the files of a store of stenographer: an archive is larger than memory, and ours reads past that cache. */
    public static void forget(Path store) throws IOException, InterruptedException {
        for (String name : List.of("packets", "index")) {
            try (Stream<Path> files = Files.list(store.resolve(name))) {
                for (Path file : files.toList()) {
                    Tool.run(List.of(Tool.require("sync"), file.toString())); // what is not on the disk stays in memory
                    Tool.run(List.of(Tool.require("dd"), "if=" + file, "iflag=nocache", "count=0", "status=none"));
                }
            }
        }
    }
}
