package io.chimera.node.archive;

import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Parameters;

/** Volume argument of a command. */
final class VolumeOption {
    @Parameters(
            paramLabel = "DEVICE",
            arity = "1..*",
            description = "Devices or files of the volume, in the order of their creation.")
    private List<String> devices;

    /** Opens the volume for inspection, without the indexes; only queries need indexes. */
    Volume open(Clock clock) {
        return opened(() -> Volume.open(devices, clock));
    }

    /** Opens a volume for queries. The error for a volume in use names the alternative. */
    static Volume open(List<String> devices, Clock clock) {
        return opened(() -> Volume.openToAsk(devices, clock));
    }

    private static Volume opened(Supplier<Volume> opening) {
        try {
            return opening.get();
        } catch (ChimeraException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    e.getMessage()
                            + " Query a volume in use through its recorder or processor: chimera archive query"
                            + " --http HOST:PORT.",
                    e);
        }
    }

    @Override
    public String toString() {
        return String.join(", ", devices);
    }
}
