package io.chimera.dataset.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * State of a job on disk. A job that was stopped or killed continues with it.
 *
 * <pre>
 *   plan.json                the objects with their versions, and the splits
 *   splits/000000            result of a split, see PieceFile; there only when whole
 *   splits/000000.skipped    mark of a bad split, which has no result
 *   skipped.jsonl            report of the splits without rows
 *   rejected.jsonl           the first rejected events
 *   merged                   how far the rows are stored, and a digest of the stores; until the job is done
 *   rows.lp                  rows of the pipelines without stores
 *   lock                     locked by the process that runs the job
 * </pre>
 *
 * <p>One process at a time; within it any thread.
 */
public final class JobFolder implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Name of the report of the splits without rows. */
    static final String SKIPPED = "skipped.jsonl";

    /** Name of the file with the first rejected events. */
    static final String REJECTED = "rejected.jsonl";

    private static final String MERGED = "merged";
    private static final String UNFINISHED = ".part";

    private final Path folder;
    private final FileChannel lock;

    /** Writes the content of a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private JobFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Opens the folder of a job, and creates a missing one.
     *
     * @param folder folder of this job alone
     * @throws JobException when another process has the folder open
     * @throws IOException when the folder cannot be created
     */
    public static JobFolder open(Path folder) throws IOException {
        Files.createDirectories(folder); // alone: the failure names the folder
        Files.createDirectories(folder.resolve("splits"));
        FileChannel lock =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() != null) {
                return new JobFolder(folder, lock);
            }
        } catch (OverlappingFileLockException e) {
            // the same answer as for another process
        }
        lock.close();
        throw new JobException("the job with the folder " + folder + " runs already; wait for its end", null);
    }

    /** Returns the folder. */
    public Path path() {
        return folder;
    }

    /** Returns the file of the result of a split. */
    public Path result(int split) {
        return folder.resolve("splits").resolve("%06d".formatted(split));
    }

    /** Returns the file with the rows of pipelines without stores. */
    public Path rows() {
        return folder.resolve("rows.lp");
    }

    /** Returns whether a split is computed. */
    public boolean isComputed(int split) {
        return Files.exists(result(split));
    }

    /**
     * Returns whether any split is computed or skipped.
     *
     * @throws IOException when the folder cannot be read
     */
    boolean hasResults() throws IOException {
        try (DirectoryStream<Path> results = Files.newDirectoryStream(
                folder.resolve("splits"), file -> !file.toString().endsWith(UNFINISHED))) {
            return results.iterator().hasNext();
        }
    }

    /** Returns the report of the splits without rows; there after all splits are computed. */
    public Path skippedSplits() {
        return folder.resolve(SKIPPED);
    }

    /** Returns the file with the first rejected events; there after all splits are computed. */
    public Path rejectedEvents() {
        return folder.resolve(REJECTED);
    }

    /**
     * Marks a split as skipped, durably.
     *
     * @param split the split
     * @throws IOException when the mark cannot be written
     */
    void skip(SkippedSplit split) throws IOException {
        replace(mark(split.split()), JSON.writeValueAsBytes(split));
    }

    /**
     * Reads the mark of a skipped split.
     *
     * @param split number of the split
     * @return empty without a mark
     * @throws IOException when the mark cannot be read
     */
    Optional<SkippedSplit> skipped(int split) throws IOException {
        Path file = folder.resolve(mark(split));
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(Files.readAllBytes(file), SkippedSplit.class));
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is damaged; delete the folder of the job to begin again", e);
        }
    }

    private static String mark(int split) {
        return "splits/%06d.skipped".formatted(split);
    }

    /**
     * Reads the plan.
     *
     * @return empty before the first start of the job
     * @throws IOException when the file cannot be read
     */
    public Optional<JobPlan> plan() throws IOException {
        Path file = folder.resolve("plan.json");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(PlanCodec.decode(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new IOException(
                    file + " cannot be used: " + e.getMessage() + "; delete the folder of the job to begin again", e);
        }
    }

    /**
     * Writes the plan.
     *
     * @param plan the plan
     * @throws IOException when the file cannot be written
     */
    public void plan(JobPlan plan) throws IOException {
        replace("plan.json", PlanCodec.encode(plan));
    }

    /**
     * Reads how far the rows are stored.
     *
     * @param stores digest of the stores
     * @return start of the last window whose rows are stored, nanoseconds since 1970; empty when none is, or when the
     *     rows are in other stores
     * @throws IOException when the file cannot be read
     */
    public Optional<Long> merged(String stores) throws IOException {
        Path file = folder.resolve(MERGED);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String[] words = Files.readString(file).strip().split(" ", 2);
        if (words.length < 2 || !words[1].equals(stores)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(words[0]));
        } catch (NumberFormatException e) {
            throw new IOException(file + " is damaged; delete the file, and all rows are written again", e);
        }
    }

    /**
     * Records how far the rows are stored.
     *
     * @param stores digest of the stores
     * @param startNs start of the last window whose rows are stored, nanoseconds since 1970
     * @throws IOException when the file cannot be written
     */
    public void merged(String stores, long startNs) throws IOException {
        replace(MERGED, (startNs + " " + stores + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Forgets how far the rows are stored: the next run stores all of them.
     *
     * @throws IOException when the file cannot be deleted
     */
    void forgetMerged() throws IOException {
        Files.deleteIfExists(folder.resolve(MERGED));
    }

    /** Gives the folder free for other processes. */
    @Override
    public void close() throws IOException {
        lock.close();
    }

    /**
     * Replaces a file: makes the content durable, then visible under the name.
     *
     * @param name name of the file in the folder
     * @param content the content
     * @throws IOException when the file cannot be written
     */
    void replace(String name, byte[] content) throws IOException {
        replace(name, out -> out.write(content));
    }

    /** Like {@link #replace(String, byte[])}, for content of any length. */
    void replace(String name, Content content) throws IOException {
        replace(folder, name, content);
    }

    /** Like {@link #replace(String, Content)}, in a folder that need not be the state of a job. */
    static void replace(Path folder, String name, Content content) throws IOException {
        Path unfinished = folder.resolve(name + UNFINISHED);
        try (FileChannel channel = FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
            content.writeTo(out);
            out.flush();
            channel.force(true);
        }
        Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
