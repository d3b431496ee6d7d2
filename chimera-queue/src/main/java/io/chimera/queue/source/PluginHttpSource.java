package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/**
 * Takes points over HTTP in the protocol of a plugin: what is POSTed, at whatever path, goes to its parser. Success is answered when
 * the points are journaled as configured. Runs on the listener's threads.
 */
public final class PluginHttpSource implements HttpHandler {
    private static final HttpDialect DIALECT = new HttpDialect() {
        @Override
        public void accepted(HttpExchange exchange) {
            exchange.respond(204, Map.of(), new byte[0]);
        }

        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, long taken) {
            errors(
                    exchange,
                    400,
                    Map.of(),
                    rejects.kept().stream()
                            .map(reject -> "line " + reject.line() + ": " + reject.reason())
                            .toList());
        }

        @Override
        public void refused(HttpExchange exchange, int status, int retrySeconds, String reason) {
            errors(exchange, status, HttpDialect.retryAfter(retrySeconds), List.of(reason));
        }
    };

    private final Inlet inlet;

    /** A source of one input. */
    public PluginHttpSource(Inlet inlet) {
        this.inlet = inlet;
    }

    @Override
    public HttpRefusal admit(HttpExchange exchange) {
        return Denial.of(inlet, Surface.PLUGIN, exchange);
    }

    @Override
    public void onRefused(int status, String reason, String target, InetSocketAddress client) {
        inlet.refused(status, reason, target, client);
    }

    @Override
    public boolean handle(HttpExchange exchange) {
        if (exchange.attachment() instanceof PointRequest request) {
            return request.proceed();
        }
        inlet.counters().increment(QueueCounter.SOURCE_REQUESTS);
        if (!exchange.method().equals("POST")) {
            inlet.bad(exchange, "wrong HTTP method");
            errors(exchange, 405, Map.of("Allow", "POST"), List.of("This input takes POST only."));
            return true;
        }
        PointRequest request = new PointRequest(exchange, inlet, DIALECT, 1);
        exchange.attach(request);
        return request.proceed();
    }

    private static void errors(HttpExchange exchange, int status, Map<String, String> headers, List<String> errors) {
        Json.respond(exchange, status, headers, json -> {
            json.writeArrayFieldStart("errors");
            for (String error : errors) {
                json.writeString(error);
            }
            json.writeEndArray();
        });
    }
}
