package io.chimera.node.archive;

import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.SystemClock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a stream. */
@Command(
        name = "rm",
        description = "Remove a stream with its index, and free their guarantees.",
        mixinStandardHelpOptions = true)
final class ArchiveRmCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Stream to remove.")
    private String stream;

    @Option(
            names = "--in",
            required = true,
            split = ",",
            paramLabel = "DEVICE",
            description = "Devices or files of the volume, in the order of their creation. Requires a volume without a"
                    + " writer.")
    private List<String> devices;

    @Override
    public Integer call() {
        Volume.remove(devices, stream, new SystemClock());
        spec.commandLine().getOut().println("Stream " + stream + " was removed.");
        return 0;
    }
}
