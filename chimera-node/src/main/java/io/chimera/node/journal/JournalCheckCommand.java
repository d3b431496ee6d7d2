package io.chimera.node.journal;

import io.chimera.node.ExitCode;
import io.chimera.node.Json;
import io.chimera.queue.journal.offline.JournalCheck;
import io.chimera.queue.journal.read.Damage;
import io.chimera.queue.journal.read.FileReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the content of a journal and reports damage. */
@Command(
        name = "check",
        description = "Read every batch of a journal; report content, bytes per point and damage.%n"
                + "Changes nothing; the node may be running.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:not damaged", "1:damaged or unreadable", "2:wrong usage"})
final class JournalCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "A node's data_dir for the journals of all lanes, or one folder 'journal'.")
    private Path folder;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        JournalCheck check = JournalCheck.of(folder);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.pretty(asMap(check)));
        } else {
            print(check, out);
        }
        out.flush();
        return check.damaged() == 0 ? 0 : ExitCode.FAILED;
    }

    private static void print(JournalCheck check, PrintWriter out) {
        for (FileReport file : check.files()) {
            out.printf(
                    "%s: %d batches in %d of %d bytes%n",
                    check.folder().relativize(file.path()), file.batches(), file.validBytes(), file.bytes());
            file.streams()
                    .forEach((stream, tally) -> out.printf(
                            "  stream %s: %d batches, %d points, records %d to %d%s%n",
                            JournalCommand.hex(stream),
                            tally.batches(),
                            tally.points(),
                            tally.firstSeq(),
                            tally.lastSeq(),
                            tally.batchesBehindGap() == 0
                                    ? ""
                                    : "; " + tally.batchesBehindGap() + " batches follow a gap"));
            file.damage()
                    .ifPresent(damage -> out.printf("  DAMAGED: at byte %d: %s%n", damage.offset(), damage.what()));
        }
        out.println(summary(check));
    }

    private static String summary(JournalCheck check) {
        String files = check.files().size() == 1 ? "1 file" : check.files().size() + " files";
        StringBuilder summary = new StringBuilder("Journal " + check.folder() + ": " + files + ", ");
        summary.append(check.damaged() == 0 ? "none damaged." : check.damaged() + " damaged.");
        if (check.points() > 0) {
            summary.append(" %d points in %d bytes, %.1f bytes per point."
                    .formatted(check.points(), check.validBytes(), bytesPerPoint(check)));
        }
        if (check.isInUse()) {
            summary.append(" A running node has it open: the end of the current file was not checked.");
        }
        if (check.damaged() > 0) {
            summary.append(" The batches before the damage are intact. Check the disk. To cut off the rest, stop the"
                            + " node and run: chimera journal repair ")
                    .append(check.folder());
        }
        return summary.toString();
    }

    private static double bytesPerPoint(JournalCheck check) {
        return (double) check.validBytes() / check.points();
    }

    private static Map<String, Object> asMap(JournalCheck check) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("folder", check.folder().toString());
        map.put("in_use", check.isInUse());
        map.put("damaged", check.damaged());
        map.put("points", check.points());
        map.put("valid_bytes", check.validBytes());
        map.put("bytes_per_point", check.points() == 0 ? null : bytesPerPoint(check));
        List<Object> files = new ArrayList<>();
        check.files().forEach(file -> files.add(asMap(check.folder(), file)));
        map.put("files", files);
        return map;
    }

    private static Map<String, Object> asMap(Path folder, FileReport file) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("file", folder.relativize(file.path()).toString());
        map.put("bytes", file.bytes());
        map.put("valid_bytes", file.validBytes());
        map.put("batches", file.batches());
        List<Object> streams = new ArrayList<>();
        file.streams().forEach((stream, tally) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("stream", JournalCommand.hex(stream));
            one.put("batches", tally.batches());
            one.put("points", tally.points());
            one.put("first_seq", tally.firstSeq());
            one.put("last_seq", tally.lastSeq());
            one.put("batches_behind_gap", tally.batchesBehindGap());
            streams.add(one);
        });
        map.put("streams", streams);
        map.put("damage", file.damage().map(JournalCheckCommand::asMap).orElse(null));
        return map;
    }

    private static Map<String, Object> asMap(Damage damage) {
        return Map.of("offset", damage.offset(), "what", damage.what());
    }
}
