package io.chimera.dataset.source.http;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ProtocolException;
import org.jspecify.annotations.Nullable;

/** Reasons of failed requests, from exceptions of the connection and from status codes. */
public final class HttpFaults {
    private HttpFaults() {}

    /** Returns the reason for an exception of the connection. */
    static SourceException of(String subject, Exception e) {
        if (e instanceof ConnectionRequestTimeoutException) {
            return fault(
                    SourceFault.BUSY, subject + ": no connection of the pool became free; allow more connections", e);
        }
        if (e instanceof ConnectTimeoutException || e instanceof NoRouteToHostException) {
            return fault(
                    SourceFault.UNREACHABLE, subject + ": no connection in time; check host, port and firewall", e);
        }
        if (e instanceof SocketTimeoutException) {
            return fault(SourceFault.STALLED, subject + ": no byte within the read timeout; check the server", e);
        }
        if (e instanceof UnknownHostException) {
            return fault(SourceFault.UNREACHABLE, subject + ": the host name does not resolve; check the name", e);
        }
        if (e instanceof SSLException) {
            return fault(
                    SourceFault.UNREACHABLE,
                    subject + ": TLS failed; check the certificate of the server and the trust store: "
                            + e.getMessage(),
                    e);
        }
        if (isMalformed(e)) {
            return fault(
                    SourceFault.BAD_ANSWER,
                    subject + ": the answer does not follow HTTP/1.1, or ends early; check the server and proxies",
                    e);
        }
        return fault(
                SourceFault.UNREACHABLE,
                subject + ": the connection failed; check that the server runs: " + e.getMessage(),
                e);
    }

    private static boolean isMalformed(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectionClosedException
                    || cause instanceof MalformedChunkCodingException
                    || cause instanceof MessageConstraintException
                    || cause instanceof ProtocolException
                    || cause instanceof HttpException) {
                return true;
            }
        }
        return false;
    }

    static SourceException closed(String subject, Exception e) {
        return fault(SourceFault.UNREACHABLE, subject + ": the source is closed", e);
    }

    static SourceException overtime(String subject, Duration limit, Exception e) {
        return fault(
                SourceFault.STALLED,
                subject + ": no complete answer within " + limit.toMillis()
                        + " ms; use shorter ranges or a longer limit",
                e);
    }

    /**
     * Returns the reason for a status code that is no success.
     *
     * @param subject object and place
     * @param reply the answer
     * @param clock time from which a date in {@code Retry-After} counts
     */
    public static SourceException ofStatus(String subject, HttpReply reply, Clock clock) {
        int status = reply.status();
        Duration pause = reply.header("Retry-After")
                .map(text -> HttpTimes.retryAfter(text, clock))
                .orElse(Duration.ZERO);
        String what = subject + ": HTTP " + status;
        return switch (status) {
            case 401, 407 -> fault(SourceFault.UNAUTHENTICATED, what + "; check the credentials", null);
            case 403 -> fault(SourceFault.FORBIDDEN, what + "; check the rights of the credentials", null);
            case 404, 410 -> fault(SourceFault.NOT_FOUND, what + "; check the path", null);
            case 408 -> new SourceException(SourceFault.STALLED, what + "; check the load of the server", pause, null);
            case 412 -> fault(SourceFault.CHANGED, what + ": the object has changed; list it again", null);
            case 416 -> fault(SourceFault.RANGE_REFUSED, what + ": the server refuses the range", null);
            case 425, 429, 503 ->
                new SourceException(SourceFault.BUSY, what + ": the server asks for a pause", pause, null);
            case 501, 505 -> fault(SourceFault.UNSUPPORTED, what + "; use another server", null);
            default -> other(status, what, pause);
        };
    }

    private static SourceException other(int status, String what, Duration pause) {
        if (status >= 500 && status <= 599) {
            return new SourceException(SourceFault.SERVER_FAILED, what + "; check the log of the server", pause, null);
        }
        if (status >= 400 && status <= 499) {
            return fault(SourceFault.UNSUPPORTED, what + "; check the address and the log of the server", null);
        }
        return fault(SourceFault.BAD_ANSWER, what + "; expected the object or a range", null);
    }

    private static SourceException fault(SourceFault fault, String message, @Nullable Exception cause) {
        return new SourceException(fault, message, Duration.ZERO, cause);
    }
}
