package io.chimera.bench.capture;

import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Two network namespaces connected by a veth pair without other traffic, and a packet sender. */
public final class VethWire implements AutoCloseable {
    /** Interface that receives packets. */
    public static final String RECEIVER = ClusterInput.INTERFACE;

    /** Number of flows in the sent packets. */
    static final int FLOWS = 10_000;

    private static final String SENDER = VethPair.SENDER;
    private static final String INJECT = "chimera-inject";
    private static final String SEND = "chimera-send";
    private static final Pattern SENT = Pattern.compile("packets (\\d+) seconds ([0-9.]+)");

    private final VethPair pair;
    private final Path programs;

    private VethWire(VethPair pair, Path programs) {
        this.pair = pair;
        this.programs = programs;
    }

    /**
     * Creates the namespaces and the veth pair.
     *
     * @throws IOException with reason and remedy when user or machine cannot create them
     */
    public static VethWire open(BenchSite site) throws IOException, InterruptedException {
        Path programs = programs(site);
        return new VethWire(VethPair.open(), programs);
    }

    /** Returns the folder of the packet senders, which are built on first use. */
    private static Path programs(BenchSite site) throws IOException, InterruptedException {
        Path built = site.home().folder().resolve("chimera-native/target");
        if (!Files.isExecutable(built.resolve(INJECT)) || !Files.isExecutable(built.resolve(SEND))) {
            Path sources = site.home().folder().resolve("chimera-native/src/main/c");
            ProgramRun.run(List.of(ProgramRun.require("make"), "-C", sources.toString(), "measure"));
        }
        return built;
    }

    /**
     * Wraps a command to run in the receiver's namespace on the receivers' core. The process is the program itself,
     * which ends with this process, however this process ends.
     */
    public List<String> whereReceived(List<String> command) throws IOException {
        return pair.whereReceived(command);
    }

    /**
     * Sends packets of the minimum frame size from the sender's core; returns when all are sent.
     *
     * @param rate packets per second; 0 for full speed
     * @param isAcross whether to send over the veth pair, as AF_XDP requires; otherwise the packets arrive at the
     *     receiving interface directly, because packet sockets do not see XDP packets over veth without an XDP program
     *     at the other end
     * @return reached packets per second
     */
    double send(long packets, long rate, boolean isAcross) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "netns",
                "exec",
                isAcross ? pair.sending() : pair.receiving(),
                programs.resolve(INJECT).toString(),
                isAcross ? SENDER : RECEIVER,
                "--packets",
                Long.toString(packets),
                "--bytes",
                Integer.toString(PacketTrace.FRAME_BYTES),
                "--flows",
                Integer.toString(FLOWS),
                "--cpu",
                Integer.toString(BenchSite.SENDER)));
        if (rate > 0) {
            command.addAll(List.of("--rate", Long.toString(rate)));
        }
        if (!isAcross) {
            command.add("--receive");
        }
        String said = pair.ip(command.toArray(String[]::new));
        Matcher sent = SENT.matcher(said);
        if (!sent.find()) {
            throw new IOException(
                    "unexpected output of the packet sender: " + said.strip().toLowerCase(Locale.ROOT));
        }
        return packets / Double.parseDouble(sent.group(2));
    }

    /**
     * Sends the packets of a file over the veth pair in order, from the sender's core; returns when all are sent.
     *
     * @param rate packets per second
     */
    public void send(Path file, long rate) throws IOException, InterruptedException {
        pair.ip(
                "netns",
                "exec",
                pair.sending(),
                programs.resolve(SEND).toString(),
                SENDER,
                file.toString(),
                Long.toString(rate),
                Integer.toString(BenchSite.SENDER));
    }

    /** Runs a program in the receiver's namespace until its end, and returns its output. */
    public String runWhereReceived(List<String> command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("netns", "exec", pair.receiving()));
        all.addAll(command);
        return pair.ip(all.toArray(String[]::new));
    }

    @Override
    public void close() {
        pair.close();
    }
}
