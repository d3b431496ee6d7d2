package io.chimera.flow.ipfix.exporter;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** External program under test; the test is skipped when the program is not installed. */
public final class ExternalTool implements AutoCloseable {

    /** Columns of /proc/net/udp. */
    private static final int WAITING = 4;

    private static final int DROPS = 12;

    private static final List<Path> FOLDERS = List.of(Path.of("/usr/bin"), Path.of("/usr/sbin"));

    private final Process process;
    private final Path output;

    private ExternalTool(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts the program with its output redirected to a file. */
    public static ExternalTool start(Path folder, String... command) throws IOException {
        List<String> words = new ArrayList<>(Arrays.asList(command));
        Path program = FOLDERS.stream()
                .map(where -> where.resolve(command[0]))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(program != null, command[0] + " is not installed; scripts/setup installs it");
        words.set(0, program.toString());
        Path output = Files.createTempFile(folder, command[0], ".out");
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new ExternalTool(process, output);
    }

    /** Runs the program to its end, which must be a success; returns the output. */
    public static String run(Path folder, String... command) throws Exception {
        try (ExternalTool tool = start(folder, command)) {
            String said = tool.end();
            assertThat(tool.process.exitValue()).as(said).isZero();
            return said;
        }
    }

    /** Waits for the program's end; returns the output. */
    public String end() throws Exception {
        if (!process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("It does not end. It says: " + said());
        }
        return said();
    }

    /** Terminates the program; returns the output. */
    public String stop() throws Exception {
        process.destroy();
        return end();
    }

    private String said() throws IOException {
        return Files.readString(output, StandardCharsets.ISO_8859_1);
    }

    /** Unused UDP port. */
    public static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Waits until a socket is bound to the UDP port. */
    public void awaitListening(int port) {
        String address = String.format(Locale.ROOT, ":%04X ", port);
        await().until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError("It has ended. It says: " + said());
            }
            return Files.readString(Path.of("/proc/net/udp")).contains(address);
        });
    }

    /** Waits until the receive queue of the UDP port is empty; returns the number of dropped datagrams. */
    public static long awaitRead(int port) {
        await().until(() -> socket(port)[WAITING].endsWith(":00000000")); // sent:received, bytes
        return Long.parseLong(socket(port)[DROPS]);
    }

    private static String[] socket(int port) {
        String address = String.format(Locale.ROOT, ":%04X", port);
        try (Stream<String> sockets = Files.lines(Path.of("/proc/net/udp"))) {
            return sockets.map(line -> line.trim().split("\\s+"))
                    .filter(columns -> columns[1].endsWith(address))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
