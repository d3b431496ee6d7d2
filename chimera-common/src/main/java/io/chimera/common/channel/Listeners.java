package io.chimera.common.channel;

import java.util.function.Supplier;

/**
 * Listens for agents, operators and browsers: HTTP, lines over TCP, datagrams. Ports of one node share a few threads; a
 * handler runs on one of them, never blocks, and gets the calls for one connection one after the other.
 */
public interface Listeners extends AutoCloseable {
    /**
     * Serves HTTP/1.1.
     *
     * @param local where to listen; port 0 lets the system choose
     * @param handler answers every request
     * @param limits bounds on what is accepted
     * @return the address that is listened on
     * @throws io.chimera.common.error.ChimeraException when the address cannot be had; names it and the remedy
     */
    Endpoint http(Endpoint local, HttpHandler handler, Limits limits);

    /** Accepts TCP connections, each with a handler of its own; otherwise as {@link #http}. */
    Endpoint tcp(Endpoint local, Supplier<StreamHandler> handlers, Limits limits);

    /** Receives datagrams; otherwise as {@link #http}. */
    Endpoint udp(Endpoint local, DatagramHandler handler);

    /**
     * Stops listening, and goes on only with what came before: a request that is whole is answered as usual and its
     * connection closed then, one that is not is answered 503, lines that were read are handed over. Returns at once.
     * Any thread.
     */
    void stop();

    /** HTTP requests that came whole and whose answers have not left yet. Any thread. */
    int unanswered();

    /** Stops listening and closes all connections, whatever is on its way. */
    @Override
    void close();

    /**
     * What a listener accepts; beyond it a request is answered 408, 413, 429 or 503 and a connection closed, each counted.
     *
     * @param bodyBytesMax bytes of one HTTP body as it comes and as it is unpacked
     * @param ratioMax how many times its packed size a body may unpack to
     * @param inFlightBytesMax bytes of all bodies that are held at one time
     * @param connectionsMax open connections at one time
     * @param clientPercent percentage of connections and of body bytes that one client address or principal may hold
     * @param pace how slow a client may be
     */
    record Limits(
            int bodyBytesMax, int ratioMax, long inFlightBytesMax, int connectionsMax, int clientPercent, Pace pace) {
        /** One of two clients cannot take everything, and a single one still gets most of what a node can do. */
        public static final int CLIENT_PERCENT_DEFAULT = 50;

        private static final int PERCENT = 100;

        /** Limits with the default deadlines and share. */
        public Limits(int bodyBytesMax, int ratioMax, long inFlightBytesMax, int connectionsMax, long idleMs) {
            this(bodyBytesMax, ratioMax, inFlightBytesMax, connectionsMax, CLIENT_PERCENT_DEFAULT, Pace.ofIdle(idleMs));
        }

        /** Connections that one client may have open; at least one. */
        public int clientConnectionsMax() {
            return (int) Math.max(1, (long) connectionsMax * clientPercent / PERCENT);
        }

        /** Bytes of bodies that one client may hold; at least one of the largest body. */
        public long clientBytesMax() {
            return Math.max(bodyBytesMax, inFlightBytesMax * clientPercent / PERCENT);
        }
    }

    /**
     * How slow a client may be.
     *
     * @param idleMs a connection on which nothing comes for this time is closed, half-open ones among them
     * @param headersMs time limit for the headers of an HTTP request, from its first byte or the connection's beginning
     * @param bytesPerSecondMin minimum rate of an HTTP body, measured over {@code periodMs}
     * @param periodMs period over which the rate is measured
     * @param lineMs time limit for an unfinished line or message of a TCP connection
     */
    record Pace(long idleMs, long headersMs, int bytesPerSecondMin, long periodMs, long lineMs) {
        /** A TCP retransmission or two, as most servers have it. */
        public static final long HEADERS_MS_DEFAULT = 10_000;

        /** 1 KiB/s: slower than any link that carries metrics. */
        public static final int BYTES_PER_SECOND_DEFAULT = 1 << 10;

        /** Long enough for a few retransmissions. */
        public static final long PERIOD_MS_DEFAULT = 5_000;

        /** A minute: senders that buffer leave half a line until their buffer fills again. */
        public static final long LINE_MS_DEFAULT = 60_000;

        /** The default deadlines. */
        public static Pace ofIdle(long idleMs) {
            return new Pace(idleMs, HEADERS_MS_DEFAULT, BYTES_PER_SECOND_DEFAULT, PERIOD_MS_DEFAULT, LINE_MS_DEFAULT);
        }
    }
}
