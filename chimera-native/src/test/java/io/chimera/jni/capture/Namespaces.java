package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Two network namespaces connected by a veth pair without other traffic: {@link #SENDER} in one namespace, {@link
 * #RECEIVER} in the other. The names contain the process number. Closing removes the namespaces; the next test removes
 * the namespaces of a killed process.
 */
public final class Namespaces implements AutoCloseable {

    /** Sending interface. */
    public static final String SENDER = "veth-s";

    /** Receiving interface. */
    public static final String RECEIVER = "veth-r";

    private static final String PREFIX = "chimera-capture-";
    private static final Path NAMED = Path.of("/run/netns");

    /** Output folder of make for test programs and libraries; all module folders are siblings. */
    static final Path BUILT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolve("../chimera-native/target/c-test")
            .normalize();

    private static final int COMMAND_SECONDS_MAX = 600;

    private final long pid = ProcessHandle.current().pid();
    private final String sending = PREFIX + pid + "-s";
    private final String receiving = PREFIX + pid + "-r";
    private final Path folder;

    /** Creates the namespaces. */
    public Namespaces() throws IOException {
        System.load(BUILT.resolve("libnamespace.so").toString());
        folder = Files.createTempDirectory("chimera-capture");
        removeLeftOvers();
        run("ip", "netns", "add", sending);
        run("ip", "netns", "add", receiving);
        quieten(sending);
        quieten(receiving);
        run(
                "ip", "link", "add", SENDER, "netns", sending, "type", "veth", "peer", "name", RECEIVER, "netns",
                receiving);
        run("ip", "-n", sending, "link", "set", SENDER, "up");
        run("ip", "-n", receiving, "link", "set", RECEIVER, "up");
        run("ip", "-n", receiving, "link", "set", "lo", "up");
    }

    /** Reason why namespaces are unavailable on this machine; empty when available. */
    public static String unavailabilityCause() {
        if (!Files.exists(BUILT.resolve("libnamespace.so"))) {
            return "the native part was not built";
        }
        // Several JVMs may probe at the same time, so each JVM uses its own name.
        String probe = PREFIX + ProcessHandle.current().pid() + "-p";
        try {
            run("ip", "netns", "add", probe);
            run("ip", "netns", "delete", probe);
            return "";
        } catch (AssertionError | UncheckedIOException e) {
            return "no network namespaces here, which take root and iproute2: " + e.getMessage();
        }
    }

    /** Runs work on this thread in the receiving namespace. */
    <T> T whereReceived(Supplier<T> work) {
        assertThat(enter(NAMED.resolve(receiving).toString())).isZero();
        try {
            return work.get();
        } finally {
            assertThat(enter("/proc/" + pid + "/ns/net")).isZero();
        }
    }

    /** Sends frames over the wire; returns after all frames have arrived at the other end. */
    public void send(List<byte[]> frames) {
        send(sending, SENDER, frames);
    }

    /** Sends frames within the receiving namespace, e.g. on the loopback interface. */
    void sendWhereReceived(String networkInterface, List<byte[]> frames) {
        send(receiving, networkInterface, frames);
    }

    private void send(String namespace, String networkInterface, List<byte[]> frames) {
        if (!frames.isEmpty()) {
            Path file = folder.resolve("frames.pcap");
            NumberedFrames.write(file, frames);
            run(
                    "ip",
                    "netns",
                    "exec",
                    namespace,
                    BUILT.resolve("send_frames").toString(),
                    networkInterface,
                    file.toString());
        }
    }

    /** Runs ip in the receiving namespace. */
    void ipWhereReceived(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "-n", receiving));
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    /** Runs a program in the receiving namespace. */
    void runWhereReceived(String... program) {
        run(whereReceived(List.of(program)).toArray(String[]::new));
    }

    /** Builds a command for the receiving namespace. */
    public List<String> whereReceived(List<String> program) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", receiving));
        command.addAll(program);
        return command;
    }

    @Override
    public void close() throws IOException {
        run("ip", "netns", "delete", sending);
        run("ip", "netns", "delete", receiving);
        Files.deleteIfExists(folder.resolve("frames.pcap"));
        Files.delete(folder);
    }

    /** Prevents the kernel from sending packets of its own. */
    private static void quieten(String namespace) {
        run(
                "ip",
                "netns",
                "exec",
                namespace,
                "sh",
                "-c",
                "[ ! -e /proc/sys/net/ipv6 ] || echo 1 | tee /proc/sys/net/ipv6/conf/all/disable_ipv6"
                        + " > /proc/sys/net/ipv6/conf/default/disable_ipv6");
    }

    private static void removeLeftOvers() throws IOException {
        try (Stream<Path> named = Files.exists(NAMED) ? Files.list(NAMED) : Stream.empty()) {
            for (Path path : named.toList()) {
                String name = path.getFileName().toString();
                if (name.matches(PREFIX + "\\d+-[srp]")) {
                    long owner = Long.parseLong(name.substring(PREFIX.length(), name.length() - 2));
                    if (ProcessHandle.of(owner).isEmpty()
                            || owner == ProcessHandle.current().pid()) {
                        run("ip", "netns", "delete", name);
                    }
                }
            }
        }
    }

    private static void run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(String.join(" ", command) + ": " + said)
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static native int enter(String path);
}
