package io.chimera.dataset.source.http;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Limits of an HTTP client.
 *
 * @param connectionsMax maximum number of open connections; further calls wait for a connection
 * @param connectTimeout maximum time for a connection with its TLS handshake
 * @param readTimeout maximum time without a byte
 * @param callTimeout maximum time of a whole request, from its begin to the last byte of the answer; bounds servers
 *     that send slowly
 * @param tls trust store and own certificate for HTTPS; null for the trust store of the JVM
 */
public record HttpSettings(
        int connectionsMax,
        Duration connectTimeout,
        Duration readTimeout,
        Duration callTimeout,
        @Nullable SSLContext tls) {
    /** 64 connections, 10 s to connect, 30 s without a byte, 10 minutes for a request, and the JVM's trust store. */
    public static final HttpSettings DEFAULT =
            new HttpSettings(64, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(10), null);

    /**
     * Checks the values.
     *
     * @param connectionsMax at least 1
     * @param connectTimeout at least 1 ms
     * @param readTimeout at least 1 ms
     * @param callTimeout at least 1 ms
     * @param tls context for HTTPS, or null
     */
    public HttpSettings {
        if (connectionsMax < 1
                || connectTimeout.toMillis() < 1
                || readTimeout.toMillis() < 1
                || callTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("HTTP settings: " + connectionsMax + " connections, timeouts "
                    + connectTimeout + ", " + readTimeout + " and " + callTimeout
                    + "; expected at least one connection and times of at least 1 ms");
        }
    }

    /** Returns the same limits with another TLS context. */
    public HttpSettings withTls(SSLContext context) {
        return new HttpSettings(connectionsMax, connectTimeout, readTimeout, callTimeout, context);
    }
}
