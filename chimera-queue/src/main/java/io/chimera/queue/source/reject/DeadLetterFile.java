package io.chimera.queue.source.reject;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.common.agent.Clock;
import io.chimera.common.letters.LetterSpace;
import io.chimera.common.letters.LetterText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Appends rejected points to files named {@code <date>-<number>.jsonl}, one JSON object per line: {@code time, input,
 * line, reason}, and {@code text}, or {@code base64} when the text is not UTF-8. A new day or a full file starts
 * another file. When the total size reaches its limit, the oldest files are deleted; {@link LetterSpace} announces and
 * logs the deletion. Used by one thread.
 */
final class DeadLetterFile {
    /** Maximum size of a file. All dead letters together use at most four times as much disk space: 256 MiB. */
    static final long FILE_LENGTH_MAX = 64L << 20;

    /** Total size limit in full files; single days may leave more, smaller files. */
    private static final int FULL_FILES_MAX = 4;

    private static final int NUMBER_LENGTH = 6;

    private static final Pattern NAME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}-\\d{6}\\.jsonl");

    private final Path folder;
    private final Clock clock;
    private final long lengthMax;
    private final LongConsumer dropped;
    private final LetterSpace space;
    private final JsonFactory json = new JsonFactory();
    private final ByteArrayOutputStream letter = new ByteArrayOutputStream();

    private OutputStream out;

    /** The current file; an operator may delete the file at any time. */
    private Path current;

    private LocalDate date;
    private long length;

    /** Total size of the files before the current file. */
    private long lengthBefore;

    /**
     * Creates the writer without opening a file.
     *
     * @param dropped receives the number of letters deleted with an old file
     */
    DeadLetterFile(Path folder, Clock clock, long lengthMax, LongConsumer dropped) {
        this.folder = folder;
        this.clock = clock;
        this.lengthMax = lengthMax;
        this.dropped = dropped;
        space = new LetterSpace(folder, FULL_FILES_MAX * lengthMax);
    }

    /** Disk space of all files. Thread-safe. */
    LetterSpace space() {
        return space;
    }

    Path folder() {
        return folder;
    }

    void append(long timeNs, String input, long line, String reason, byte[] text, int textLength) throws IOException {
        letter.reset();
        try (JsonGenerator object = json.createGenerator(letter)) {
            object.writeStartObject();
            object.writeStringField("time", Instant.ofEpochSecond(0, timeNs).toString());
            object.writeStringField("input", input);
            object.writeNumberField("line", line);
            object.writeStringField("reason", reason);
            LetterText.write(object, text, 0, textLength);
            object.writeEndObject();
        }
        letter.write('\n');
        LocalDate today = LocalDate.ofInstant(Instant.ofEpochMilli(clock.epochMs()), ZoneOffset.UTC);
        if (out == null
                || !Files.exists(current)
                || !today.equals(date)
                || (length > 0 && length + letter.size() > lengthMax)) {
            open(today, letter.size());
        }
        letter.writeTo(out);
        length += letter.size();
        space.used(lengthBefore + length);
    }

    /** Continues the newest file of the day if the letter fits, else starts another file. */
    private void open(LocalDate today, int room) throws IOException {
        close();
        Files.createDirectories(folder);
        String prefix = today + "-";
        int number = 0;
        for (Path file : files()) {
            String name = file.getFileName().toString();
            if (name.startsWith(prefix)) {
                int its = Integer.parseInt(name.substring(prefix.length(), prefix.length() + NUMBER_LENGTH));
                number = Files.size(file) + room > lengthMax ? its + 1 : its;
            }
        }
        Path file = folder.resolve(prefix + String.format(Locale.ROOT, "%0" + NUMBER_LENGTH + "d.jsonl", number));
        current = file;
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        length = Files.size(file);
        date = today;
        if (endsInsideLetter(file)) {
            out.write('\n');
            length++;
        }
        dropOldest();
    }

    /** Whether the last letter is incomplete, as a full disk or a crash may leave it. */
    private boolean endsInsideLetter(Path file) throws IOException {
        if (length == 0) {
            return false;
        }
        ByteBuffer last = ByteBuffer.allocate(1);
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            channel.position(length - 1).read(last);
        }
        return last.get(0) != '\n';
    }

    private void dropOldest() throws IOException {
        List<Path> others = new ArrayList<>(
                files().stream().filter(file -> !file.equals(current)).toList());
        lengthBefore = 0;
        for (Path file : others) {
            lengthBefore += Files.size(file);
        }
        while (lengthBefore > (FULL_FILES_MAX - 1) * lengthMax) {
            Path oldest = others.remove(0);
            lengthBefore -= Files.size(oldest);
            dropped.accept(space.dropped(oldest));
            Files.deleteIfExists(oldest);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    /** Closes the file; the next letter opens a file again. */
    void close() {
        if (out != null) {
            try {
                out.close();
            } catch (IOException e) {
                // every letter was flushed earlier, so the failure loses no data
            }
            out = null;
        }
    }
}
