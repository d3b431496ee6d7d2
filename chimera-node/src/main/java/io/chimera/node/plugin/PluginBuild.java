package io.chimera.node.plugin;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Build result of a plugin: a folder with JARs, or a project with JARs in {@code target/}; required libraries are in a
 * folder {@code lib/} next to the JARs.
 *
 * @param name name of the plugin: the name of the folder
 * @param jars the plugin's own JARs
 * @param libraries required libraries
 * @param demoText sample text for the plugin's parser, {@code demo.txt} in the folder
 */
public record PluginBuild(String name, List<Path> jars, List<Path> libraries, Optional<Path> demoText) {
    /**
     * Finds the JARs of a plugin.
     *
     * @throws ChimeraException when the folder has no JARs
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
                                + " or its target/. Build the plugin first with 'mvn -q verify'.");
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

    /** Excludes the additional JARs of a Maven build. */
    private static boolean isPlugin(String name) {
        return name.endsWith(".jar")
                && !name.endsWith("-sources.jar")
                && !name.endsWith("-javadoc.jar")
                && !name.endsWith("-tests.jar")
                && !name.startsWith("original-");
    }

    /** Copies the plugin into a new folder. */
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
