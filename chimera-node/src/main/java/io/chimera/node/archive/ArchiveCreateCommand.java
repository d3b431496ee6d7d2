package io.chimera.node.archive;

import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.option.ByteSizeConverter;
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
        description = "Create a volume on devices, partitions or files; erases their content.%n"
                + "Stripes blocks over several devices. Targets with content need --force.",
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
            description = "Size of each file to create, e.g. 10GiB. Ignored for devices.")
    private ByteSize size;

    @Option(
            names = "--streams-max",
            defaultValue = "256",
            description = "Maximum number of streams. Default: ${DEFAULT-VALUE}.")
    private int streamsMax;

    @Option(
            names = "--region",
            defaultValue = "0",
            paramLabel = "BLOCKS",
            description =
                    "Balance the zones of a rotating disk, in regions of this many blocks of 1 MiB, e.g. 64. Without"
                            + " benefit on flash. Default: ${DEFAULT-VALUE}, off.")
    private int regionBlocks;

    @Option(names = "--force", description = "Overwrite targets with content.")
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
        spec.commandLine().getOut().println("Created a volume on " + String.join(", ", devices) + ".");
        return 0;
    }

    private void check(Path device) {
        if (!Files.exists(device)) {
            if (size == null) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        device + " does not exist; give the size of the file to create with --size.");
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
                            device + " is not empty. Use --force to create the volume anyway and erase the content.");
                }
            }
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, device + " cannot be read: " + e.getMessage() + ".", e);
        }
    }
}
