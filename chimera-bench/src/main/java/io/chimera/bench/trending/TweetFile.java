package io.chimera.bench.trending;

import io.chimera.apps.trending.TweetText;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.bench.peers.job.TagCounts;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Tweets as lines in a file in main memory, with the same pages for every engine and client. Deleted on close. */
final class TweetFile implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long SEED = 1;
    private static final long RATE = 1_000;
    private static final long START_MS = 1_409_318_650_332L;

    private final Path path;
    private final Map<String, Long> counts = new HashMap<>();
    private long hashtags;

    private TweetFile(Path path) {
        this.path = path;
    }

    static TweetFile write(int tweets) throws IOException {
        Path folder = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        TweetFile file = new TweetFile(Files.createTempFile(folder, "chimera-bench-", ".tweets"));
        file.path.toFile().deleteOnExit(); // after Ctrl-C
        TweetText text = new TweetText(SEED, RATE, START_MS);
        StringBuilder line = new StringBuilder();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file.path), 1 << 20)) {
            for (int tweet = 0; tweet < tweets; tweet++) {
                line.setLength(0);
                text.append(tweet, line);
                out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
                for (String tag : text.counted(tweet)) {
                    file.counts.merge(tag, 1L, Long::sum);
                    file.hashtags++;
                }
            }
        }
        return file;
    }

    Path path() {
        return path;
    }

    /** Returns the number of counted hashtags. */
    long hashtags() {
        return hashtags;
    }

    /**
     * Returns the required counts, computed from the generated tweets without a parser.
     *
     * @param times number of times an engine reads all tweets
     */
    ResultTable expected(int times) {
        ResultTable table = new ResultTable();
        counts.forEach((tag, count) -> TagCounts.add(table, tag, count * times));
        return table;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
