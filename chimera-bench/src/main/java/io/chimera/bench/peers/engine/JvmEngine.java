package io.chimera.bench.peers.engine;

import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Engine in a single JVM with the points in memory: Flink, Storm, Jet, the plain loop. */
public final class JvmEngine implements Engine {
    private final Workplace workplace;
    private final String name;
    private final String peer;
    private final String main;
    private final List<String> flags;
    private volatile PeerProcess process;

    private JvmEngine(Workplace workplace, String name, String peer, String main, List<String> flags) {
        this.workplace = workplace;
        this.name = name;
        this.peer = peer;
        this.main = main;
        this.flags = flags;
    }

    /** Garbage collector with the least processor time for several threads; short pauses are not required. */
    private static final String PARALLEL = "-XX:+UseParallelGC";

    /** Returns the plain loop: no library, and the cheapest garbage collector for a single thread. */
    public static Engine loop(Workplace workplace) {
        return new JvmEngine(
                workplace,
                "loop",
                null,
                "io.chimera.bench.peers.loop.LoopPeer",
                List.of("-Xmx512m", "-XX:+UseSerialGC"));
    }

    /** Returns the plain loop over tweets, with Jackson. */
    public static Engine tweetLoop(Workplace workplace, int rounds) {
        return new JvmEngine(
                workplace,
                "loop",
                null,
                "io.chimera.bench.peers.loop.TweetLoopPeer",
                List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dpeer.rounds=" + rounds));
    }

    /**
     * Returns Storm over tweets, with a JSON tree per tweet, or with the streaming parser and many tweets per tuple.
     */
    public static Engine tweetStorm(Workplace workplace, int rounds, boolean streaming) {
        return new JvmEngine(
                workplace,
                streaming ? "storm_streaming" : "storm",
                "storm",
                "io.chimera.bench.peers.storm.TweetStormPeer",
                List.of("-Xmx1g", PARALLEL, "-Dpeer.streaming=" + streaming, "-Dpeer.rounds=" + rounds));
    }

    /** Returns Storm with the filters of VoIPSTREAM in the given number of detectors. */
    public static Engine callStorm(Workplace workplace, int detectors) {
        return new JvmEngine(
                workplace,
                "storm",
                "storm",
                "io.chimera.bench.peers.storm.CallStormPeer",
                List.of("-Xmx1g", PARALLEL, "-Dpeer.parallelism=" + detectors, "-Dpeer.calls=" + workplace.points()));
    }

    /** Returns Flink with the JVM flags of its own configuration for Java 17; a larger heap has no benefit here. */
    public static Engine flink(Workplace workplace) {
        List<String> flags = new ArrayList<>(List.of("-Xmx512m", "-XX:MaxDirectMemorySize=512m", PARALLEL));
        flags.addAll(opens(
                "java.base/java.lang",
                "java.base/java.net",
                "java.base/java.io",
                "java.base/java.nio",
                "java.base/sun.nio.ch",
                "java.base/java.lang.reflect",
                "java.base/java.text",
                "java.base/java.time",
                "java.base/java.util",
                "java.base/java.util.concurrent",
                "java.base/java.util.concurrent.atomic",
                "java.base/java.util.concurrent.locks"));
        return new JvmEngine(workplace, "flink", "flink", "io.chimera.bench.peers.flink.FlinkPeer", flags);
    }

    /** Returns Storm, with or without tracking of tuples. */
    public static Engine storm(Workplace workplace, boolean acking) {
        return new JvmEngine(
                workplace,
                acking ? "storm_acking" : "storm",
                "storm",
                "io.chimera.bench.peers.storm.StormPeer",
                List.of("-Xmx1g", PARALLEL, "-Dpeer.acking=" + acking));
    }

    /** Returns Hazelcast Jet with the JVM flags requested at its start. */
    public static Engine jet(Workplace workplace) {
        List<String> flags = new ArrayList<>(List.of(
                "-Xmx1g",
                PARALLEL,
                "--add-modules",
                "java.se",
                "--add-exports",
                "java.base/jdk.internal.ref=ALL-UNNAMED"));
        flags.addAll(opens(
                "java.base/java.lang",
                "java.base/sun.nio.ch",
                "java.management/sun.management",
                "jdk.management/com.sun.management.internal"));
        return new JvmEngine(workplace, "jet", "jet", "io.chimera.bench.peers.jet.JetPeer", flags);
    }

    private static List<String> opens(String... packages) {
        List<String> flags = new ArrayList<>();
        for (String name : packages) {
            flags.add("--add-opens=" + name + "=ALL-UNNAMED");
        }
        return flags;
    }

    @Override
    public void start() throws IOException, InterruptedException {
        String classPath = peer == null ? workplace.benchClassPath() : PeerBuild.classPath(workplace.home(), peer);
        process = PeerProcess.start(workplace, name, flags, classPath, main);
        process.awaitReady();
    }

    @Override
    public void pass() throws IOException {
        process.go();
        process.awaitDone();
    }

    @Override
    public List<Long> pids() {
        PeerProcess running = process;
        return running == null ? List.of() : List.of(running.pid());
    }

    @Override
    public List<Long> feederPids() {
        return List.of();
    }

    @Override
    public ResultTable finish() throws IOException, InterruptedException {
        return process.finish();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
