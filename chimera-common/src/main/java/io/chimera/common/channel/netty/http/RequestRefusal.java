package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.BodyEncoding;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.metrics.ChannelCounter;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Refusal of a request before its handler.
 *
 * @param status status of the answer
 * @param message one or two sentences with the remedy
 * @param counter counter in addition to the counter of the status, null for none
 */
record RequestRefusal(int status, String message, ChannelCounter counter) {
    static RequestRefusal bodyTooLong(long bytesMax) {
        return tooLarge("The body has more than " + bytesMax + " bytes. Send smaller batches.");
    }

    static RequestRefusal unpacksTooLong(long bytesMax) {
        return tooLarge("The decompressed body has more than " + bytesMax + " bytes. Send smaller batches.");
    }

    static RequestRefusal ratioTooHigh(int ratioMax) {
        return tooLarge("The body decompresses to more than " + ratioMax + " times its size. Send it uncompressed.");
    }

    static RequestRefusal noRoom() {
        return new RequestRefusal(
                503,
                "Too many requests are in flight. Retry this request in a second.",
                ChannelCounter.HTTP_BODIES_NO_ROOM);
    }

    static RequestRefusal tooManyConnections(int connectionsMax) {
        return new RequestRefusal(
                503,
                "More than " + connectionsMax + " connections are open. Use fewer, and keep them alive.",
                ChannelCounter.HTTP_CONNECTIONS_REFUSED);
    }

    static RequestRefusal tooManyConnectionsOfClient(int connectionsMax) {
        return new RequestRefusal(
                429,
                "This client has more than " + connectionsMax
                        + " connections open, its share of the input. Use fewer, and keep them alive.",
                ChannelCounter.HTTP_CLIENT_CONNECTIONS_REFUSED);
    }

    static RequestRefusal tooManyBytesOfClient(long bytesMax) {
        return new RequestRefusal(
                429,
                "The requests of this client use more than " + bytesMax
                        + " bytes, its share of the input. Send smaller batches, or fewer at one time.",
                ChannelCounter.HTTP_CLIENT_BODIES_REFUSED);
    }

    static RequestRefusal slowHeaders(long headersMs) {
        return new RequestRefusal(
                408, "The headers did not arrive within " + headersMs + " ms.", ChannelCounter.HTTP_REQUESTS_SLOW);
    }

    static RequestRefusal slowBody(int bytesPerSecond) {
        return new RequestRefusal(
                408,
                "The body arrives at less than " + bytesPerSecond + " bytes a second. Send smaller batches.",
                ChannelCounter.HTTP_REQUESTS_SLOW);
    }

    static RequestRefusal evicted() {
        return new RequestRefusal(
                408,
                "The request was too slow, and other clients needed its memory or connection. Retry it.",
                ChannelCounter.HTTP_REQUESTS_EVICTED);
    }

    static RequestRefusal stopping() {
        return new RequestRefusal(
                503, "The node is stopping. Send this request to another node, or retry later.", null);
    }

    static RequestRefusal encoding(String encoding, BodyEncoding accepted) {
        return new RequestRefusal(
                415,
                "Content-Encoding '" + encoding + "' is not supported; use " + accepted.names() + ".",
                ChannelCounter.HTTP_REQUESTS_MALFORMED);
    }

    static RequestRefusal corrupt(String format, String detail) {
        return malformed("The body is not valid " + format + ": " + detail + ".");
    }

    static RequestRefusal malformed(String message) {
        return new RequestRefusal(400, message, ChannelCounter.HTTP_REQUESTS_MALFORMED);
    }

    static RequestRefusal version(String version) {
        return new RequestRefusal(
                505, "This port supports HTTP/1.1, not " + version + ".", ChannelCounter.HTTP_REQUESTS_MALFORMED);
    }

    static RequestRefusal expectation() {
        return new RequestRefusal(
                417, "The only supported expectation is 100-continue.", ChannelCounter.HTTP_REQUESTS_MALFORMED);
    }

    /** Refusal of a request that the HTTP decoder cannot decode. */
    static RequestRefusal undecodable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new RequestRefusal(
                    414,
                    "The first line of the request has more than " + HttpPort.LINE_LENGTH_MAX + " bytes.",
                    ChannelCounter.HTTP_REQUESTS_MALFORMED);
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new RequestRefusal(
                    431,
                    "The headers of the request have more than " + HttpPort.HEADERS_LENGTH_MAX + " bytes.",
                    ChannelCounter.HTTP_REQUESTS_MALFORMED);
        }
        return malformed("This is not a valid HTTP request.");
    }

    private static RequestRefusal tooLarge(String message) {
        return new RequestRefusal(413, message, ChannelCounter.HTTP_BODIES_TOO_LARGE);
    }

    /** Answer of the request. */
    HttpRefusal answer() {
        Map<String, String> headers = status == 503 || status == 429
                ? Map.of("Content-Type", "application/json", "Retry-After", "1")
                : Map.of("Content-Type", "application/json");
        return new HttpRefusal(status, headers, json());
    }

    /** Body of the answer: a JSON object with the message. */
    private byte[] json() {
        StringBuilder json = new StringBuilder("{\"error\":\"");
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else {
                json.append(c < ' ' ? ' ' : c);
            }
        }
        return json.append("\"}\n").toString().getBytes(StandardCharsets.UTF_8);
    }
}
