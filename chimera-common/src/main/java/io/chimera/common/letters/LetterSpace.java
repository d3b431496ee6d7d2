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
 * Tracks the disk space of dead-letter files. Warns at 80 % of the limit, before new letters replace the oldest, and
 * logs every deleted file. One thread writes; any thread reads the warning.
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
     * Creates a tracker without used space.
     *
     * @param files the file, or the folder of the files, for messages
     * @param bytesMax limit of all files together in bytes
     */
    public LetterSpace(Path files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
    }

    /** Updates the total length of the files. */
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
     * Counts and logs the letters of a file before its deletion.
     *
     * @return number of letters
     */
    public long dropped(Path file) {
        long letters = lines(file);
        droppedLetters.addAndGet(letters);
        LOG.warn(
                "Dead letters dropped: file={} letters={} limit_bytes={}. The limit is reached and the oldest letters"
                        + " give way. Copy {} and remove its files.",
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
            LOG.warn("Cannot count the dead letters in {}: {}", file, e.toString());
        }
        return lines;
    }

    private boolean isNearlyFull() {
        return usedBytes >= ANNOUNCED_AT * bytesMax;
    }

    private String sentence() {
        return "Dead letters in " + files + " use " + usedBytes + " of at most " + bytesMax
                + " bytes; at the limit the oldest are dropped. Fix their cause, copy the files and remove them.";
    }

    /** Warning for the operator near the limit or after deleted letters. Any thread. */
    public Optional<String> warning() {
        if (isNearlyFull()) {
            return Optional.of(sentence());
        }
        return droppedLetters.get() == 0
                ? Optional.empty()
                : Optional.of("Dead letters in " + files + " reached their limit: " + droppedLetters
                        + " of the oldest were dropped since the start of this node.");
    }

    /** Number of used bytes. Any thread. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Size limit in bytes; the oldest letters are deleted at the limit. Any thread. */
    public long bytesMax() {
        return bytesMax;
    }
}
