package io.chimera.processor.pipeline;

import io.chimera.common.letters.LetterSpace;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** All dead-letter files of a processor. Any thread. */
public final class LetterFiles {
    private final Path folder;
    private final Counters<ProcessorCounter> counters;
    private final Map<String, LetterFile> files = new ConcurrentSkipListMap<>();

    /**
     * Creates the set without files.
     *
     * @param folder the node's data folder; created when missing
     * @param counters of the node
     */
    public LetterFiles(Path folder, Counters<ProcessorCounter> counters) {
        this.folder = folder;
        this.counters = counters;
    }

    /** Opens a file of the folder; returns the same object for the same name. */
    public synchronized LetterFile open(String name) {
        return files.computeIfAbsent(
                name,
                file -> new LetterFile(
                        folder,
                        file,
                        LetterFile.LENGTH_MAX,
                        letters -> counters.add(ProcessorCounter.LETTERS_OLD_DROPPED, letters)));
    }

    private Stream<LetterSpace> spaces() {
        return files.values().stream().map(LetterFile::space);
    }

    /** Returns warnings about the files for the operator, as sentences. */
    public List<String> warnings() {
        return spaces().map(LetterSpace::warning).flatMap(Optional::stream).toList();
    }

    /** Returns the total bytes of all files. */
    public long usedBytes() {
        return spaces().mapToLong(LetterSpace::usedBytes).sum();
    }

    /** Returns the maximum total bytes of all files. */
    public long bytesMax() {
        return spaces().mapToLong(LetterSpace::bytesMax).sum();
    }
}
