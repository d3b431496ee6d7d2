package io.chimera.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** TLS connection with the JDK's socket; the cost of the client does not count. */
final class TlsPipe implements Pipe {
    private final SSLSocket socket;

    TlsPipe(String target, SSLContext tls) throws IOException {
        InetSocketAddress address = PlainPipe.address(target);
        socket = (SSLSocket) tls.getSocketFactory().createSocket(address.getHostString(), address.getPort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.setTcpNoDelay(true);
        socket.startHandshake();
    }

    @Override
    public void write(ByteBuffer head, ByteBuffer body) throws IOException {
        byte[] request = new byte[head.remaining() + body.remaining()];
        int length = head.remaining();
        head.get(request, 0, length);
        body.get(request, length, request.length - length);
        socket.getOutputStream().write(request);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = socket.getInputStream().read(into.array(), into.arrayOffset() + into.position(), into.remaining());
        if (count > 0) {
            into.position(into.position() + count);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
