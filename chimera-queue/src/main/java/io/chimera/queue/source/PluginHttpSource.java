package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.source.reject.RejectList;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/**
 * Receives points over HTTP in a plugin's protocol: the plugin's parser reads every POST body, regardless of the path.
 * A request succeeds when its points are journaled as configured. Runs on the listener's threads.
 */
public final class PluginHttpSource implements HttpHandler {
    private static final HttpDialect DIALECT = new HttpDialect() {
        @Override
        public void accepted(HttpExchange exchange, Written written) {
            exchange.respond(204, Map.of(), new byte[0]);
        }

        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
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

    private final InputContext inlet;

    /** Creates the source of an input. */
    public PluginHttpSource(InputContext inlet) {
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
            errors(exchange, 405, Map.of("Allow", "POST"), List.of("This input accepts POST only."));
            return true;
        }
        PointRequest request = new PointRequest(exchange, inlet, DIALECT, 1);
        exchange.attach(request);
        return request.proceed();
    }

    private static void errors(HttpExchange exchange, int status, Map<String, String> headers, List<String> errors) {
        JsonAnswer.respond(exchange, status, headers, json -> {
            json.writeArrayFieldStart("errors");
            for (String error : errors) {
                json.writeString(error);
            }
            json.writeEndArray();
        });
    }
}
