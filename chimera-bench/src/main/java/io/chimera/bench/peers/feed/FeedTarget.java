package io.chimera.bench.peers.feed;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/** Destination of a TCP feeder: property {@code feed.targets}, host:port. */
final class FeedTarget {
    private FeedTarget() {}

    static SocketChannel connect() throws IOException {
        String target = System.getProperty("feed.targets", "");
        int colon = target.lastIndexOf(':');
        return SocketChannel.open(
                new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1))));
    }
}
