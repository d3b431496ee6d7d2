package io.chimera.apps.node;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Where Chimera lies on this machine, and how its processes are started.
 *
 * @param folder holds conf/ and the modules
 */
public record ChimeraHome(Path folder) {
    /** From this version on the JVM wants the flags of jvm-23plus.options. */
    private static final int NEWER_JVM = 23;

    /** The folder that the launcher names, else the first above the working directory that looks like it. */
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

    /** Command that starts a node. */
    public List<String> nodeCommand(List<String> jvmFlags, List<String> arguments) {
        return nodeCommand(jvmFlags, List.of(), arguments);
    }

    /**
     * Command that starts a node with plugins.
     *
     * @param plugins JARs or folders of classes on its class path
     */
    public List<String> nodeCommand(List<String> jvmFlags, List<Path> plugins, List<String> arguments) {
        List<String> command = java("conf/jvm.options");
        command.addAll(jvmFlags);
        command.add("-Dchimera.home=" + folder);
        command.add("-cp");
        StringJoiner classPath = new StringJoiner(":").add(built("chimera-apps/target/lib") + "/*");
        plugins.forEach(plugin -> classPath.add(plugin.toString()));
        command.add(classPath.toString());
        command.add("io.chimera.apps.node.Main");
        command.addAll(arguments);
        return command;
    }

    /** A folder that the build makes. */
    public Path built(String path) {
        if (!Files.isDirectory(folder.resolve(path))) {
            throw new ChimeraException(
                    Category.FATAL,
                    folder.resolve(path) + " is missing; build it with 'mvn -DskipTests package' in " + folder + ".");
        }
        return folder.resolve(path);
    }

    /**
     * The java of this process, with flags.
     *
     * @param options file with the flags, e.g. {@code conf/jvm.options}
     * @return the begin of a command
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
