package io.chimera.node.load;

import io.chimera.apps.forensics.AttackCaptures;
import io.chimera.apps.forensics.TwoStageAttack;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes captures of an attack as input for the forensics command. */
@Command(
        name = "attack",
        description = {
            "Write the captures of a two-stage attack at three monitors.",
            "Writes gateway.pcap, path-a.pcap and path-b.pcap with twenty minutes of real traffic, repeated from a"
                    + " capture file, and an attack on its two busiest hosts. The last line on standard output names the"
                    + " hosts as JSON. See chimera forensics."
        },
        mixinStandardHelpOptions = true)
final class AttackCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--background",
            required = true,
            paramLabel = "FILE",
            description = "Capture of real traffic over Ethernet: pcap or pcapng.")
    private Path background;

    @Option(names = "--out", required = true, paramLabel = "FOLDER", description = "Output folder.")
    private Path folder;

    @Option(
            names = "--packets",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Approximate number of real packets at the gateway. Default: ${DEFAULT-VALUE}.")
    private long packets;

    @Option(
            names = "--start",
            paramLabel = "MS",
            description = "Start time of the captures, milliseconds since 1970. Default: twenty minutes ago.")
    private Long startMs;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(folder);
        long beginMs = startMs == null ? System.currentTimeMillis() - TwoStageAttack.SECONDS * 1_000 : startMs;
        AttackCaptures.Written written = AttackCaptures.write(background, folder, packets, beginMs * 1_000_000);
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("name", "gen attack");
        report.put("attacker", written.attack().attacker());
        report.put("foothold", written.attack().foothold());
        report.put("bot", written.attack().bot());
        report.put("master", written.attack().master());
        Map<String, Object> counts = new LinkedHashMap<>();
        written.packets().forEach((monitor, count) -> counts.put(monitor.label(), count));
        report.put("packets", counts);
        spec.commandLine().getOut().println(Json.line(report));
        return 0;
    }
}
