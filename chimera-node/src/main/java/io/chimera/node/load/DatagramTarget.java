package io.chimera.node.load;

import io.chimera.common.channel.Endpoint;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;

/** Sends each batch as one datagram, without acknowledgement. */
final class DatagramTarget implements LoadTarget {
    /**
     * Maximum number of lines of up to 81 bytes in an Ethernet frame of 1,500 bytes, less 28 bytes of IP and UDP
     * headers.
     */
    private static final int POINTS_MAX = 18;

    private final DatagramSocket socket = new DatagramSocket();
    private final InetSocketAddress address;

    DatagramTarget(Endpoint address) throws IOException {
        this.address = new InetSocketAddress(address.host(), address.port());
    }

    @Override
    public long send(byte[] batch) throws IOException {
        socket.send(new DatagramPacket(batch, batch.length, address));
        return 0;
    }

    @Override
    public int batchPointsMax() {
        return POINTS_MAX;
    }

    @Override
    public void close() {
        socket.close();
    }
}
