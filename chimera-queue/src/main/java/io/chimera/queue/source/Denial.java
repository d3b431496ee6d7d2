package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.access.PortAccess;
import io.chimera.common.access.Verdict;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpRefusal;
import java.util.HashMap;
import java.util.Map;

/** Refuses requests of clients that may not send, in the words of each protocol. */
final class Denial {
    private Denial() {}

    /** The refusal of a request; null when the client may send it. */
    static HttpRefusal of(PortAccess access, Surface surface, HttpExchange exchange) {
        Verdict verdict = access.check(surface, exchange);
        if (verdict.isAccepted()) {
            return null;
        }
        Map<String, String> headers = new HashMap<>(Json.HEADERS);
        headers.putAll(verdict.headers());
        boolean isV2 = exchange.path().startsWith("/api/v2");
        return new HttpRefusal(verdict.status(), headers, Json.object(json -> {
            if (surface != Surface.INFLUX) {
                json.writeArrayFieldStart("errors");
                json.writeString(verdict.message());
                json.writeEndArray();
            } else if (isV2) {
                json.writeStringField("code", code(verdict.status()));
                json.writeStringField("message", verdict.message());
            } else {
                json.writeStringField("error", verdict.message());
            }
        }));
    }

    /** Codes of InfluxDB 2.x. */
    private static String code(int status) {
        return switch (status) {
            case 401 -> "unauthorized";
            case 403 -> "forbidden";
            default -> "too many requests";
        };
    }
}
