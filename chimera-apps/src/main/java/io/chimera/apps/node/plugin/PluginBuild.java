package io.chimera.apps.node.plugin;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plugin that was built: a folder with JARs, or a project with JARs in {@code target/}; those it needs are in {@code lib/} beside them.
 *
 * @param name of the plugin: that of the folder
 * @param jars its own
 * @param libraries those it needs
 * @param demoText what the demo sends to the parser of it, {@code demo.txt} in its folder
 */
public record PluginBuild(String name, List<Path> jars, List<Path> libraries, Optional<Path> demoText) {
    /**
     * Looks for the JARs.
     *
     * @throws ChimeraException when there are none
     */
    public static PluginBuild in(Path folder) {
        try {
            Path project = folder.toRealPath();
            Path built = jarsIn(project).isEmpty() ? project.resolve("target") : project;
            List<Path> jars = jarsIn(built);
            if (jars.isEmpty()) {
                throw new ChimeraException(
                        Category.FATAL,
                        "There is no JAR in " + project
                                + " nor in its target/; build the plugin first, with 'mvn -q verify'.");
            }
            return new PluginBuild(
                    project.getFileName().toString(),
                    jars,
                    jarsIn(built.resolve("lib")),
                    Optional.of(project.resolve(PluginProject.DEMO_TEXT)).filter(Files::isRegularFile));
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "The plugin in " + folder + " cannot be read (" + e + ").", e);
        }
    }

    private static List<Path> jarsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isPlugin(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    /** What Maven leaves beside the JAR itself is none. */
    private static boolean isPlugin(String name) {
        return name.endsWith(".jar")
                && !name.endsWith("-sources.jar")
                && !name.endsWith("-javadoc.jar")
                && !name.endsWith("-tests.jar")
                && !name.startsWith("original-");
    }

    /** Copies it into a folder of its own, which is made. */
    public void copyTo(Path folder) throws IOException {
        copy(jars, folder);
        if (!libraries.isEmpty()) {
            copy(libraries, folder.resolve("lib"));
        }
    }

    private static void copy(List<Path> files, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Path file : files) {
            Files.copy(file, folder.resolve(file.getFileName()));
        }
    }
}
