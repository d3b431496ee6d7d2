package io.chimera.processor;

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
     * No file yet.
     *
     * @param folder the node's data folder, which is made if need be
     * @param counters of the node
     */
    public LetterFiles(Path folder, Counters<ProcessorCounter> counters) {
        this.folder = folder;
        this.counters = counters;
    }

    /** A file of the folder; the same one for the same name. */
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

    /** What the operator must know of the files, in sentences. */
    public List<String> warnings() {
        return spaces().map(LetterSpace::warning).flatMap(Optional::stream).toList();
    }

    /** Bytes of all files. */
    public long usedBytes() {
        return spaces().mapToLong(LetterSpace::usedBytes).sum();
    }

    /** The most bytes that the files may have. */
    public long bytesMax() {
        return spaces().mapToLong(LetterSpace::bytesMax).sum();
    }
}
