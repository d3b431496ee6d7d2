package io.chimera.common.letters;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disk space of some dead-letter files. Announces the limit at 80 % of it, before the oldest letters give way to new ones, and
 * logs every file that is dropped. One thread writes; any thread asks for the warning.
 */
public final class LetterSpace {
    private static final Logger LOG = LoggerFactory.getLogger(LetterSpace.class);

    private static final double ANNOUNCED_AT = 0.8;
    private static final int BUFFER_LENGTH = 1 << 16;

    private final Path files;
    private final long bytesMax;
    private volatile long usedBytes;
    private final AtomicLong droppedLetters = new AtomicLong();
    private boolean isAnnounced;

    /**
     * Space of which nothing is used.
     *
     * @param files the file, or the folder of the files, for messages
     * @param bytesMax space of all files
     */
    public LetterSpace(Path files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
    }

    /** The files have this length now. */
    public void used(long bytes) {
        usedBytes = bytes;
        if (!isNearlyFull()) {
            isAnnounced = false;
        } else if (!isAnnounced) {
            isAnnounced = true;
            LOG.warn("{}", sentence());
        }
    }

    /**
     * A file is about to be deleted. Counts and logs its letters.
     *
     * @return number of the letters
     */
    public long dropped(Path file) {
        long letters = lines(file);
        droppedLetters.addAndGet(letters);
        LOG.warn(
                "Dead letters dropped: file={} letters={} limit_bytes={}. The limit is reached and the oldest letters give way."
                        + " Copy {} and remove its files.",
                file,
                letters,
                bytesMax,
                files);
        return letters;
    }

    private static long lines(Path file) {
        long lines = 0;
        byte[] buffer = new byte[BUFFER_LENGTH];
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                for (int i = 0; i < length; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
            }
        } catch (IOException e) {
            LOG.warn("Dead letters in {} cannot be counted: {}", file, e.toString());
        }
        return lines;
    }

    private boolean isNearlyFull() {
        return usedBytes >= ANNOUNCED_AT * bytesMax;
    }

    private String sentence() {
        return "Dead letters in " + files + " use " + usedBytes + " of at most " + bytesMax
                + " bytes; at the limit the oldest are dropped. Correct what causes them, copy the files and remove them.";
    }

    /** What the operator must know: the limit is near, or letters were dropped. Any thread. */
    public Optional<String> warning() {
        if (isNearlyFull()) {
            return Optional.of(sentence());
        }
        return droppedLetters.get() == 0
                ? Optional.empty()
                : Optional.of("Dead letters in " + files + " reached their limit: " + droppedLetters
                        + " of the oldest were dropped since the start of this node.");
    }

    /** Bytes in use. Any thread. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Bytes at which the oldest letters are dropped. Any thread. */
    public long bytesMax() {
        return bytesMax;
    }
}
