package io.chimera.node.plugin;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Maven repository in a folder with the API and its contract kit. The version ends in a digest of the JARs, so that
 * Maven's cache never mixes up two builds.
 */
final class ApiRepository {
    private static final String POM = """
            <?xml version="1.0" encoding="UTF-8"?>
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>io.chimera</groupId>
              <artifactId>chimera-api</artifactId>
              <version>%s</version>
            </project>
            """;

    private static final String VERSION_SETTING = "-Dchimera.version=";

    private final String version;
    private final byte[] api;
    private final byte[] kit;

    private ApiRepository(byte[] api, byte[] kit) {
        this.api = api;
        this.kit = kit;
        version = Version.text().replace("-SNAPSHOT", "") + "-"
                + hex("SHA-256", api, kit).substring(0, 8);
    }

    /** Reads the API from an installation. */
    static ApiRepository of(ChimeraHome home) throws IOException {
        byte[] api = Files.readAllBytes(jar(home.built("chimera-node/target/lib"), ".jar"));
        byte[] kit = Files.readAllBytes(jar(home.built("chimera-api/target"), "-tests.jar"));
        return new ApiRepository(api, kit);
    }

    private static Path jar(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.filter(file -> {
                        String name = file.getFileName().toString();
                        boolean isKit = name.endsWith("-tests.jar");
                        return name.startsWith("chimera-api-")
                                && name.endsWith(end)
                                && isKit == end.equals("-tests.jar");
                    })
                    .toList();
            if (found.size() != 1) {
                throw new ChimeraException(
                        Category.FATAL,
                        folder + " holds " + found.size() + " files chimera-api-*" + end
                                + "; rebuild Chimera with 'mvn -DskipTests clean package'.");
            }
            return found.get(0);
        }
    }

    /**
     * Writes the repository into a project: the files to {@code .chimera}, and the version to {@code
     * .mvn/maven.config}.
     */
    void write(Path project) throws IOException {
        Path folder = Files.createDirectories(
                project.resolve(".chimera/io/chimera/chimera-api").resolve(version));
        String begin = "chimera-api-" + version;
        write(folder.resolve(begin + ".jar"), api);
        write(folder.resolve(begin + "-tests.jar"), kit);
        write(folder.resolve(begin + ".pom"), POM.formatted(version).getBytes(StandardCharsets.UTF_8));
        Path settings = Files.createDirectories(project.resolve(".mvn")).resolve("maven.config");
        List<String> others = Files.isRegularFile(settings)
                ? Files.readAllLines(settings).stream()
                        .filter(line -> !line.startsWith(VERSION_SETTING))
                        .toList()
                : List.of();
        List<String> lines = new ArrayList<>(others);
        lines.add(VERSION_SETTING + version);
        Files.write(settings, lines);
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        Files.writeString(file.resolveSibling(file.getFileName() + ".sha1"), hex("SHA-1", bytes));
    }

    private static String hex(String algorithm, byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            for (byte[] part : parts) {
                digest.update(part);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK provides " + algorithm + ".", e);
        }
    }
}
