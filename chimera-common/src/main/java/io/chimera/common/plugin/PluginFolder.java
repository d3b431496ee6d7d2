package io.chimera.common.plugin;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * One plugin on the disk: a folder with its JARs, {@code *.jar} and {@code lib/*.jar}.
 *
 * @param origin name, version, place and digest
 * @param jars in the order of their names, the plugin's own before those it needs
 */
record PluginFolder(PluginOrigin origin, List<Path> jars) {
    private static final String SERVICES = "META-INF/services/io.chimera.api.spi.";

    /** The plugins in a folder, in the order of their names; none where there is no such folder. */
    static List<PluginFolder> in(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            List<PluginFolder> found = new ArrayList<>();
            for (Path entry : entries.filter(Files::isDirectory).sorted().toList()) {
                if (!entry.getFileName().toString().startsWith(".")) {
                    found.add(read(entry));
                }
            }
            return List.copyOf(found);
        } catch (IOException | UncheckedIOException e) {
            throw unreadable(folder, e);
        }
    }

    private static PluginFolder read(Path folder) {
        try {
            List<Path> jars = new ArrayList<>(jarsIn(folder));
            Path libraries = folder.resolve("lib");
            if (Files.isDirectory(libraries)) {
                jars.addAll(jarsIn(libraries));
            }
            String name = folder.getFileName().toString();
            String place = folder.toAbsolutePath().normalize().toString();
            return new PluginFolder(new PluginOrigin(name, versionOf(jars), place, digestOf(jars)), List.copyOf(jars));
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    private static List<Path> jarsIn(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> entry.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /** Version of the first JAR that provides something. */
    private static String versionOf(List<Path> jars) throws IOException {
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                Manifest manifest = file.getManifest();
                if (manifest != null
                        && file.stream().anyMatch(entry -> entry.getName().startsWith(SERVICES))) {
                    String version = manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
                    return version == null ? "" : version;
                }
            }
        }
        return "";
    }

    private static String digestOf(List<Path> jars) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path jar : jars) {
                digest.update(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK knows SHA-256.", e);
        }
    }

    URL[] urls() {
        return jars.stream().map(PluginFolder::url).toArray(URL[]::new);
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("A path has a URL: " + jar, e);
        }
    }

    private static ChimeraException unreadable(Path folder, Exception e) {
        return new ChimeraException(
                Category.FATAL,
                "The plugin folder " + folder + " cannot be read (" + e + "). Make folder and JARs readable and whole.",
                e);
    }
}
