package io.chimera.bench.capture;

import io.chimera.node.ChimeraHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Location of the measurements.
 *
 * @param home installation of Chimera
 * @param folder folder for the files of tools
 * @param isQuick whether to measure less
 * @param log receives the progress
 */
public record BenchSite(ChimeraHome home, Path folder, boolean isQuick, Consumer<String> log) {
    /** Core of the packet sender. */
    public static final int SENDER = 0;

    /** Core of packet receivers and of all file readers. */
    public static final int RECEIVER = 1;

    /** Returns a command that runs a class of this module. */
    public List<String> java(Class<?> main, List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>(home.java("conf/jvm.options"));
        command.addAll(flags);
        command.add("-Dchimera.home=" + home.folder());
        command.addAll(List.of(
                "-cp",
                home.built("chimera-bench/target/classes") + ":" + home.built("chimera-bench/target/lib") + "/*",
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
