package io.chimera.bench.peers.engine;

import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/** Builds a peer with Maven on first use, and after changes of its sources. */
public final class PeerBuild {
    private PeerBuild() {}

    /**
     * Builds a peer if necessary.
     *
     * @param home installation with the sources of the peer
     * @param peer folder of the peer below chimera-bench/peers
     * @return its class path
     * @throws IOException when Maven fails; its output is on standard error
     */
    public static String classPath(ChimeraHome home, String peer) throws IOException, InterruptedException {
        Path folder = folder(home, peer);
        Path lib = folder.resolve("target/lib");
        Path stamp = folder.resolve("target/built");
        if (!Files.exists(stamp) || isStale(home, folder, Files.getLastModifiedTime(stamp))) {
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
        return String.join(
                ":",
                folder.resolve("target/classes").toString(),
                lib + "/*",
                home.built("chimera-bench/target/classes").toString(),
                home.built("chimera-apps/target/classes").toString(), // the filters of VoIPSTREAM
                home.built("chimera-api/target/classes").toString());
    }

    /** Returns the folder of a peer's sources. */
    public static Path folder(ChimeraHome home, String peer) {
        return home.folder().resolve("chimera-bench/peers").resolve(peer);
    }

    private static boolean isStale(ChimeraHome home, Path folder, FileTime built) throws IOException {
        Path job = home.folder().resolve("chimera-bench/src/main/java/io/chimera/bench/peers/job");
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
