package io.chimera.common.plugin;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;

/**
 * Plugin on disk: a folder with JARs, {@code *.jar} and {@code lib/*.jar}. The JARs are read once, so the digest
 * matches the running code, and files may be replaced under a running node.
 *
 * @param origin name, version, place and digest
 * @param jars bytes of the JARs ordered by name, the plugin's own JARs before its libraries
 */
record PluginFolder(PluginOrigin origin, List<byte[]> jars) {
    private static final String SERVICES = "META-INF/services/io.chimera.api.spi.";

    /** Reads the plugins in a folder, ordered by name; empty for a missing folder. */
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

    /** Reads one plugin. */
    static PluginFolder read(Path folder) {
        try {
            List<byte[]> jars = new ArrayList<>(jarsIn(folder));
            Path libraries = folder.resolve("lib");
            if (Files.isDirectory(libraries)) {
                jars.addAll(jarsIn(libraries));
            }
            String name = folder.getFileName().toString();
            String place = folder.toAbsolutePath().normalize().toString();
            return new PluginFolder(new PluginOrigin(name, versionOf(jars), place, digestOf(jars)), List.copyOf(jars));
        } catch (IOException | UncheckedIOException e) {
            throw unreadable(folder, e);
        }
    }

    private static List<byte[]> jarsIn(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            List<byte[]> jars = new ArrayList<>();
            for (Path jar : entries.filter(
                            entry -> entry.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .toList()) {
                jars.add(Files.readAllBytes(jar));
            }
            return jars;
        }
    }

    /** Version of the first JAR with a service file. */
    private static String versionOf(List<byte[]> jars) throws IOException {
        for (byte[] jar : jars) {
            try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar), false)) {
                boolean provides = false;
                for (JarEntry entry = in.getNextJarEntry(); entry != null && !provides; entry = in.getNextJarEntry()) {
                    provides = entry.getName().startsWith(SERVICES);
                }
                if (provides && in.getManifest() != null) {
                    String version =
                            in.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
                    return version == null ? "" : version;
                }
            }
        }
        return "";
    }

    private static String digestOf(List<byte[]> jars) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] jar : jars) {
                digest.update(MessageDigest.getInstance("SHA-256").digest(jar));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK lacks SHA-256.", e);
        }
    }

    /** Entries of all JARs by name; several entries of the same name are in the order of their JARs. */
    Map<String, List<byte[]>> entries() {
        Map<String, List<byte[]>> entries = new LinkedHashMap<>();
        for (byte[] jar : jars) {
            try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar), false)) {
                for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                    if (!entry.isDirectory()) {
                        entries.computeIfAbsent(entry.getName(), unseen -> new ArrayList<>())
                                .add(in.readAllBytes());
                    }
                }
            } catch (IOException e) {
                throw unreadable(Path.of(origin.place()), e);
            }
        }
        return entries;
    }

    private static ChimeraException unreadable(Path folder, Exception e) {
        return new ChimeraException(
                Category.FATAL,
                "The plugin folder " + folder + " cannot be read (" + e
                        + "). Check the permissions of the folder and replace damaged JARs.",
                e);
    }
}
