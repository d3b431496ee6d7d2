package io.chimera.queue.journal.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chimera.common.cluster.Positions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Low-water mark on disk: {@code {"mark": {"0123456789abcdef": 4711, …}, "crc32c": …}}, per stream the last sequence
 * number no longer needed in the journal. The disk always has blocks for the next mark. On a full disk only the
 * deletion of files helps, and a deletion requires a write of the mark first.
 */
public final class LowWaterFile {
    public static final String NAME = "low-water.json";

    private static final Logger LOG = LoggerFactory.getLogger(LowWaterFile.class);
    private static final String MARK = "mark";
    private static final String CRC = "crc32c";
    private static final String DAMAGED = NAME + ".damaged";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final ReplacedFile file;

    public LowWaterFile(Path directory) {
        this.directory = directory;
        file = new ReplacedFile(directory, NAME);
    }

    /**
     * Reads the mark, and moves a damaged mark aside.
     *
     * @return no entries before the first mark; empty for a damaged mark
     */
    public Optional<Positions> read() throws IOException {
        try {
            return Optional.of(parse());
        } catch (JsonProcessingException | NumberFormatException e) {
            LOG.error(
                    "The low-water mark {} is damaged ({}) and was moved to {}. All records in the journal count as"
                            + " unprocessed until the coordinator announces the mark again. Check the disk.",
                    file,
                    firstLine(e),
                    DAMAGED);
            Files.move(file.path(), directory.resolve(DAMAGED), StandardCopyOption.REPLACE_EXISTING);
            return Optional.empty();
        }
    }

    /** Like {@link #read}, without changes and without log lines. */
    public Optional<Positions> look() throws IOException {
        try {
            return Optional.of(parse());
        } catch (JsonProcessingException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private Positions parse() throws IOException {
        if (!file.exists()) {
            return Positions.NONE;
        }
        JsonNode root = JSON.readTree(file.read());
        Positions.Builder builder = Positions.builder();
        root.path(MARK).properties().forEach(entry -> builder.put(stream(entry.getKey()), seq(entry.getValue())));
        Positions cut = builder.build();
        if (!root.path(CRC).asText().equals(crcOf(cut))) {
            throw new NumberFormatException("checksum mismatch");
        }
        return cut;
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /**
     * Checksum of the mark in the form {@code {stream=seq, stream=seq}} with signed decimal numbers. With a changed
     * digit the journal would claim records outside its files.
     */
    private static String crcOf(Positions cut) {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        cut.forEach((stream, seq) -> text.add(stream + "=" + seq));
        CRC32C crc = new CRC32C();
        crc.update(text.toString().getBytes(UTF_8));
        return String.format("%08x", crc.getValue());
    }

    private static long stream(String hex) {
        long stream = Long.parseUnsignedLong(hex, 16);
        if (stream == 0) {
            throw new NumberFormatException("0 is not a valid stream number");
        }
        return stream;
    }

    private static long seq(JsonNode value) {
        if (!value.canConvertToLong() || !value.isIntegralNumber() || value.asLong() < 0) {
            throw new NumberFormatException(value + " is not a valid sequence number");
        }
        return value.asLong();
    }

    /** Replaces the mark; the new mark is durable on return. */
    public void write(Positions cut) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        ObjectNode named = root.putObject(MARK);
        cut.forEach((stream, seq) -> named.put(JournalDirectory.hex(stream), seq));
        root.put(CRC, crcOf(cut));
        file.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
    }

    @Override
    public String toString() {
        return file.toString();
    }

    /** Allocates the file for the next mark. */
    public void makeReady() {
        file.makeReady();
    }
}
