package io.chimera.apps.node.journal;

import io.chimera.queue.journal.JournalRepair;
import io.chimera.queue.journal.JournalRepair.Repaired;
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
        description =
                "Cuts off what is damaged in the files of a journal and keeps it in the journal's folder 'damaged'. The"
                        + " node must be stopped.",
        mixinStandardHelpOptions = true)
final class JournalRepairCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FOLDER", description = "The journal: a node's data_dir, or 'journal' in it.")
    private Path folder;

    @Override
    public Integer call() {
        List<Repaired> files = JournalRepair.of(folder);
        PrintWriter out = spec.commandLine().getOut();
        for (Repaired file : files) {
            out.printf(
                    "%s: ends at byte %d now, behind %d good batches; there was %s. %s%n",
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
                        : "Start the node again: it fetches what is missing from other queue nodes.");
        out.flush();
        return 0;
    }
}
