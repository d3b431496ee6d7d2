package io.chimera.bench.capture;

import io.chimera.apps.node.ChimeraHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where a measurement takes place.
 *
 * @param home where Chimera lies
 * @param folder takes what tools write
 * @param isQuick whether it is to be short
 * @param log hears how far it is
 */
public record BenchSite(ChimeraHome home, Path folder, boolean isQuick, Consumer<String> log) {
    /** The core of whoever sends packets. */
    public static final int SENDER = 0;

    /** The core of whoever receives them, and of all that reads files. */
    public static final int RECEIVER = 1;

    /** A command that runs a class of this module on the core of receivers. */
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
