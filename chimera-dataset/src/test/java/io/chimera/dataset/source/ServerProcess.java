package io.chimera.dataset.source;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server or tool as a process of a test, with its output in a file. */
public final class ServerProcess implements AutoCloseable {
    private static final List<Path> FOLDERS = List.of(Path.of("/usr/bin"), Path.of("/usr/sbin"));

    private final Process process;
    private final Path output;

    private ServerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts a program in a folder. */
    public static ServerProcess start(Path folder, List<String> command) throws IOException {
        Path output = Files.createTempFile(folder, "process", ".out");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new ServerProcess(process, output);
    }

    /** Returns the path of a program; aborts the test when the program is not installed. */
    public static String program(String name, String debianPackage) {
        Path program = FOLDERS.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(
                program != null,
                name + " of the package " + debianPackage + " is not installed; scripts/setup installs it");
        return program.toString();
    }

    /** Runs a program to its end, and returns its output. */
    public static byte[] run(Path folder, List<String> command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        try (ServerProcess tool = start(folder, words)) {
            if (!tool.process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS) || tool.process.exitValue() != 0) {
                throw new AssertionError(command.get(0) + " failed: " + tool.said());
            }
            return Files.readAllBytes(tool.output);
        }
    }

    /** Returns an unused TCP port of loopback. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Returns the output so far; fails when the process has ended. */
    public String saidAlive() {
        if (!process.isAlive()) {
            throw new AssertionError("the server has ended: " + said());
        }
        return said();
    }

    private String said() {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
