package io.chimera.processor.pipeline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.letters.LetterSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dead-letter file with one JSON object per line. A full file replaces the previous file, so there are never more
 * than two. {@link LetterSpace} warns before the oldest file is deleted and logs the loss. Any thread.
 */
public final class LetterFile {
    private static final Logger LOG = LoggerFactory.getLogger(LetterFile.class);

    /**
     * Maximum length of a file. A letter is about 300 bytes, so two files keep the last 400,000 letters: 2 x 64 MiB /
     * 300.
     */
    public static final long LENGTH_MAX = 64L << 20;

    private static final int FILES_MAX = 2;

    private final Path file;
    private final Path older;
    private final long lengthMax;
    private final LongConsumer dropped;
    private final LetterSpace space;
    private final ObjectWriter json = new ObjectMapper().writer();
    private boolean isFailing;

    /**
     * Opens a file in a folder; creates a missing folder.
     *
     * @param folder the node's data folder
     * @param name of the file
     * @param lengthMax bytes at which a file is full
     * @param dropped receives the number of letters deleted with the oldest file
     */
    public LetterFile(Path folder, String name, long lengthMax, LongConsumer dropped) {
        this.file = folder.resolve(name);
        this.lengthMax = lengthMax;
        this.dropped = dropped;
        older = folder.resolve(name + ".1");
        space = new LetterSpace(file, FILES_MAX * lengthMax);
        try {
            Files.createDirectories(folder);
            space.used(length(file) + length(older));
        } catch (IOException e) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "Folder " + folder + " cannot be used (" + e.getMessage()
                            + "). Make the folder writable for this user, or set node.data_dir to another folder.",
                    e);
        }
    }

    /** Returns the present length, read for every letter, because an operator may move a file away at any time. */
    private static long length(Path path) throws IOException {
        return Files.exists(path) ? Files.size(path) : 0;
    }

    /**
     * Appends a letter.
     *
     * @return false when writing to the disk fails
     */
    public synchronized boolean write(Map<String, Object> letter) {
        try {
            byte[] line = (json.writeValueAsString(letter) + '\n').getBytes(StandardCharsets.UTF_8);
            if (Files.isRegularFile(file) && length(file) > 0 && length(file) + line.length > lengthMax) {
                roll();
            }
            Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            space.used(length(file) + length(older));
            isFailing = false;
            return true;
        } catch (IOException e) {
            if (!isFailing) {
                LOG.error("Dead letters cannot be written to {} ({}). Free space on that disk.", file, e.toString());
            }
            isFailing = true;
            return false;
        }
    }

    private void roll() throws IOException {
        if (Files.exists(older)) {
            dropped.accept(space.dropped(older));
        }
        Files.move(file, older, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns the path of the newer file. */
    public Path file() {
        return file;
    }

    /** Returns the disk space of the two files. */
    public LetterSpace space() {
        return space;
    }
}
