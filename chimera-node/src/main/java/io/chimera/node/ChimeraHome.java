package io.chimera.node;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Installation folder of Chimera, and the commands that start its processes.
 *
 * @param folder folder with conf/ and the modules
 */
public record ChimeraHome(Path folder) {
    /** First JVM version that needs the flags of jvm-23plus.options. */
    private static final int NEWER_JVM = 23;

    /**
     * Finds the installation: the folder given by the launcher, or else the first parent of the working directory with
     * a conf/jvm.options.
     */
    public static ChimeraHome find() {
        String named = System.getProperty("chimera.home");
        Path folder = Path.of(named == null ? "" : named).toAbsolutePath();
        while (folder != null && !Files.isRegularFile(folder.resolve("conf/jvm.options"))) {
            folder = named == null ? folder.getParent() : null;
        }
        if (folder == null) {
            throw new ChimeraException(
                    Category.FATAL,
                    "There is no conf/jvm.options in " + (named == null ? "the folders above this one" : named)
                            + "; start the demo with ./chimera demo.");
        }
        return new ChimeraHome(folder);
    }

    /** Returns the command that starts a node. */
    public List<String> nodeCommand(List<String> jvmFlags, List<String> arguments) {
        return nodeCommand(jvmFlags, List.of(), arguments);
    }

    /**
     * Returns the command that starts a node with plugins.
     *
     * @param plugins JARs or class folders for the class path
     */
    public List<String> nodeCommand(List<String> jvmFlags, List<Path> plugins, List<String> arguments) {
        List<String> command = java("conf/jvm.options");
        command.addAll(jvmFlags);
        command.add("-Dchimera.home=" + folder);
        command.add("-cp");
        StringJoiner classPath = new StringJoiner(":").add(built("chimera-node/target/lib") + "/*");
        plugins.forEach(plugin -> classPath.add(plugin.toString()));
        command.add(classPath.toString());
        command.add("io.chimera.node.cli.Main");
        command.addAll(arguments);
        return command;
    }

    /** Returns the path of a build output folder. */
    public Path built(String path) {
        if (!Files.isDirectory(folder.resolve(path))) {
            throw new ChimeraException(
                    Category.FATAL,
                    folder.resolve(path) + " is missing; build it with 'mvn -DskipTests package' in " + folder + ".");
        }
        return folder.resolve(path);
    }

    /**
     * Returns the java command of this process with JVM flags.
     *
     * @param options file with the flags, e.g. {@code conf/jvm.options}
     * @return first part of a command line
     */
    public List<String> java(String options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + folder.resolve(options));
        if (Runtime.version().feature() >= NEWER_JVM) {
            command.add("@" + folder.resolve("conf/jvm-23plus.options"));
        }
        return command;
    }
}
