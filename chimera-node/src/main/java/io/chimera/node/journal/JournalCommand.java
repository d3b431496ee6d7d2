package io.chimera.node.journal;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Parent of the commands for a journal on disk. */
@Command(
        name = "journal",
        description = "Check, repair, dump or restore the journal of a queue node on disk.",
        mixinStandardHelpOptions = true,
        subcommands = {
            JournalCheckCommand.class,
            JournalRepairCommand.class,
            JournalDumpCommand.class,
            JournalRestoreCommand.class
        })
public final class JournalCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
    public JournalCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera journal --help.");
    }

    /** Formats a stream id for display. */
    static String hex(long stream) {
        return String.format("%016x", stream);
    }
}
