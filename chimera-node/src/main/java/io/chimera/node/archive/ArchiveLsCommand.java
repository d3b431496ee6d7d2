package io.chimera.node.archive;

import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.server.volume.VolumeReport;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.common.agent.SystemClock;
import io.chimera.node.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the streams of a volume. */
@Command(
        name = "ls",
        description = "List the streams of a volume with their size, age and guarantee.",
        mixinStandardHelpOptions = true)
final class ArchiveLsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private VolumeOption volume;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        try (Volume opened = volume.open(new SystemClock())) {
            List<StreamStatus> streams = opened.store().streams();
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(Json.line(
                        Map.of("streams", streams.stream().map(VolumeReport::of).toList())));
            } else {
                print(streams, out);
            }
            out.flush();
        }
        return 0;
    }

    private static void print(List<StreamStatus> streams, PrintWriter out) {
        String form = "%-24s %-8s %10s %10s %14s %14s  %s%n";
        out.printf(form, "stream", "kind", "records", "held", "bytes", "guaranteed", "since");
        for (StreamStatus stream : streams) {
            out.printf(
                    form,
                    stream.settings().name(),
                    stream.settings().kind(),
                    stream.appended(),
                    VolumeReport.held(stream),
                    stream.heldBytes(),
                    stream.settings().guaranteeBytes(),
                    VolumeReport.since(stream));
        }
    }
}
