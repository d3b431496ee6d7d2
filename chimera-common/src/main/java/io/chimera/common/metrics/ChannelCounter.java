package io.chimera.common.metrics;

/** Counters of a node's connections: framed connections between nodes, and HTTP, TCP and UDP inputs. */
public enum ChannelCounter implements CounterDescriptor {
    /** Connections opened between nodes. */
    CONNECTIONS_OPENED("channel", "connections_opened", "Connections opened between nodes."),
    /** Connections closed between nodes. */
    CONNECTIONS_CLOSED("channel", "connections_closed", "Connections closed between nodes."),
    /** Failed connection attempts. */
    CONNECTS_FAILED("channel", "connects_failed", "Failed attempts to connect to another node."),
    /** Connections of other nodes refused because too many are open. */
    CONNECTIONS_REFUSED("channel", "connections_refused", "Connections closed at once because too many were open."),
    /** Silent peers. */
    PEERS_SILENT("channel", "peers_silent", "Connections closed because the peer sent nothing."),
    /** Frames sent. */
    FRAMES_SENT("channel", "frames_sent", "Frames sent."),
    /** Payload bytes sent. */
    BYTES_SENT("channel", "sent_bytes", "Payload bytes of the frames sent."),
    /** Frames received. */
    FRAMES_RECEIVED("channel", "frames_received", "Frames received and accepted by their handlers."),
    /** Payload bytes received. */
    BYTES_RECEIVED("channel", "received_bytes", "Payload bytes of the frames received."),
    /** Offers refused for lack of credit or of room in the queue. */
    OFFERS_REFUSED(
            "channel",
            "offers_refused",
            "Offers refused because the receiver's credit was used up or the queue was full."),
    /** Pauses because a handler had no room. */
    FRAMES_DEFERRED("channel", "frames_deferred", "Pauses in reading because a handler had no room for a frame."),
    /** Frames with a bad length, kind or checksum, or above the credit; each closes its connection. */
    FRAMES_REJECTED("channel", "frames_rejected", "Damaged or foreign frames; each closed its connection."),
    /** Failures of connection handlers; each closes its connection. */
    HANDLERS_FAILED("channel", "handlers_failed", "Failures inside connection handlers; each closed its connection."),

    /** Successful TLS handshakes. */
    TLS_HANDSHAKES("tls", "handshakes", "Successful TLS handshakes."),
    /** Failed or slow TLS handshakes. */
    TLS_HANDSHAKES_FAILED("tls", "handshakes_failed", "TLS handshakes with a failure or longer than 10 s."),
    /** Connections closed because too many handshakes were running. */
    TLS_HANDSHAKES_REFUSED(
            "tls", "handshakes_refused", "Connections closed because too many TLS handshakes were running."),
    /** Peers with a certificate of another node. */
    TLS_PEERS_REFUSED(
            "tls",
            "peers_refused",
            "Connections of nodes closed because the certificate names no node of the cluster."),

    /** HTTP connections accepted. */
    HTTP_CONNECTIONS("http", "connections_opened", "HTTP connections accepted."),
    /** HTTP connections above the limit. */
    HTTP_CONNECTIONS_REFUSED(
            "http", "connections_refused", "HTTP connections answered 503 because too many were open."),
    /** HTTP connections above the share of their client. */
    HTTP_CLIENT_CONNECTIONS_REFUSED(
            "http",
            "client_connections_refused",
            "HTTP connections answered 429 because one client address or principal had too many open."),
    /** Idle HTTP connections. */
    HTTP_CONNECTIONS_IDLE("http", "connections_idle_closed", "HTTP connections closed because they were idle."),
    /** Slow requests and connections. */
    HTTP_REQUESTS_SLOW("http", "requests_slow", "Requests ended because their headers or body arrived too slowly."),
    /** Slow clients evicted for other clients. */
    HTTP_REQUESTS_EVICTED(
            "http", "requests_evicted", "Slow requests ended early to free memory or a connection for other clients."),
    /** Incomplete requests of disconnected clients. */
    HTTP_REQUESTS_BROKEN(
            "http", "requests_broken", "Requests whose client disconnected before the end of the request."),
    /** Complete requests passed to their handlers. */
    HTTP_REQUESTS("http", "requests", "Complete requests passed to their handlers."),
    /** Bytes of bodies before decompression. */
    HTTP_BYTES_RECEIVED("http", "received_bytes", "Bytes of request bodies as received, before decompression."),
    /** Bytes of bodies after decompression. */
    HTTP_BYTES_UNPACKED("http", "unpacked_bytes", "Bytes of request bodies after decompression."),
    /** Waits because a handler had no room. */
    HTTP_REQUESTS_DEFERRED("http", "requests_deferred", "Waits of a request because its handler had no room."),
    /** Answers 2xx and 3xx. */
    HTTP_ANSWERS_GOOD("http", "answers_good", "Responses with a 2xx or 3xx status."),
    /** Answers 4xx. */
    HTTP_ANSWERS_4XX("http", "answers_4xx", "Responses with a 4xx status."),
    /** Answers 5xx. */
    HTTP_ANSWERS_5XX("http", "answers_5xx", "Responses with a 5xx status."),
    /** Bodies above the limit of bytes or of the compression ratio. */
    HTTP_BODIES_TOO_LARGE("http", "bodies_too_large", "Bodies above the limit of bytes or of the compression ratio."),
    /** Requests refused because the memory for bodies was full. */
    HTTP_BODIES_NO_ROOM(
            "http", "bodies_no_room", "Requests answered 503 because the memory for request bodies was full."),
    /** Requests refused because their client exceeded its share of the memory for bodies. */
    HTTP_CLIENT_BODIES_REFUSED(
            "http",
            "client_bodies_refused",
            "Requests answered 429 because one client address or principal used too much memory for request bodies."),
    /** Invalid HTTP requests or compressed bodies. */
    HTTP_REQUESTS_MALFORMED("http", "requests_malformed", "Requests with invalid HTTP or an invalid compressed body."),
    /** Failures inside request handlers, answered 500. */
    HTTP_HANDLERS_FAILED("http", "handlers_failed", "Failures inside request handlers, answered 500."),

    /** TCP connections accepted. */
    TCP_CONNECTIONS("tcp", "connections_opened", "TCP connections accepted."),
    /** TCP connections above the limit. */
    TCP_CONNECTIONS_REFUSED("tcp", "connections_refused", "TCP connections closed at once because too many were open."),
    /** TCP connections above the share of their client. */
    TCP_CLIENT_CONNECTIONS_REFUSED(
            "tcp",
            "client_connections_refused",
            "TCP connections closed because one client address or principal had too many open."),
    /** Slow TCP connections evicted for other clients. */
    TCP_CONNECTIONS_EVICTED(
            "tcp", "connections_evicted", "Slow TCP connections closed to make room for other clients."),
    /** Idle TCP connections. */
    TCP_CONNECTIONS_IDLE("tcp", "connections_idle_closed", "TCP connections closed because they were idle."),
    /** Bytes received over TCP. */
    TCP_BYTES_RECEIVED("tcp", "received_bytes", "Bytes received over TCP."),
    /** Pauses because a handler had no room. */
    TCP_CHUNKS_DEFERRED("tcp", "chunks_deferred", "Pauses in reading because a handler had no room."),
    /** Connections closed because a line exceeded its time limit. */
    TCP_LINES_SLOW("tcp", "lines_slow", "Connections closed because a line or message stayed unfinished too long."),
    /** Connections closed because a line exceeded its length limit. */
    TCP_LINES_TOO_LONG("tcp", "lines_too_long", "Connections closed because a line was longer than 64 KiB."),
    /** Replies dropped because the client does not read. */
    TCP_REPLIES_DROPPED("tcp", "replies_dropped", "Replies dropped because the client does not read."),
    /** Failures inside stream handlers; each closes its connection. */
    TCP_HANDLERS_FAILED("tcp", "handlers_failed", "Failures inside stream handlers; each closed its connection."),

    /** Datagrams passed to their handler. */
    UDP_DATAGRAMS("udp", "datagrams_received", "Datagrams passed to their handler."),
    /** Bytes of the datagrams. */
    UDP_BYTES_RECEIVED("udp", "received_bytes", "Bytes of the datagrams passed to their handler."),
    /** Failures inside datagram handlers; each loses its datagram. */
    UDP_HANDLERS_FAILED("udp", "handlers_failed", "Failures inside datagram handlers; each lost its datagram.");

    private final String stage;
    private final String what;
    private final String help;

    ChannelCounter(String stage, String what, String help) {
        this.stage = stage;
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return stage;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public String help() {
        return help;
    }
}
