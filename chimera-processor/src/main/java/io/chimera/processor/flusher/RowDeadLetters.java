package io.chimera.processor.flusher;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.chimera.api.model.Row;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of rows that a store refused for their content: one JSON object per line. When it is full it takes the place of
 * the one before it, so there are never more than two. The flusher's thread.
 */
public final class RowDeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(RowDeadLetters.class);

    /** A row is about 300 bytes, so two files hold the last 400,000: 2 x 64 MiB / 300. */
    public static final long FILE_LENGTH_MAX = 64L << 20;

    private final Path file;
    private final long lengthMax;
    private final ObjectWriter json = new ObjectMapper().writer();
    private long length;
    private boolean isFailing;

    /**
     * The file in a folder, which is made if need be.
     *
     * @param folder the node's data folder
     * @param lengthMax bytes at which a file is full
     */
    public RowDeadLetters(Path folder, long lengthMax) {
        this.file = folder.resolve("dead-letter-rows.jsonl");
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
     * Writes a refused row.
     *
     * @return false when the disk does not take it
     */
    boolean write(long nowMs, String store, String pipeline, Row row, String reason) {
        try {
            byte[] line = line(nowMs, store, pipeline, row, reason);
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
                LOG.error("Refused rows cannot be written to {} ({}). Make room on that disk.", file, e.toString());
            }
            isFailing = true;
            return false;
        }
    }

    private byte[] line(long nowMs, String store, String pipeline, Row row, String reason)
            throws JsonProcessingException {
        Map<String, Object> letter = new LinkedHashMap<>();
        letter.put("time_ms", nowMs);
        letter.put("store", store);
        letter.put("pipeline", pipeline);
        letter.put("reason", reason);
        letter.put("metric", row.metric());
        letter.put("tags", row.tags().asMap());
        letter.put("timestamp_ms", row.timeMs());
        letter.put("type", row.isLong() ? "long" : "double");
        letter.put("value", row.isLong() ? (Object) row.bits() : (Object) row.asDouble());
        return (json.writeValueAsString(letter) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** The file. */
    public Path file() {
        return file;
    }
}
