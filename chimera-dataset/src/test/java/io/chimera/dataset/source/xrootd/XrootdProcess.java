package io.chimera.dataset.source.xrootd;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.Waits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program of Debian's packages xrootd-server and xrootd-client on loopback; the test is skipped where the program is
 * not installed. Servers refuse to run as root, and become nobody then.
 */
public final class XrootdProcess implements AutoCloseable {
    private static final Path FOLDER = Path.of("/usr/bin");

    private final Process process;
    private final Path output;

    private XrootdProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Returns an unused TCP port of loopback. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Makes a folder that the server may write to, whoever runs the test. */
    public static Path shared(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        return folder;
    }

    /**
     * Starts a server.
     *
     * @param folder folder for configuration and logs, made by {@link #shared}
     * @param program xrootd or cmsd
     * @param configuration lines of the configuration file
     */
    public static XrootdProcess server(Path folder, String program, String configuration) throws IOException {
        Path home = shared(folder.resolve(program));
        Path file = Files.writeString(
                home.resolve("server.cfg"),
                configuration + "\nall.adminpath " + home.getParent() + "\nall.pidpath " + home.getParent() + "\n");
        List<String> command = new ArrayList<>(List.of(
                program, "-c", file.toString(), "-l", home.resolve("log").toString(), "-n", "t"));
        if (isRoot()) {
            command.addAll(List.of("-R", "nobody"));
        }
        return start(home, command);
    }

    /** Runs a program to its end, which must be a success; returns the output. */
    static String run(Path folder, String... command) throws Exception {
        try (XrootdProcess program = start(folder, List.of(command))) {
            boolean hasEnded = program.process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS);
            assertThat(hasEnded && program.process.exitValue() == 0)
                    .as(program.said())
                    .isTrue();
            return program.said();
        }
    }

    private static XrootdProcess start(Path folder, List<String> command) throws IOException {
        List<String> words = new ArrayList<>(command);
        Path program = FOLDER.resolve(words.get(0));
        assumeTrue(
                Files.isExecutable(program),
                words.get(0) + " is not installed; scripts/setup installs xrootd-server and xrootd-client");
        words.set(0, program.toString());
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new XrootdProcess(process, output);
    }

    /** Waits until the server accepts connections. */
    public XrootdProcess awaitPort(int port) {
        await().until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError("The server has ended. " + said());
            }
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
        return this;
    }

    private String said() throws IOException {
        return Files.readString(output, StandardCharsets.ISO_8859_1);
    }

    /** Kills the program and waits for its end. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
