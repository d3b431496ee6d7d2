package io.chimera.node.archive;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.archive.query.point.PointInterval;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the records of a stream. */
@Command(
        name = "dump",
        description = "List the records of a stream, one per line.%n"
                + "Shows number, time, bytes, and the number of packets or data points.",
        mixinStandardHelpOptions = true)
final class ArchiveDumpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private VolumeOption volume;

    @Option(names = "--stream", required = true, paramLabel = "NAME", description = "Stream to list.")
    private String stream;

    @Option(
            names = "--from",
            defaultValue = "1",
            paramLabel = "NUMBER",
            description = "First record. Default: the oldest.")
    private long from;

    @Option(
            names = "--limit",
            defaultValue = "1000",
            paramLabel = "N",
            description = "Maximum number of records. Default: ${DEFAULT-VALUE}.")
    private long limit;

    @Override
    public Integer call() {
        try (Volume opened = volume.open(new SystemClock())) {
            StreamStatus found = opened.store().streams().stream()
                    .filter(one -> one.settings().name().equals(stream))
                    .findFirst()
                    .orElseThrow(() -> new ChimeraException(
                            Category.ERROR,
                            "There is no stream " + stream + "; list the streams with chimera archive ls " + volume
                                    + "."));
            dump(opened, found, spec.commandLine().getOut());
        }
        return 0;
    }

    private void dump(Volume opened, StreamStatus found, PrintWriter out) {
        String kind = found.settings().kind();
        RecordView record = new RecordView();
        long shown = 0;
        try (StreamReader reader = opened.store().reader();
                StreamCursor cursor = reader.cursor(found.stream(), Long.MIN_VALUE)) {
            while (shown < limit && cursor.next(record)) {
                if (record.number() < from) {
                    continue;
                }
                shown++;
                int bytes = record.buffer().capacity();
                out.print(record.number() + " " + Instant.ofEpochSecond(0, record.timeNs()) + " " + bytes + " bytes");
                out.print(items(kind, record));
                out.println();
            }
        }
        out.flush();
    }

    private static String items(String kind, RecordView record) {
        int bytes = record.buffer().capacity();
        return switch (kind) {
            case ArchiveStream.PACKETS -> {
                PacketInterval packets = new PacketInterval().wrap(record.buffer(), 0, bytes);
                yield ", " + packets.packets() + " packets of link type " + packets.linkType() + " since "
                        + Instant.ofEpochSecond(0, packets.firstNs());
            }
            case ArchiveStream.POINTS -> {
                PointInterval points = new PointInterval().wrap(record.buffer(), 0, bytes);
                yield ", " + points.points() + " points since " + Instant.ofEpochSecond(0, points.firstNs())
                        + ", written " + Instant.ofEpochSecond(0, points.writtenNs())
                        + (points.isAgain() ? ", some of them again" : "");
            }
            default -> "";
        };
    }
}
