package io.chimera.node.archive;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.server.volume.VolumeCheck;
import io.chimera.common.agent.SystemClock;
import io.chimera.node.ExitCode;
import io.chimera.node.Json;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads a whole volume and reports damage. */
@Command(
        name = "check",
        description = "Read every block and record of a volume and report damage.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:not damaged", "1:damaged or unreadable", "2:wrong usage"})
final class ArchiveCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private VolumeOption volume;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        try (Volume opened = volume.open(new SystemClock())) {
            long blocksDamaged = opened.store().status().blocksDamaged();
            List<VolumeCheck> checks = opened.store().streams().stream()
                    .map(stream -> VolumeCheck.of(opened.store(), stream))
                    .toList();
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(Json.line(asMap(blocksDamaged, checks)));
            } else {
                print(blocksDamaged, checks, out);
            }
            out.flush();
            return blocksDamaged == 0 && checks.stream().noneMatch(VolumeCheck::isDamaged) ? 0 : ExitCode.FAILED;
        }
    }

    private void print(long blocksDamaged, List<VolumeCheck> checks, PrintWriter out) {
        for (VolumeCheck check : checks) {
            out.printf(
                    "stream %s: %d records, %d %s, %d bytes%n",
                    check.stream().settings().name(), check.records(), check.items(), items(check), check.bytes());
            check.places().forEach(place -> out.println("  DAMAGED: " + place));
        }
        if (blocksDamaged > 0) {
            out.println("DAMAGED: " + blocksDamaged
                    + " blocks with acknowledged records could not be read when the volume was opened");
        }
        boolean isGood = blocksDamaged == 0 && checks.stream().noneMatch(VolumeCheck::isDamaged);
        out.println("Volume " + volume + ": "
                + (isGood ? "not damaged." : "damaged. Undamaged records can still be queried. Check the disk."));
    }

    private static String items(VolumeCheck check) {
        boolean isPoints = check.stream().settings().kind().equals(ArchiveStream.POINTS);
        return isPoints ? ArchiveStream.POINTS : ArchiveStream.PACKETS;
    }

    private static Map<String, Object> asMap(long blocksDamaged, List<VolumeCheck> checks) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("blocks_damaged", blocksDamaged);
        map.put("streams", checks.stream().map(ArchiveCheckCommand::asMap).toList());
        return map;
    }

    private static Map<String, Object> asMap(VolumeCheck check) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", check.stream().settings().name());
        map.put("records", check.records());
        map.put(items(check), check.items());
        map.put("bytes", check.bytes());
        map.put("records_missing", check.missing());
        map.put("damaged", check.places());
        return map;
    }
}
