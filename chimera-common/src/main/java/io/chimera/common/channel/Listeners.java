package io.chimera.common.channel;

import java.util.function.Supplier;

/**
 * Listeners for agents, operators and browsers: HTTP, TCP lines, UDP datagrams. The ports of one node share a few
 * threads. A handler runs on one of these threads and must not block; calls for one connection never overlap.
 */
public interface Listeners extends AutoCloseable {
    /**
     * Serves HTTP/1.1.
     *
     * @param local address to listen on; port 0 lets the system choose
     * @param handler answers every request
     * @param limits limits of the listener
     * @return the bound address
     * @throws io.chimera.common.error.ChimeraException if the address cannot be bound; names the address and a remedy
     */
    Endpoint http(Endpoint local, HttpHandler handler, Limits limits);

    /** Accepts TCP connections, with one handler each; otherwise like {@link #http}. */
    Endpoint tcp(Endpoint local, Supplier<StreamHandler> handlers, Limits limits);

    /** Receives datagrams; otherwise like {@link #http}. */
    Endpoint udp(Endpoint local, DatagramHandler handler);

    /**
     * Stops listening. The system releases the addresses a moment later; they may then be bound again. Open connections
     * remain. Not for threads of the listeners.
     */
    void unbind();

    /**
     * Stops listening and drains: complete requests are answered normally and their connections closed afterwards,
     * incomplete requests are answered 503, received lines are passed to their handlers. Returns immediately. Any
     * thread.
     */
    void stop();

    /** Number of complete HTTP requests with unsent answers. Any thread. */
    int unanswered();

    /** Stops listening and closes all connections immediately. */
    @Override
    void close();

    /**
     * Limits of a listener. Above a limit, a request is answered 408, 413, 429 or 503 and a connection is closed; both
     * are counted.
     *
     * @param bodyBytesMax maximum length of one HTTP body, both compressed and decompressed
     * @param ratioMax maximum compression ratio of a body
     * @param inFlightBytesMax maximum total memory of all bodies at a time
     * @param connectionsMax maximum number of open connections
     * @param clientPercent percentage of connections and of body bytes available to one client address or principal
     * @param pace limits for slow clients
     */
    record Limits(
            int bodyBytesMax, int ratioMax, long inFlightBytesMax, int connectionsMax, int clientPercent, Pace pace) {
        /**
         * Default share of one client: none of two clients can use all resources, and a single client still gets most
         * of the node's capacity.
         */
        public static final int CLIENT_PERCENT_DEFAULT = 50;

        private static final int PERCENT = 100;

        /** Creates limits with the default deadlines and share. */
        public Limits(int bodyBytesMax, int ratioMax, long inFlightBytesMax, int connectionsMax, long idleMs) {
            this(bodyBytesMax, ratioMax, inFlightBytesMax, connectionsMax, CLIENT_PERCENT_DEFAULT, Pace.ofIdle(idleMs));
        }

        /** Maximum number of open connections of one client; at least one. */
        public int clientConnectionsMax() {
            return (int) Math.max(1, (long) connectionsMax * clientPercent / PERCENT);
        }

        /** Maximum memory for the bodies of one client; at least the largest body. */
        public long clientBytesMax() {
            return Math.max(bodyBytesMax, inFlightBytesMax * clientPercent / PERCENT);
        }
    }

    /**
     * Limits for slow clients.
     *
     * @param idleMs an idle connection is closed after this time; detects half-open connections
     * @param headersMs time limit for the headers of an HTTP request, from its first byte or the connection's begin
     * @param bytesPerSecondMin minimum rate of an HTTP body, measured over {@code periodMs}
     * @param periodMs period of the rate measurement
     * @param lineMs time limit for an incomplete line or message of a TCP connection
     */
    record Pace(long idleMs, long headersMs, int bytesPerSecondMin, long periodMs, long lineMs) {
        /** Time for one or two TCP retransmissions, as in most servers. */
        public static final long HEADERS_MS_DEFAULT = 10_000;

        /** 1 KiB/s: slower than any link with metric traffic. */
        public static final int BYTES_PER_SECOND_DEFAULT = 1 << 10;

        /** Time for a few retransmissions. */
        public static final long PERIOD_MS_DEFAULT = 5_000;

        /** One minute: a buffering sender may leave half a line until its buffer fills again. */
        public static final long LINE_MS_DEFAULT = 60_000;

        /** Creates the default limits for slow clients. */
        public static Pace ofIdle(long idleMs) {
            return new Pace(idleMs, HEADERS_MS_DEFAULT, BYTES_PER_SECOND_DEFAULT, PERIOD_MS_DEFAULT, LINE_MS_DEFAULT);
        }
    }
}
