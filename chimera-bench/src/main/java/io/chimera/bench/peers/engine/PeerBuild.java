package io.chimera.bench.peers.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/** Builds a peer with Maven on first use, and after changes of its sources. */
final class PeerBuild {
    private PeerBuild() {}

    /**
     * Builds a peer if necessary.
     *
     * @return its class path
     * @throws IOException when Maven fails; its output is on standard error
     */
    static String classPath(Workplace workplace, String peer) throws IOException, InterruptedException {
        Path folder = workplace.peerFolder(peer);
        Path lib = folder.resolve("target/lib");
        Path stamp = folder.resolve("target/built");
        if (!Files.exists(stamp) || isStale(workplace, folder, Files.getLastModifiedTime(stamp))) {
            System.err.println("Building the peer " + peer + " (its libraries come from Maven Central)…");
            Process maven = new ProcessBuilder(List.of(
                            "mvn", "-q", "-B", "-f", folder.resolve("pom.xml").toString(), "clean", "package"))
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .start();
            try (Stream<String> lines = maven.inputReader().lines()) {
                lines.forEach(System.err::println);
            }
            if (maven.waitFor() != 0) {
                throw new IOException("The peer " + peer + " cannot be built; see the output of Maven above. The first"
                        + " build needs Maven Central; exclude the peer with --only.");
            }
            Files.writeString(stamp, "");
        }
        return folder.resolve("target/classes") + ":" + lib + "/*:" + workplace.benchClasses() + ":"
                + workplace.filterClasses();
    }

    private static boolean isStale(Workplace workplace, Path folder, FileTime built) throws IOException {
        Path job = workplace.home().folder().resolve("chimera-bench/src/main/java/io/chimera/bench/peers/job");
        try (Stream<Path> files = Stream.of(
                        folder.resolve("pom.xml"), folder.getParent().resolve("pom.xml"), folder.resolve("src"), job)
                .filter(Files::exists)
                .flatMap(PeerBuild::filesBelow)) {
            return files.anyMatch(file -> file.toFile().lastModified() > built.toMillis());
        }
    }

    private static Stream<Path> filesBelow(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
