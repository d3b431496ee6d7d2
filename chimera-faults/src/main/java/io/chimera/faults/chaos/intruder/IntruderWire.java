package io.chimera.faults.chaos.intruder;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Connections from the intruder's own address, so limits per address do not affect the clients of the run. Any thread.
 */
final class IntruderWire {
    private static final int CONNECT_MS = 1_000;

    /** Maximum wait for an HTTP answer. Every request gets an answer, but a busy machine may be slow. */
    static final int HTTP_ANSWER_MS = 10_000;

    /** Maximum silence after frames: a port that refuses frames may keep the connection for some seconds. */
    static final int FRAME_ANSWER_MS = 1_000;

    private static final int ANSWER_BYTES_MAX = 1 << 16;

    private final String from;

    /**
     * Creates the connector.
     *
     * @param from own address
     */
    IntruderWire(String from) {
        this.from = from;
    }

    /**
     * Answer of a port.
     *
     * @param isReached whether the port was listening
     * @param bytes of the answer, decrypted for TLS
     */
    @SuppressWarnings("ArrayRecordComponent") // read only by the sending attack; never compared
    record Answer(boolean isReached, byte[] bytes) {
        private static final Answer NOBODY = new Answer(false, new byte[0]);
    }

    /** Sends bytes and reads until the other end closes or stays silent for the given time. */
    Answer talk(AttackTarget target, Optional<SSLContext> tls, byte[] request, int silenceMs) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket plain = new Socket()) {
            plain.bind(new InetSocketAddress(from, 0));
            plain.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MS);
            plain.setSoTimeout(HTTP_ANSWER_MS);
            try (Socket socket = tls.isPresent() ? over(tls.get(), plain, target) : plain) {
                socket.setSoTimeout(silenceMs);
                socket.getOutputStream().write(request);
                socket.getOutputStream().flush();
                read(socket.getInputStream(), answer);
            }
        } catch (ConnectException | NoRouteToHostException e) {
            return Answer.NOBODY;
        } catch (SocketTimeoutException e) {
            // silent: the bytes read so far count
        } catch (IOException e) {
            // refused: the bytes read so far count
        }
        return new Answer(true, answer.toByteArray());
    }

    private static Socket over(SSLContext tls, Socket plain, AttackTarget target) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, target.host(), target.port(), true);
        socket.startHandshake();
        return socket;
    }

    private static void read(InputStream in, ByteArrayOutputStream answer) throws IOException {
        byte[] chunk = new byte[4_096];
        int length = in.read(chunk);
        while (length >= 0 && answer.size() < ANSWER_BYTES_MAX) {
            answer.write(chunk, 0, length);
            length = in.read(chunk);
        }
    }
}
