package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Bytes to and from a server, plain at first and with TLS after {@link #startTls}. One thread reads, one thread at a
 * time writes, and any thread closes, which ends a blocked read or write. A socket of the JDK's old interface, and not
 * a channel: an interrupt of a caller must not close the connection of all callers.
 */
final class SocketLink implements LinkOutput {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final Socket plain;
    private Socket current;
    private InputStream in;
    private OutputStream out;

    /** Chunk on the way into a buffer without an array. */
    private byte[] chunk = {};

    SocketLink(Socket connected) throws IOException {
        this.plain = connected;
        this.current = connected;
        this.in = connected.getInputStream();
        this.out = connected.getOutputStream();
    }

    /** Performs the TLS handshake and checks that the certificate names the host. */
    void startTls(SSLContext tls, ServerAddress server) throws IOException {
        SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(plain, server.host(), server.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        current = secured;
        in = secured.getInputStream();
        out = secured.getOutputStream();
    }

    /** Sets the time limit of a read; zero for none. */
    void limitReads(Duration limit) throws IOException {
        current.setSoTimeout(Math.toIntExact(limit.toMillis()));
    }

    /**
     * Reads at least one byte into a buffer with space.
     *
     * @throws EOFException at the end of the connection
     */
    void read(ByteBuffer into) throws IOException {
        int count = into.hasArray() ? readIntoArray(into) : readThroughChunk(into);
        if (count < 0) {
            throw new EOFException("the server closed the connection");
        }
    }

    private int readIntoArray(ByteBuffer into) throws IOException {
        int count = in.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
        if (count > 0) {
            into.position(into.position() + count);
        }
        return count;
    }

    private int readThroughChunk(ByteBuffer into) throws IOException {
        if (chunk.length == 0) {
            chunk = new byte[CHUNK_BYTES];
        }
        int count = in.read(chunk, 0, Math.min(chunk.length, into.remaining()));
        if (count > 0) {
            into.put(chunk, 0, count);
        }
        return count;
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        out.write(from.array(), from.arrayOffset() + from.position(), from.remaining());
        out.flush();
    }

    /** Closes the socket without the last message of TLS, which could block. */
    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // the socket is of no use after a failed close, and no data is lost: this client only reads
        }
    }
}
