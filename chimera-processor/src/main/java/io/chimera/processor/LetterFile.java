package io.chimera.processor;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of dead letters: one JSON object per line. When it is full it takes the place of the one before it, so there are
 * never more than two. One thread.
 */
public final class LetterFile {
    private static final Logger LOG = LoggerFactory.getLogger(LetterFile.class);

    /** A letter is about 300 bytes, so two files hold the last 400,000: 2 x 64 MiB / 300. */
    public static final long LENGTH_MAX = 64L << 20;

    private final Path file;
    private final long lengthMax;
    private final ObjectWriter json = new ObjectMapper().writer();
    private long length;
    private boolean isFailing;

    /**
     * A file in a folder, which is made if need be.
     *
     * @param folder the node's data folder
     * @param name of the file
     * @param lengthMax bytes at which a file is full
     */
    public LetterFile(Path folder, String name, long lengthMax) {
        this.file = folder.resolve(name);
        this.lengthMax = lengthMax;
        try {
            Files.createDirectories(folder);
            length = Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "The folder " + folder + " cannot be used (" + e.getMessage()
                            + "). Make it writable for this user, or set node.data_dir to another.",
                    e);
        }
    }

    /**
     * Appends a letter.
     *
     * @return false when the disk does not take it
     */
    public boolean write(Map<String, Object> letter) {
        try {
            byte[] line = (json.writeValueAsString(letter) + '\n').getBytes(StandardCharsets.UTF_8);
            if (length + line.length > lengthMax) {
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
                length = 0;
            }
            Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            length += line.length;
            isFailing = false;
            return true;
        } catch (IOException e) {
            if (!isFailing) {
                LOG.error("Dead letters cannot be written to {} ({}). Make room on that disk.", file, e.toString());
            }
            isFailing = true;
            return false;
        }
    }

    /** The file. */
    public Path file() {
        return file;
    }
}
