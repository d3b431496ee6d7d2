package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.access.Verdict;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.WireProtocol;
import java.util.HashMap;
import java.util.Map;

/**
 * Rejects requests from unauthorised clients or in another protocol, with an answer in the format of the input's
 * protocol.
 */
final class Denial {
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;
    private static final int MISDIRECTED = 421;

    private Denial() {}

    /** Returns the refusal of a request; null when the client is allowed to send. */
    static HttpRefusal of(InputContext inlet, Surface surface, HttpExchange exchange) {
        Verdict verdict = inlet.access().check(surface, exchange);
        if (!verdict.isAccepted()) {
            return of(inlet, surface, exchange, verdict.status(), verdict.headers(), verdict.message());
        }
        if (inlet.protocol() == null) {
            return null;
        }
        return WireProtocol.of(exchange)
                .map(protocol -> of(inlet, surface, exchange, UNSUPPORTED_MEDIA_TYPE, Map.of(), protocol.refusal()))
                .orElse(null);
    }

    private static HttpRefusal of(
            InputContext inlet,
            Surface surface,
            HttpExchange exchange,
            int status,
            Map<String, String> more,
            String message) {
        inlet.refused(status, message, exchange.method() + " " + exchange.path(), exchange.client());
        Map<String, String> headers = new HashMap<>(JsonAnswer.HEADERS);
        headers.putAll(more);
        boolean isV2 = exchange.path().startsWith("/api/v2");
        return new HttpRefusal(status, headers, JsonAnswer.object(json -> {
            if (surface == Surface.OPENTSDB) {
                OpenTsdbDialect.error(json, status, message, "");
            } else if (surface != Surface.INFLUX) {
                json.writeArrayFieldStart("errors");
                json.writeString(message);
                json.writeEndArray();
            } else if (isV2) {
                json.writeStringField("code", code(status));
                json.writeStringField("message", message);
            } else {
                json.writeStringField("error", message);
            }
        }));
    }

    /** Error codes of InfluxDB 2.x. */
    private static String code(int status) {
        return switch (status) {
            case 401 -> "unauthorized";
            case 403 -> "forbidden";
            case UNSUPPORTED_MEDIA_TYPE, MISDIRECTED -> "invalid";
            default -> "too many requests";
        };
    }
}
