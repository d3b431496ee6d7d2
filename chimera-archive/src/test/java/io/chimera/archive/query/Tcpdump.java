package io.chimera.archive.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/** Asks tcpdump which packets of a capture match a filter. */
final class Tcpdump {
    private static final List<String> PLACES = List.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin");

    private final Path capture;
    private final boolean isOptimised;

    /**
     * An answer.
     *
     * @param positions of the packets that match; null: the filter was refused
     * @param refusal the message; empty when it was not refused
     */
    record Answer(BitSet positions, String refusal) {}

    /**
     * Over a capture.
     *
     * @param isOptimised whether libpcap may change the filter; without, it looks at bytes in the order that is written
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
            byte[] out = process.getInputStream().readAllBytes(); // of errors there are less than a pipe holds
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
