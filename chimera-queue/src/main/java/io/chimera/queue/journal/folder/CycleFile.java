package io.chimera.queue.journal.folder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contents of the cycles whose records the journal holds: a line per cycle, {@code 8 hex digits of CRC32C, space,
 * JSON}. The file tells which records a replay of a cycle must read, and serves no other purpose. A lost or damaged
 * line, at a torn end or elsewhere, only means that this node can no longer offer the cycle. The journaler's thread
 * writes; any thread may run the sync and read the known cycles.
 */
public final class CycleFile implements AutoCloseable {
    public static final String NAME = "cycles.log";

    private static final Logger LOG = LoggerFactory.getLogger(CycleFile.class);
    private static final String NEXT = NAME + ".next";

    /** Lines of forgotten cycles stay until they outnumber the other lines by more than this limit: 100 KiB. */
    private static final int SURPLUS_LINES = 256;

    private static final int CRC_LENGTH = 8;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final ConcurrentSkipListMap<Long, PastCycle> cycles = new ConcurrentSkipListMap<>();
    private volatile List<CycleSpan> spans = List.of();

    /** The open file; null before the first write. */
    private @Nullable FileChannel channel;

    private int lines;
    private boolean isDirty;
    private volatile boolean isFailed;

    private CycleFile(Path folder) {
        this.folder = folder;
    }

    /** Reads or creates the file. */
    public static CycleFile open(Path folder) {
        CycleFile file = new CycleFile(folder);
        try {
            file.read();
        } catch (IOException e) {
            file.fail(e);
        }
        return file;
    }

    /** Known past cycles by number. Any thread. */
    public SortedMap<Long, PastCycle> cycles() {
        return cycles;
    }

    /** Number ranges of the known cycles. Any thread. */
    public List<CycleSpan> spans() {
        return spans;
    }

    private void read() throws IOException {
        Path path = folder.resolve(NAME);
        int damaged = 0;
        if (Files.exists(path)) {
            for (String line : new String(Files.readAllBytes(path), StandardCharsets.UTF_8).split("\n", -1)) {
                PastCycle cycle = decode(line);
                damaged += cycle == null && !line.isEmpty() ? 1 : 0;
                if (cycle != null) {
                    remember(cycle);
                }
            }
        }
        if (damaged > 0) {
            LOG.warn(
                    "Skipped {} damaged lines of {}: this node cannot replay the cycles of these lines. Nothing else"
                            + " depends on the lines.",
                    damaged,
                    path);
        }
        spans = CycleSpan.of(cycles.keySet());
        rewrite();
    }

    /**
     * Records a cycle. A different cycle with a known number belongs to a new history: the known cycles from this
     * number on are forgotten.
     */
    public void note(PastCycle cycle) {
        if (!remember(cycle)) {
            return;
        }
        spans = CycleSpan.of(cycles.keySet());
        try {
            if (isFailed) {
                rewrite();
            } else {
                append(cycle);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private boolean remember(PastCycle cycle) {
        PastCycle known = cycles.get(cycle.number());
        if (cycle.equals(known)) {
            return false;
        }
        if (known != null) {
            cycles.tailMap(cycle.number(), true).clear();
        }
        cycles.put(cycle.number(), cycle);
        return true;
    }

    private void append(PastCycle cycle) throws IOException {
        write(Objects.requireNonNull(channel, "a file that has not failed is open"), encode(cycle));
        lines++;
        isDirty = true;
    }

    /** Forgets all cycles that do not match. */
    public void keepIf(Predicate<PastCycle> isKept) {
        if (!cycles.values().removeIf(isKept.negate())) {
            return;
        }
        spans = CycleSpan.of(cycles.keySet());
        if (lines > 2 * cycles.size() + SURPLUS_LINES) {
            try {
                rewrite();
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    private void rewrite() throws IOException {
        Path next = folder.resolve(NEXT);
        FileChannel fresh = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            for (PastCycle cycle : cycles.values()) {
                write(fresh, encode(cycle));
            }
            fresh.force(true);
            Files.move(next, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            JournalDirectory.sync(folder);
        } catch (IOException e) {
            fresh.close();
            throw e;
        }
        close();
        channel = fresh;
        lines = cycles.size();
        isDirty = false;
        isFailed = false;
    }

    private static void write(FileChannel to, byte[] line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(line);
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    /** Returns a task that makes all present notes durable. The task runs on any thread. */
    public Runnable syncing() {
        FileChannel noted = channel;
        if (noted == null || !isDirty || isFailed) {
            return () -> {};
        }
        isDirty = false;
        return () -> {
            try {
                noted.force(false);
            } catch (ClosedChannelException e) {
                // a rewrite replaced and synced the file meanwhile
            } catch (IOException e) {
                fail(e);
            }
        };
    }

    /** Marks the file as failed; the next note rewrites the file. */
    private void fail(IOException e) {
        if (!isFailed) {
            LOG.warn(
                    "Cannot write {}: {}. The write is retried with the next cycle; until then a restart of this node"
                            + " forgets which past cycles it can replay.",
                    folder.resolve(NAME),
                    e.toString());
        }
        isFailed = true;
    }

    /** Returns the lines of all matching cycles in the format of the file. */
    public String lines(Predicate<PastCycle> isWanted) {
        StringBuilder lines = new StringBuilder();
        try {
            for (PastCycle cycle : cycles.values()) {
                if (isWanted.test(cycle)) {
                    lines.append(new String(encode(cycle), StandardCharsets.UTF_8));
                }
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Numbers always convert to JSON.", e);
        }
        return lines.toString();
    }

    /** Parses lines into cycles and skips damaged lines. */
    public static List<PastCycle> decodeAll(String lines) {
        return lines.lines().map(CycleFile::decode).filter(Objects::nonNull).toList();
    }

    private static byte[] encode(PastCycle cycle) throws JsonProcessingException {
        ObjectNode json = JSON.createObjectNode()
                .put("cycle", cycle.number())
                .put("time_ms", cycle.timeMs())
                .put("clock_ms", cycle.time().clockMs())
                .put("parts", cycle.parts());
        ObjectNode streams = json.putObject("streams");
        cycle.cut().forEach((stream, upTo) -> streams.putArray(JournalDirectory.hex(stream))
                .add(cycle.before().at(stream))
                .add(upTo));
        if (!cycle.groups().isDefault()) {
            json.set("groups", JSON.valueToTree(cycle.groups()));
        }
        String text = JSON.writeValueAsString(json);
        return (crc(text) + " " + text + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Parses a line; null for a damaged line. */
    private static @Nullable PastCycle decode(String line) {
        if (line.length() <= CRC_LENGTH || !line.startsWith(crc(line.substring(CRC_LENGTH + 1)) + " ")) {
            return null;
        }
        try {
            JsonNode json = JSON.readTree(line.substring(CRC_LENGTH + 1));
            Positions.Builder before = Positions.builder();
            Positions.Builder cut = Positions.builder();
            json.path("streams").properties().forEach(stream -> {
                ArrayNode range = (ArrayNode) stream.getValue();
                long id = Long.parseUnsignedLong(stream.getKey(), 16);
                before.put(id, range.path(0).asLong());
                cut.put(id, range.path(1).asLong());
            });
            long timeMs = json.path("time_ms").asLong();
            return new PastCycle(
                    json.path("cycle").asLong(),
                    new CycleTime(timeMs, json.path("clock_ms").asLong(timeMs)),
                    json.path("parts").asInt(),
                    before.build(),
                    cut.build(),
                    json.has("groups") ? JSON.treeToValue(json.get("groups"), CycleGroups.class) : CycleGroups.NONE);
        } catch (JsonProcessingException | NumberFormatException | ClassCastException e) {
            return null;
        }
    }

    private static String crc(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
