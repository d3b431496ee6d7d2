package io.chimera.apps.node.archive;

import io.chimera.apps.archive.Volume;
import io.chimera.archive.streamfs.FormatSettings;
import io.chimera.common.config.ByteSize;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a volume. */
@Command(
        name = "create",
        description =
                "Makes a volume of devices, partitions or files; of several, blocks go to one after the other. What they held is"
                        + " lost, so what is not empty is refused without --force.",
        mixinStandardHelpOptions = true)
final class ArchiveCreateCommand implements Callable<Integer> {
    /** Labels of volumes, file systems and partitions lie within the first MiB. */
    private static final int LOOKED_AT_BYTES = 1 << 20;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DEVICE", arity = "1..*", description = "Devices, partitions or files.")
    private List<String> devices;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = "Of each file that is to be made, e.g. 10GiB. A device is as large as it is.")
    private ByteSize size;

    @Option(
            names = "--streams-max",
            defaultValue = "256",
            description = "Streams it has room for. Default: ${DEFAULT-VALUE}.")
    private int streamsMax;

    @Option(
            names = "--region",
            defaultValue = "0",
            paramLabel = "BLOCKS",
            description =
                    "Balances the zones of a disk that turns, in regions of so many blocks of 1 MiB, e.g. 64. Useless on"
                            + " flash. Default: ${DEFAULT-VALUE}, not.")
    private int regionBlocks;

    @Option(names = "--force", description = "Also where something is.")
    private boolean isForced;

    @Override
    public Integer call() {
        for (String device : devices) {
            check(Path.of(device));
        }
        FormatSettings standard = FormatSettings.DEFAULT;
        Volume.create(
                devices,
                size == null ? 0 : size.bytes(),
                new FormatSettings(standard.blockBytes(), standard.groupBlocks(), streamsMax, regionBlocks),
                new SecureRandom());
        spec.commandLine().getOut().println("A volume was made of " + String.join(", ", devices) + ".");
        return 0;
    }

    private void check(Path device) {
        if (!Files.exists(device)) {
            if (size == null) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), device + " is not there; say with --size how large a file is to be made.");
            }
            return;
        }
        if (isForced) {
            return;
        }
        try (InputStream in = Files.newInputStream(device)) {
            for (byte value : in.readNBytes(LOOKED_AT_BYTES)) {
                if (value != 0) {
                    throw new ChimeraException(
                            Category.ERROR,
                            device
                                    + " is not empty; --force makes a volume of it all the same, and what is there is lost.");
                }
            }
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, device + " cannot be read: " + e.getMessage() + ".", e);
        }
    }
}
