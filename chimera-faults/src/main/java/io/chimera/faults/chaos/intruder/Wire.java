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

/** Connections from the intruder's own address, so that limits per address do not hit the clients of the run. Any thread. */
final class Wire {
    private static final int CONNECT_MS = 1_000;

    /** Longest wait for an HTTP answer, of which every request gets one, on a busy machine too. */
    static final int HTTP_ANSWER_MS = 10_000;

    /** Longest silence after frames: a port that takes none may keep the connection for some seconds. */
    static final int FRAME_ANSWER_MS = 1_000;

    private static final int ANSWER_BYTES_MAX = 1 << 16;

    private final String from;

    /**
     * Connections.
     *
     * @param from own address
     */
    Wire(String from) {
        this.from = from;
    }

    /**
     * What came back.
     *
     * @param isReached whether something listened
     * @param bytes of the answer, within TLS where that was asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // read once by the attack that sent; compared nowhere
    record Answer(boolean isReached, byte[] bytes) {
        private static final Answer NOBODY = new Answer(false, new byte[0]);
    }

    /** Sends bytes and reads until the other end closes or is silent for a while. */
    Answer talk(Target target, Optional<SSLContext> tls, byte[] request, int silenceMs) {
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
            // silent: what came before counts
        } catch (IOException e) {
            // turned away: what came before counts
        }
        return new Answer(true, answer.toByteArray());
    }

    private static Socket over(SSLContext tls, Socket plain, Target target) throws IOException {
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
