package io.chimera.bench.paper.channel;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.VethPair;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.util.List;

/** Creates paths between sender and receiver. Each process has one core; the cores differ where the machine has two. */
public final class ChannelPaths {
    private ChannelPaths() {}

    /** Returns the path over loopback. */
    public static ChannelPath loopback() {
        return new Loopback();
    }

    /**
     * Returns the path over a veth pair with addresses.
     *
     * @param pair the pair, which remains with the caller
     */
    public static ChannelPath veth(VethPair pair) {
        return new Veth(pair);
    }

    private record Loopback() implements ChannelPath {
        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public List<String> sending(List<String> command) throws IOException {
            return ProgramRun.onCore(BenchSite.SENDER, command);
        }

        @Override
        public List<String> receiving(List<String> command) throws IOException {
            return ProgramRun.onCore(BenchSite.RECEIVER, command);
        }
    }

    private record Veth(VethPair pair) implements ChannelPath {
        @Override
        public String host() {
            return VethPair.RECEIVER_HOST;
        }

        @Override
        public List<String> sending(List<String> command) throws IOException {
            return pair.whereSent(command);
        }

        @Override
        public List<String> receiving(List<String> command) throws IOException {
            return pair.whereReceived(command);
        }
    }
}
