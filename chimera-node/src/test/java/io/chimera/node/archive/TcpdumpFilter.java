package io.chimera.node.archive;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.node.archive.CaptureFile.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Filters a capture with tcpdump. */
final class TcpdumpFilter {
    private final Path capture;

    TcpdumpFilter(Path capture) {
        this.capture = capture;
        assumeTrue(place().isPresent(), "tcpdump is not installed; scripts/setup does it");
    }

    private static Optional<Path> place() {
        return Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
                .map(folder -> Path.of(folder, "tcpdump"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the matching packets in the order of the file; empty for a refused filter. */
    Optional<List<Frame>> find(String filter) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        place().orElseThrow().toString(), "-O", "-r", capture.toString(), "-w", "-", "--", filter)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        byte[] out = process.getInputStream().readAllBytes();
        return process.waitFor() == 0 ? Optional.of(CaptureFile.read(out)) : Optional.empty();
    }
}
