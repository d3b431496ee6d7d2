package io.chimera.common.metrics;

/** Counters of a node's connections: framed connections between nodes, and HTTP, TCP and UDP inputs. */
public enum ChannelCounter implements CounterDescriptor {
    CONNECTIONS_OPENED("channel", "connections_opened", "Connections opened between nodes."),
    CONNECTIONS_CLOSED("channel", "connections_closed", "Connections closed between nodes."),
    CONNECTS_FAILED("channel", "connects_failed", "Failed attempts to connect to another node."),
    CONNECTIONS_REFUSED("channel", "connections_refused", "Connections closed at once because too many were open."),
    PEERS_SILENT("channel", "peers_silent", "Connections closed because the peer sent nothing."),
    FRAMES_SENT("channel", "frames_sent", "Frames sent."),
    BYTES_SENT("channel", "sent_bytes", "Payload bytes of the frames sent."),
    FRAMES_RECEIVED("channel", "frames_received", "Frames received and accepted by their handlers."),
    BYTES_RECEIVED("channel", "received_bytes", "Payload bytes of the frames received."),
    OFFERS_REFUSED(
            "channel",
            "offers_refused",
            "Offers refused because the receiver's credit was used up or the queue was full."),
    FRAMES_DEFERRED("channel", "frames_deferred", "Pauses in reading because a handler had no room for a frame."),
    FRAMES_REJECTED("channel", "frames_rejected", "Damaged or foreign frames; each closed its connection."),
    HANDLERS_FAILED("channel", "handlers_failed", "Failures inside connection handlers; each closed its connection."),

    TLS_HANDSHAKES("tls", "handshakes", "Successful TLS handshakes."),
    TLS_HANDSHAKES_FAILED("tls", "handshakes_failed", "TLS handshakes with a failure or longer than 10 s."),
    TLS_HANDSHAKES_REFUSED(
            "tls", "handshakes_refused", "Connections closed because too many TLS handshakes were running."),
    TLS_PEERS_REFUSED(
            "tls",
            "peers_refused",
            "Connections of nodes closed because the certificate names no node of the cluster."),

    HTTP_CONNECTIONS("http", "connections_opened", "HTTP connections accepted."),
    HTTP_CONNECTIONS_REFUSED(
            "http", "connections_refused", "HTTP connections answered 503 because too many were open."),
    HTTP_CLIENT_CONNECTIONS_REFUSED(
            "http",
            "client_connections_refused",
            "HTTP connections answered 429 because one client address or principal had too many open."),
    HTTP_CONNECTIONS_IDLE("http", "connections_idle_closed", "HTTP connections closed because they were idle."),
    HTTP_REQUESTS_SLOW("http", "requests_slow", "Requests ended because their headers or body arrived too slowly."),
    HTTP_REQUESTS_EVICTED(
            "http", "requests_evicted", "Slow requests ended early to free memory or a connection for other clients."),
    HTTP_REQUESTS_BROKEN(
            "http", "requests_broken", "Requests whose client disconnected before the end of the request."),
    HTTP_REQUESTS("http", "requests", "Complete requests passed to their handlers."),
    HTTP_BYTES_RECEIVED("http", "received_bytes", "Bytes of request bodies as received, before decompression."),
    HTTP_BYTES_UNPACKED("http", "unpacked_bytes", "Bytes of request bodies after decompression."),
    HTTP_REQUESTS_DEFERRED("http", "requests_deferred", "Waits of a request because its handler had no room."),
    HTTP_ANSWERS_GOOD("http", "answers_good", "Responses with a 2xx or 3xx status."),
    HTTP_ANSWERS_4XX("http", "answers_4xx", "Responses with a 4xx status."),
    HTTP_ANSWERS_5XX("http", "answers_5xx", "Responses with a 5xx status."),
    HTTP_BODIES_TOO_LARGE("http", "bodies_too_large", "Bodies above the limit of bytes or of the compression ratio."),
    HTTP_BODIES_NO_ROOM(
            "http", "bodies_no_room", "Requests answered 503 because the memory for request bodies was full."),
    HTTP_CLIENT_BODIES_REFUSED(
            "http",
            "client_bodies_refused",
            "Requests answered 429 because one client address or principal used too much memory for request bodies."),
    HTTP_REQUESTS_MALFORMED("http", "requests_malformed", "Requests with invalid HTTP or an invalid compressed body."),
    HTTP_HANDLERS_FAILED("http", "handlers_failed", "Failures inside request handlers, answered 500."),

    TCP_CONNECTIONS("tcp", "connections_opened", "TCP connections accepted."),
    TCP_CONNECTIONS_REFUSED("tcp", "connections_refused", "TCP connections closed at once because too many were open."),
    TCP_CLIENT_CONNECTIONS_REFUSED(
            "tcp",
            "client_connections_refused",
            "TCP connections closed because one client address or principal had too many open."),
    TCP_CONNECTIONS_EVICTED(
            "tcp", "connections_evicted", "Slow TCP connections closed to make room for other clients."),
    TCP_CONNECTIONS_IDLE("tcp", "connections_idle_closed", "TCP connections closed because they were idle."),
    TCP_BYTES_RECEIVED("tcp", "received_bytes", "Bytes received over TCP."),
    TCP_CHUNKS_DEFERRED("tcp", "chunks_deferred", "Pauses in reading because a handler had no room."),
    TCP_LINES_SLOW("tcp", "lines_slow", "Connections closed because a line or message stayed unfinished too long."),
    TCP_LINES_TOO_LONG("tcp", "lines_too_long", "Connections closed because a line was longer than 64 KiB."),
    TCP_REPLIES_DROPPED("tcp", "replies_dropped", "Replies dropped because the client does not read."),
    TCP_HANDLERS_FAILED("tcp", "handlers_failed", "Failures inside stream handlers; each closed its connection."),

    UDP_DATAGRAMS("udp", "datagrams_received", "Datagrams passed to their handler."),
    UDP_BYTES_RECEIVED("udp", "received_bytes", "Bytes of the datagrams passed to their handler."),
    UDP_HANDLERS_FAILED("udp", "handlers_failed", "Failures inside datagram handlers; each lost its datagram.");

    private final MetricText text;

    ChannelCounter(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
