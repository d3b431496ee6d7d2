package io.chimera.bench.peers.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts the clients of engines that receive points over a socket. */
final class Feeders {
    /** Small heap: the clients only copy bytes. */
    private static final List<String> JVM_FLAGS = List.of("-Xmx64m", "-XX:+UseSerialGC");

    private Feeders() {}

    /** Starts a client that posts line protocol to servers and waits for their answers. */
    static PeerProcess http(Workplace workplace, List<String> targets) throws IOException {
        return start(workplace, "io.chimera.bench.peers.feed.HttpFeeder", String.join(",", targets));
    }

    /** Starts a client that writes points to a TCP port. */
    static PeerProcess tcp(Workplace workplace, String target) throws IOException {
        return start(workplace, "io.chimera.bench.peers.feed.TcpFeeder", target);
    }

    /** Starts a client that writes tweets to a TCP port. */
    static PeerProcess tweets(Workplace workplace, String target, int rounds) throws IOException {
        return start(workplace, "io.chimera.bench.peers.feed.TweetFeeder", target, "-Dpeer.rounds=" + rounds);
    }

    /** Starts a client that writes calls to a TCP port. */
    static PeerProcess calls(Workplace workplace, String target) throws IOException {
        return start(workplace, "io.chimera.bench.peers.feed.CallFeeder", target, "-Dpeer.calls=" + workplace.points());
    }

    private static PeerProcess start(Workplace workplace, String main, String targets, String... more)
            throws IOException {
        List<String> flags = new ArrayList<>(JVM_FLAGS);
        flags.addAll(List.of(more));
        flags.add("-Dfeed.targets=" + targets);
        PeerProcess feeder = PeerProcess.start(
                workplace, "feeder", flags, workplace.benchClasses().toString(), main);
        feeder.awaitReady();
        return feeder;
    }
}
