package io.chimera.node.archive;

import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.server.volume.VolumeReport;
import io.chimera.common.agent.SystemClock;
import io.chimera.node.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the state of a volume. */
@Command(
        name = "stat",
        description = "Print the state of a volume: size, guaranteed bytes, write wrap-arounds.",
        mixinStandardHelpOptions = true)
final class ArchiveStatCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private VolumeOption volume;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        try (Volume opened = volume.open(new SystemClock())) {
            Map<String, Object> report = VolumeReport.of(opened.store().status());
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(Json.line(report));
            } else {
                report.forEach((key, value) -> out.println(key + ": " + value));
            }
            out.flush();
        }
        return 0;
    }
}
