package io.chimera.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders for the journals and logs of measurements. */
public final class BenchFolder {
    private BenchFolder() {}

    /** Creates an empty folder, deletes content from earlier runs, and returns the folder. */
    public static Path emptied(Path folder) throws IOException {
        delete(folder);
        return Files.createDirectories(folder);
    }

    /** Deletes a folder and all content. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> found = Files.walk(folder)) {
            all = new ArrayList<>(found.sorted(Comparator.reverseOrder()).toList());
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
