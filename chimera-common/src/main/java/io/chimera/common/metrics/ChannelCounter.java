package io.chimera.common.metrics;

/** What the connections of a node count: the framed ones between nodes, and HTTP, TCP and UDP ends to the world. */
public enum ChannelCounter implements CounterDescriptor {
    /** Connections between nodes that came about. */
    CONNECTIONS_OPENED("channel", "connections_opened", "Connections between nodes that came about."),
    /** Connections between nodes that ended. */
    CONNECTIONS_CLOSED("channel", "connections_closed", "Connections between nodes that ended."),
    /** Connections to other nodes that did not come about. */
    CONNECTS_FAILED("channel", "connects_failed", "Connections to other nodes that did not come about."),
    /** Connections of other nodes closed at once because too many are open. */
    CONNECTIONS_REFUSED("channel", "connections_refused", "Connections closed at once because too many were open."),
    /** Peers given up because nothing came from them. */
    PEERS_SILENT("channel", "peers_silent", "Connections closed because nothing came from the peer."),
    /** Frames handed to the network. */
    FRAMES_SENT("channel", "frames_sent", "Frames handed to the network."),
    /** Payload of the frames handed to the network. */
    BYTES_SENT("channel", "sent_bytes", "Payload of the frames handed to the network."),
    /** Frames taken by their handlers. */
    FRAMES_RECEIVED("channel", "frames_received", "Frames taken by their handlers."),
    /** Payload of the frames taken by their handlers. */
    BYTES_RECEIVED("channel", "received_bytes", "Payload of the frames taken by their handlers."),
    /** Offers refused for lack of credit or of room in the queue. */
    OFFERS_REFUSED(
            "channel", "offers_refused", "Offers refused because the receiver's credit or the queue was used up."),
    /** Times that a handler had no room for a frame. */
    FRAMES_DEFERRED("channel", "frames_deferred", "Times that a handler had no room for a frame and reading paused."),
    /** Frames with a bad length, kind, checksum or beyond the credit; each costs its connection. */
    FRAMES_REJECTED("channel", "frames_rejected", "Damaged or foreign frames; each closed its connection."),
    /** Failures of connection handlers; each costs its connection. */
    HANDLERS_FAILED("channel", "handlers_failed", "Failures inside connection handlers; each closed its connection."),

    /** TLS handshakes that succeeded. */
    TLS_HANDSHAKES("tls", "handshakes", "TLS handshakes that succeeded."),
    /** TLS handshakes that failed or took too long. */
    TLS_HANDSHAKES_FAILED("tls", "handshakes_failed", "TLS handshakes that failed or took longer than 10 s."),
    /** Connections closed because too many handshakes were under way. */
    TLS_HANDSHAKES_REFUSED(
            "tls", "handshakes_refused", "Connections closed because too many TLS handshakes were under way."),
    /** Peers whose certificate does not name the node that they claim to be. */
    TLS_PEERS_REFUSED(
            "tls",
            "peers_refused",
            "Connections of nodes closed because the certificate names no node of the cluster."),

    /** HTTP connections accepted. */
    HTTP_CONNECTIONS("http", "connections_opened", "HTTP connections accepted."),
    /** HTTP connections beyond the limit. */
    HTTP_CONNECTIONS_REFUSED(
            "http", "connections_refused", "HTTP connections answered 503 because too many were open."),
    /** HTTP connections beyond the share of their client. */
    HTTP_CLIENT_CONNECTIONS_REFUSED(
            "http",
            "client_connections_refused",
            "HTTP connections answered 429 because one client address or principal had too many open."),
    /** HTTP connections on which nothing came. */
    HTTP_CONNECTIONS_IDLE("http", "connections_idle_closed", "HTTP connections closed because nothing came on them."),
    /** Requests and connections that were too slow. */
    HTTP_REQUESTS_SLOW(
            "http", "requests_slow", "Requests ended because headers took too long or the body came too slowly."),
    /** Slow clients that made room for others. */
    HTTP_REQUESTS_EVICTED(
            "http", "requests_evicted", "Slow requests ended early because others needed their memory or connection."),
    /** Clients that went away before their request was whole. */
    HTTP_REQUESTS_BROKEN("http", "requests_broken", "Requests whose client went away before they were whole."),
    /** Whole requests given to their handlers. */
    HTTP_REQUESTS("http", "requests", "Whole requests given to their handlers."),
    /** Bytes of bodies as they came. */
    HTTP_BYTES_RECEIVED("http", "received_bytes", "Bytes of request bodies as they came, packed or not."),
    /** Bytes of bodies after unpacking. */
    HTTP_BYTES_UNPACKED("http", "unpacked_bytes", "Bytes of request bodies after unpacking."),
    /** Times that a handler had no room for a request. */
    HTTP_REQUESTS_DEFERRED("http", "requests_deferred", "Times that a handler had no room for a request."),
    /** Answers 2xx and 3xx. */
    HTTP_ANSWERS_GOOD("http", "answers_good", "Answers with a status of 2xx or 3xx."),
    /** Answers 4xx. */
    HTTP_ANSWERS_4XX("http", "answers_4xx", "Answers with a status of 4xx."),
    /** Answers 5xx. */
    HTTP_ANSWERS_5XX("http", "answers_5xx", "Answers with a status of 5xx."),
    /** Bodies beyond the limit of bytes or of the unpacking ratio. */
    HTTP_BODIES_TOO_LARGE("http", "bodies_too_large", "Bodies beyond the limit of bytes or of the unpacking ratio."),
    /** Requests refused because all bodies together reached their limit. */
    HTTP_BODIES_NO_ROOM("http", "bodies_no_room", "Requests answered 503 because too many body bytes were held."),
    /** Requests refused because the bodies of their client reached its share. */
    HTTP_CLIENT_BODIES_REFUSED(
            "http",
            "client_bodies_refused",
            "Requests answered 429 because one client address or principal held too many body bytes."),
    /** Requests that are no HTTP/1.x or that do not unpack. */
    HTTP_REQUESTS_MALFORMED("http", "requests_malformed", "Requests that are no sound HTTP or do not unpack."),
    /** Failures inside request handlers, answered 500. */
    HTTP_HANDLERS_FAILED("http", "handlers_failed", "Failures inside request handlers, answered 500."),

    /** TCP connections accepted. */
    TCP_CONNECTIONS("tcp", "connections_opened", "TCP connections accepted."),
    /** TCP connections beyond the limit. */
    TCP_CONNECTIONS_REFUSED("tcp", "connections_refused", "TCP connections closed at once because too many were open."),
    /** TCP connections beyond the share of their client. */
    TCP_CLIENT_CONNECTIONS_REFUSED(
            "tcp",
            "client_connections_refused",
            "TCP connections closed because one client address or principal had too many open."),
    /** Slow TCP connections that made room for others. */
    TCP_CONNECTIONS_EVICTED(
            "tcp", "connections_evicted", "Slow TCP connections closed because others needed their place."),
    /** TCP connections on which nothing came. */
    TCP_CONNECTIONS_IDLE("tcp", "connections_idle_closed", "TCP connections closed because nothing came on them."),
    /** Bytes received over TCP. */
    TCP_BYTES_RECEIVED("tcp", "received_bytes", "Bytes received over TCP."),
    /** Times that a handler had no room for bytes. */
    TCP_CHUNKS_DEFERRED("tcp", "chunks_deferred", "Times that a handler had no room and reading paused."),
    /** Connections closed because a line did not end within its time. */
    TCP_LINES_SLOW("tcp", "lines_slow", "Connections closed because a line or message stayed unfinished too long."),
    /** Connections closed because a line did not end within its length. */
    TCP_LINES_TOO_LONG("tcp", "lines_too_long", "Connections closed because a line was longer than 64 KiB."),
    /** Replies dropped because the other end does not read. */
    TCP_REPLIES_DROPPED("tcp", "replies_dropped", "Replies dropped because the other end does not read."),
    /** Failures inside stream handlers; each costs its connection. */
    TCP_HANDLERS_FAILED("tcp", "handlers_failed", "Failures inside stream handlers; each closed its connection."),

    /** Datagrams handed to their handler. */
    UDP_DATAGRAMS("udp", "datagrams_received", "Datagrams handed to their handler."),
    /** Bytes of these datagrams. */
    UDP_BYTES_RECEIVED("udp", "received_bytes", "Bytes of the datagrams handed to their handler."),
    /** Failures inside datagram handlers; each costs its datagram. */
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
