package io.chimera.node.journal;

import io.chimera.archive.query.Question;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.SystemClock;
import io.chimera.node.ExitCode;
import io.chimera.node.journal.archive.ArchivedJournal;
import io.chimera.queue.journal.offline.JournalRestore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Restores archived journal files. */
@Command(
        name = "restore",
        description = "Restore archived journal files (queue.journal.archive) for chimera replay.%n"
                + "The node must be stopped.",
        mixinStandardHelpOptions = true)
final class JournalRestoreCommand implements Callable<Integer> {
    /**
     * Margin around the requested times: a cycle's records lie in files written up to the longest cycle time earlier or
     * later.
     */
    private static final long MARGIN_MS = TimeUnit.MINUTES.toMillis(5);

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "Journal: a node's data_dir, or its folder 'journal'.")
    private Path folder;

    @Option(
            names = "--in",
            required = true,
            split = ",",
            paramLabel = "DEVICE",
            description = "Devices or files of the archive's volume, in the order of their creation.")
    private List<String> devices;

    @Option(
            names = "--stream",
            defaultValue = "journal",
            paramLabel = "NAME",
            description = "Stream of the archive. Default: ${DEFAULT-VALUE}.")
    private String stream;

    @Option(
            names = "--after",
            required = true,
            paramLabel = "TIME",
            description = "Only cycles at or after this time: '3h ago', 2026-11-03T11:05:00Z.")
    private String after;

    @Option(names = "--before", paramLabel = "TIME", description = "Only cycles before this time. Default: now.")
    private String before;

    @Override
    public Integer call() {
        long nowNs = new SystemClock().epochNs();
        long afterNs = Question.parse("after " + after, nowNs).afterNs();
        long beforeNs = before == null
                ? nowNs
                : Question.parse("before " + before, nowNs).beforeNs();
        PrintWriter out = spec.commandLine().getOut();
        try (JournalRestore into = JournalRestore.open(folder);
                Volume volume = Volume.open(devices, new SystemClock())) {
            ArchivedJournal archived = new ArchivedJournal(volume.store(), stream);
            archived.restore(
                    into,
                    TimeUnit.NANOSECONDS.toMillis(afterNs) - MARGIN_MS,
                    TimeUnit.NANOSECONDS.toMillis(beforeNs) + MARGIN_MS);
            int files = into.finish();
            out.println(files + " files restored, " + archived.bytes() + " bytes. "
                    + (files == 0
                            ? "The archive has no files of this time that are missing in the journal."
                            : "Start the node and replay their cycles with chimera replay. The node keeps the files for"
                                    + " queue.journal.retain_for, within queue.journal.retain_bytes."));
            archived.damaged().forEach(place -> out.println("DAMAGED: " + place));
            out.flush();
            return archived.damaged().isEmpty() ? 0 : ExitCode.FAILED;
        }
    }
}
