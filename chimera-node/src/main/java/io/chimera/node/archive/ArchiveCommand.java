package io.chimera.node.archive;

import io.chimera.node.archive.recorder.ArchiveRecordCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Parent of the archive commands. */
@Command(
        name = "archive",
        description = "Record packets on a device or in a file, and query them.",
        mixinStandardHelpOptions = true,
        subcommands = {
            ArchiveCreateCommand.class,
            ArchiveRecordCommand.class,
            ArchiveQueryCommand.class,
            ArchiveForgetCommand.class,
            ArchiveLsCommand.class,
            ArchiveStatCommand.class,
            ArchiveCheckCommand.class,
            ArchiveDumpCommand.class,
            ArchiveRmCommand.class
        })
public final class ArchiveCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
    public ArchiveCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera archive --help.");
    }
}
