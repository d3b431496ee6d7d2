package io.chimera.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Plain-text connection that writes the body to the socket without a copy. */
final class PlainPipe implements Pipe {
    private final SocketChannel channel;

    PlainPipe(String target) throws IOException {
        channel = SocketChannel.open(address(target));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static InetSocketAddress address(String target) {
        int colon = target.lastIndexOf(':');
        return new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
    }

    @Override
    public void write(ByteBuffer head, ByteBuffer body) throws IOException {
        ByteBuffer[] request = {head, body};
        while (body.hasRemaining()) {
            channel.write(request);
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
