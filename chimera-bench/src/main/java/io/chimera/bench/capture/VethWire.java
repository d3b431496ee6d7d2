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
import java.util.stream.Stream;

/**
 * Two network namespaces connected by a veth pair without other traffic, and a packet sender. The names of the
 * namespaces contain the id of this process. Closing the wire or ending the process removes the namespaces; the next
 * run removes those of a killed process.
 */
public final class VethWire implements AutoCloseable {
    /** Interface that receives packets. */
    public static final String RECEIVER = ClusterInput.INTERFACE;

    /** Number of flows in the sent packets. */
    static final int FLOWS = 10_000;

    private static final String SENDER = "veth-s";
    private static final String INJECT = "chimera-inject";
    private static final String SEND = "chimera-send";
    private static final String PREFIX = "chimera-bench-";
    private static final Path NAMED = Path.of("/run/netns");
    private static final Pattern SENT = Pattern.compile("packets (\\d+) seconds ([0-9.]+)");

    private final String ip;
    private final Path programs;
    private final String sending;
    private final String receiving;

    private VethWire(String ip, Path programs) {
        this.ip = ip;
        this.programs = programs;
        long pid = ProcessHandle.current().pid();
        sending = PREFIX + pid + "-s";
        receiving = PREFIX + pid + "-r";
    }

    /**
     * Creates the namespaces and the veth pair.
     *
     * @throws IOException with reason and remedy when user or machine cannot create them
     */
    public static VethWire open(BenchSite site) throws IOException, InterruptedException {
        VethWire wire = new VethWire(ProgramRun.require("ip"), programs(site));
        removeLeftOvers(wire.ip);
        Runtime.getRuntime().addShutdownHook(new Thread(wire::remove, "namespaces"));
        try {
            wire.ip("netns", "add", wire.sending);
            wire.ip("netns", "add", wire.receiving);
            wire.quieten(wire.sending);
            wire.quieten(wire.receiving);
            wire.ip(
                    "link",
                    "add",
                    SENDER,
                    "netns",
                    wire.sending,
                    "type",
                    "veth",
                    "peer",
                    "name",
                    RECEIVER,
                    "netns",
                    wire.receiving);
            wire.ip("-n", wire.sending, "link", "set", SENDER, "up");
            wire.ip("-n", wire.receiving, "link", "set", RECEIVER, "up");
            wire.ip("-n", wire.receiving, "link", "set", "lo", "up");
            return wire;
        } catch (IOException e) {
            wire.close();
            throw new IOException("root, network namespaces and veth are required: " + e.getMessage(), e);
        }
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

    /** Stops the kernel from sending its own packets. */
    private void quieten(String namespace) throws IOException, InterruptedException {
        ip(
                "netns",
                "exec",
                namespace,
                "sh",
                "-c",
                "[ ! -e /proc/sys/net/ipv6 ] || echo 1 | tee /proc/sys/net/ipv6/conf/all/disable_ipv6"
                        + " > /proc/sys/net/ipv6/conf/default/disable_ipv6");
    }

    private String ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ip));
        command.addAll(List.of(arguments));
        return ProgramRun.run(command);
    }

    /**
     * Wraps a command to run in the receiver's namespace on the receivers' core. The process is the program itself,
     * which ends with this process, however this process ends.
     */
    public List<String> whereReceived(List<String> command) throws IOException {
        List<String> all = new ArrayList<>(
                List.of(ip, "netns", "exec", receiving, ProgramRun.require("setpriv"), "--pdeathsig", "KILL"));
        all.addAll(ProgramRun.onCore(BenchSite.RECEIVER, command));
        return all;
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
                isAcross ? sending : receiving,
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
        String said = ip(command.toArray(String[]::new));
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
        ip(
                "netns",
                "exec",
                sending,
                programs.resolve(SEND).toString(),
                SENDER,
                file.toString(),
                Long.toString(rate),
                Integer.toString(BenchSite.SENDER));
    }

    /** Runs a program in the receiver's namespace until its end, and returns its output. */
    public String runWhereReceived(List<String> command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("netns", "exec", receiving));
        all.addAll(command);
        return ip(all.toArray(String[]::new));
    }

    private static void removeLeftOvers(String ip) throws IOException, InterruptedException {
        try (Stream<Path> named = Files.exists(NAMED) ? Files.list(NAMED) : Stream.empty()) {
            for (Path path : named.toList()) {
                Matcher owner = Pattern.compile(PREFIX + "(\\d+)-[sr]")
                        .matcher(path.getFileName().toString());
                if (owner.matches()
                        && ProcessHandle.of(Long.parseLong(owner.group(1))).isEmpty()) {
                    ProgramRun.run(List.of(ip, "netns", "delete", owner.group()));
                }
            }
        }
    }

    private synchronized void remove() {
        for (String namespace : List.of(sending, receiving)) {
            if (Files.exists(NAMED.resolve(namespace))) {
                try {
                    ip("netns", "delete", namespace);
                } catch (IOException e) {
                    System.err.println("The namespace " + namespace + " could not be removed: " + e.getMessage());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    public void close() {
        remove();
    }
}
