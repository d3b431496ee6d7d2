package io.chimera.node.load;

import io.chimera.common.channel.Endpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Writes batches to a TCP connection. A full node stops reading, so the write blocks. */
final class SocketTarget implements LoadTarget {
    private final Socket socket = new Socket();
    private final OutputStream out;

    SocketTarget(Endpoint address, Duration timeout) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(address.host(), address.port()), (int) timeout.toMillis());
        out = socket.getOutputStream();
    }

    @Override
    public long send(byte[] batch) throws IOException {
        out.write(batch);
        return 0;
    }

    @Override
    public void close() throws IOException {
        socket.shutdownOutput(); // sends the remaining bytes before the end of the connection
        socket.close();
    }
}
