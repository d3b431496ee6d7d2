package io.chimera.archive.query.filter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/** Runs tcpdump to find the matching packets of a capture. */
final class Tcpdump {
    private static final List<String> PLACES = List.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin");

    private final Path capture;
    private final boolean isOptimised;

    /**
     * Result of tcpdump.
     *
     * @param positions positions of the matching packets; null for a refused filter
     * @param refusal error message; empty for an accepted filter
     */
    record Answer(BitSet positions, String refusal) {}

    /**
     * Creates a runner for a capture.
     *
     * @param isOptimised whether libpcap may optimise the filter; otherwise the bytes are read in the written order
     */
    Tcpdump(Path capture, boolean isOptimised) {
        this.capture = capture;
        this.isOptimised = isOptimised;
    }

    static boolean isInstalled() {
        return place().findFirst().isPresent();
    }

    private static Stream<Path> place() {
        return PLACES.stream().map(folder -> Path.of(folder, "tcpdump")).filter(Files::isExecutable);
    }

    Answer ask(String filter) {
        List<String> command =
                new ArrayList<>(List.of(place().findFirst().orElseThrow().toString()));
        if (!isOptimised) {
            command.add("-O");
        }
        command.addAll(List.of("-r", capture.toString(), "-w", "-", "--", filter));
        try {
            Process process = new ProcessBuilder(command).start();
            byte[] out = process.getInputStream().readAllBytes(); // error output is shorter than the pipe buffer
            String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? new Answer(Packets.positions(out), "") : new Answer(null, errors.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
