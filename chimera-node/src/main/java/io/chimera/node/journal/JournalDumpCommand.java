package io.chimera.node.journal;

import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.LineProtocol;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.node.Json;
import io.chimera.queue.journal.offline.JournalDump;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.agrona.DirectBuffer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the content of a journal. */
@Command(
        name = "dump",
        description = "Print the batches or points of a journal, oldest file first.%n"
                + "Changes nothing; the node may be running.",
        mixinStandardHelpOptions = true)
final class JournalDumpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "A node's data_dir for the journals of all lanes, or one folder 'journal'.")
    private Path folder;

    @Option(names = "--stream", paramLabel = "HEX", description = "Only this stream.")
    private String stream;

    @Option(
            names = "--from",
            paramLabel = "SEQ",
            defaultValue = "1",
            description = "First sequence number of each stream.")
    private long from;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of batches; with --points, of points.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--points", description = "Print points as line protocol instead of batches.")
    private boolean points;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    private final BodyReader body = new BodyReader();
    private long wantedStream;
    private long shown;

    @Override
    public Integer call() {
        wantedStream = parseStream();
        CommandLine command = spec.commandLine();
        JournalDump.read(
                        folder, (file, place, buffer, offset) -> onBatch(command.getOut(), file, place, buffer, offset))
                .forEach(cut -> command.getErr()
                        .printf(
                                "Journal file %s is damaged at byte %d: %s. The batches before the damage were"
                                        + " printed.%n",
                                cut.path(), cut.damage().offset(), cut.damage().what()));
        command.getOut().flush();
        command.getErr().flush();
        return 0;
    }

    private long parseStream() {
        try {
            return stream == null ? 0 : Long.parseUnsignedLong(stream, 16);
        } catch (NumberFormatException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--stream is '" + stream + "'; expected up to 16 hexadecimal digits.", e);
        }
    }

    private boolean onBatch(PrintWriter out, Path file, long place, DirectBuffer buffer, int offset) {
        long batchStream = BatchLayout.stream(buffer, offset);
        long lastSeq = BatchLayout.firstSeq(buffer, offset) + BatchLayout.count(buffer, offset) - 1;
        if (shown < limit && lastSeq >= from && (wantedStream == 0 || batchStream == wantedStream)) {
            if (points) {
                showPoints(out, buffer, offset);
            } else {
                showBatch(out, file, place, buffer, offset);
            }
        }
        return shown < limit && !out.checkError();
    }

    private void showBatch(PrintWriter out, Path file, long place, DirectBuffer buffer, int offset) {
        shown++;
        Map<String, Object> batch = new LinkedHashMap<>();
        batch.put("stream", JournalCommand.hex(BatchLayout.stream(buffer, offset)));
        long firstSeq = BatchLayout.firstSeq(buffer, offset);
        int count = BatchLayout.count(buffer, offset);
        batch.put("first_seq", firstSeq);
        batch.put("last_seq", firstSeq + count - 1);
        batch.put("points", count);
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        body.wrapBatch(buffer, offset);
        while (body.nextRecord()) {
            firstNs = Math.min(firstNs, body.record().timeNs());
            lastNs = Math.max(lastNs, body.record().timeNs());
        }
        batch.put("first_time", Instant.ofEpochSecond(0, firstNs).toString());
        batch.put("last_time", Instant.ofEpochSecond(0, lastNs).toString());
        batch.put("bytes", BatchLayout.length(buffer, offset));
        batch.put("file", file.getParent().getFileName() + "/" + file.getFileName());
        batch.put("offset", place);
        if (json) {
            out.println(Json.line(batch));
        } else {
            out.printf(
                    "stream %s  records %d to %d  %d points  %s to %s  %s:%d%n",
                    batch.get("stream"),
                    firstSeq,
                    firstSeq + count - 1,
                    count,
                    batch.get("first_time"),
                    batch.get("last_time"),
                    batch.get("file"),
                    place);
        }
    }

    private void showPoints(PrintWriter out, DirectBuffer buffer, int offset) {
        body.wrapBatch(buffer, offset);
        long seq = BatchLayout.firstSeq(buffer, offset);
        for (; shown < limit && body.nextRecord(); seq++) {
            if (seq >= from) {
                shown++;
                String line = LineProtocol.line(RecordDecoder.point(body));
                out.println(json ? pointAsJson(BatchLayout.stream(buffer, offset), seq, line) : line);
            }
        }
    }

    private static String pointAsJson(long stream, long seq, String line) {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("stream", JournalCommand.hex(stream));
        point.put("seq", seq);
        point.put("point", line);
        return Json.line(point);
    }
}
