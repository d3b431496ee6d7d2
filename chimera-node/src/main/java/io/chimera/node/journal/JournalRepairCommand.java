package io.chimera.node.journal;

import io.chimera.queue.journal.offline.JournalRepair;
import io.chimera.queue.journal.offline.JournalRepair.Repaired;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Cuts damaged parts off journal files. */
@Command(
        name = "repair",
        description = "Cut damaged ends off journal files; keep them in the folder 'damaged'.%n"
                + "The node must be stopped.",
        mixinStandardHelpOptions = true)
final class JournalRepairCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "A node's data_dir for the journals of all lanes, or one folder 'journal'.")
    private Path folder;

    @Override
    public Integer call() {
        List<Repaired> files = JournalRepair.of(folder);
        PrintWriter out = spec.commandLine().getOut();
        for (Repaired file : files) {
            out.printf(
                    "%s: now ends at byte %d after %d intact batches; damage: %s. %s%n",
                    file.path(),
                    file.damage().offset(),
                    file.batches(),
                    file.damage().what(),
                    file.kept()
                            .map(kept -> file.bytesCut() + " bytes were cut off and are kept in " + kept + ".")
                            .orElse("Nothing was cut off."));
        }
        out.println(
                files.isEmpty()
                        ? "Nothing is damaged; nothing was changed."
                        : "Restart the node: it fetches missing records from other queue nodes.");
        out.flush();
        return 0;
    }
}
