package io.chimera.dataset.source.xrootd.connection;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.AnswerHeader;
import io.chimera.dataset.source.xrootd.wire.AnswerStatus;
import io.chimera.dataset.source.xrootd.wire.LoginAnswer;
import io.chimera.dataset.source.xrootd.wire.PauseAnswer;
import io.chimera.dataset.source.xrootd.wire.ProtocolAnswer;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import io.chimera.dataset.source.xrootd.wire.ServerError;
import io.chimera.dataset.source.xrootd.wire.XrootdRequests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Connects to servers: TCP, handshake, protocol request, TLS where server or client demand it, login. Immutable; the
 * connecting thread runs it.
 *
 * <p>A login that needs a security plugin is refused. Tokens belong to the requests for files.
 */
final class Handshake {
    private final boolean needsTls;
    private final @Nullable SSLContext tls;
    private final String user;
    private final XrootdLimits limits;
    private final Clock clock;

    /** A connection after its login, without a reader thread. */
    record Session(LinkOutput link, LinkInput in, boolean isManager) {}

    /**
     * Creates a handshake.
     *
     * @param needsTls whether a server without TLS is refused
     * @param tls context of TLS; null for the default of the JVM
     * @param user name for the server's log
     */
    Handshake(boolean needsTls, @Nullable SSLContext tls, String user, XrootdLimits limits, Clock clock) {
        this.needsTls = needsTls;
        this.tls = tls;
        this.user = user;
        this.limits = limits;
        this.clock = clock;
    }

    Session open(ServerAddress server) throws SourceException {
        try {
            Socket socket = connect(server);
            try {
                return login(server, new SocketLink(socket));
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        } catch (SourceException e) {
            throw e;
        } catch (AnswerException e) {
            throw failure(
                    SourceFault.BAD_ANSWER, server, e.getMessage() + "; check that the server is an XRootD server", e);
        } catch (SocketTimeoutException e) {
            throw failure(
                    SourceFault.STALLED,
                    server,
                    "no login within " + limits.connect().toMillis() + " ms; check address, firewall and load",
                    e);
        } catch (UnknownHostException e) {
            throw failure(SourceFault.UNREACHABLE, server, "the name of the host is unknown; check the URL", e);
        } catch (SSLException e) {
            throw failure(
                    SourceFault.UNREACHABLE,
                    server,
                    "TLS failed: " + e.getMessage() + "; check the certificate of the server",
                    e);
        } catch (IOException e) {
            throw failure(
                    SourceFault.UNREACHABLE, server, "no connection: " + e.getMessage() + "; check that it runs", e);
        }
    }

    /** Tries all addresses of a host in turn. */
    private Socket connect(ServerAddress server) throws IOException {
        IOException last = new UnknownHostException(server.host());
        for (InetAddress address : InetAddress.getAllByName(server.host())) {
            Socket socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.connect(
                        new InetSocketAddress(address, server.port()),
                        Math.toIntExact(limits.connect().toMillis()));
                return socket;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        throw last;
    }

    private Session login(ServerAddress server, SocketLink link) throws IOException {
        LinkInput in = new LinkInput(link::read, clock);
        in.setDeadline(clock.nanoTime() + limits.connect().toNanos());
        link.limitReads(limits.connect());
        link.write(XrootdRequests.handshake());
        link.write(XrootdRequests.protocol(needsTls));
        answer(server, in);
        ProtocolAnswer protocol = ProtocolAnswer.decode(answer(server, in));
        if (protocol.startsTls()) {
            in.checkEmpty();
            link.startTls(tlsContext(), server);
        } else if (needsTls || protocol.needsTlsForSession()) {
            throw failure(
                    SourceFault.UNSUPPORTED,
                    server,
                    needsTls
                            ? "the server has no TLS; configure xrd.tls there, or use root:// in the URL"
                            : "the server demands TLS; use roots:// in the URL",
                    null);
        }
        link.write(XrootdRequests.login((int) ProcessHandle.current().pid(), user));
        LoginAnswer login = LoginAnswer.decode(answer(server, in));
        if (!login.securityPlugins().isEmpty()) {
            throw needsPlugin(server, "a login with one of the security plugins " + login.securityPlugins());
        }
        in.removeDeadline();
        link.limitReads(Duration.ZERO);
        return new Session(link, in, protocol.isManager());
    }

    /** Reads one answer, which must be complete and successful. */
    private static ByteBuffer answer(ServerAddress server, LinkInput in) throws IOException {
        AnswerHeader header = AnswerHeader.decode(in.next(AnswerHeader.BYTES));
        CollectedBody body = new CollectedBody(CollectedBody.SMALL);
        body.receive(in, header.length());
        if (header.status() == AnswerStatus.OK) {
            return body.bytes();
        }
        throw switch (header.status()) {
            case ERROR -> {
                ServerError error = ServerError.decode(body.bytes());
                yield failure(error.fault(), server, "the login failed: " + error.text() + "; " + error.remedy(), null);
            }
            case WAIT ->
                new SourceException(
                        SourceFault.BUSY,
                        "server " + server + ": the server asks for a pause before the login",
                        Duration.ofSeconds(PauseAnswer.decode(body.bytes()).seconds()),
                        null);
            case AUTH_MORE -> needsPlugin(server, "another step of a security plugin");
            default -> new AnswerException("status " + header.status() + " does not answer a login");
        };
    }

    private static SourceException needsPlugin(ServerAddress server, String need) {
        return failure(
                SourceFault.UNSUPPORTED,
                server,
                "the server needs " + need + ", which this client does not have; let the server accept logins without"
                        + " sec.protocol and check tokens (authz= in the URL), or read by its HTTP port",
                null);
    }

    private SSLContext tlsContext() throws IOException {
        try {
            return tls == null ? SSLContext.getDefault() : tls;
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("TLS is not available", e);
        }
    }

    private static SourceException failure(
            SourceFault fault, ServerAddress server, String defect, @Nullable Throwable cause) {
        return new SourceException(fault, "server " + server + ": " + defect, Duration.ZERO, cause);
    }
}
