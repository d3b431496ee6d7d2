package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * Receives points over OpenTSDB's HTTP API. A request succeeds when its points are journaled as configured, so the
 * parameter {@code sync} has no effect. Runs on the listener's threads.
 */
public final class OpenTsdbHttpSource implements HttpHandler {
    private static final String AGGREGATORS = "[\"avg\",\"count\",\"dev\",\"max\",\"min\",\"sum\"]\n";
    private static final String JSON = "application/json; charset=utf-8";

    private final InputContext inlet;

    /** Creates the source of an input. */
    public OpenTsdbHttpSource(InputContext inlet) {
        this.inlet = inlet;
    }

    @Override
    public HttpRefusal admit(HttpExchange exchange) {
        return Denial.of(inlet, Surface.OPENTSDB, exchange);
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
        HttpRoute route = HttpRoute.of(Surface.OPENTSDB, exchange.path());
        if (route == null) {
            return notFound(exchange);
        }
        return switch (route) {
            case OPENTSDB_PUT -> put(exchange);
            case OPENTSDB_VERSION -> {
                JsonAnswer.respond(exchange, 200, Map.of(), json -> {
                    json.writeStringField("short_revision", "");
                    json.writeStringField("repo_status", "Chimera");
                    json.writeStringField("version", "2.4.0");
                });
                yield true;
            }
            case OPENTSDB_AGGREGATORS -> {
                exchange.respond(200, JSON, AGGREGATORS);
                yield true;
            }
            case OPENTSDB_FILTERS -> {
                exchange.respond(200, JSON, "{}\n");
                yield true;
            }
            default -> notFound(exchange);
        };
    }

    private boolean put(HttpExchange exchange) {
        if (!exchange.method().equals("POST")) {
            inlet.bad(exchange, "wrong HTTP method");
            OpenTsdbDialect.error(
                    exchange,
                    405,
                    Map.of("Allow", "POST"),
                    "Method not allowed",
                    HttpRoute.OPENTSDB_PUT.path() + " accepts POST only.");
            return true;
        }
        if (exchange.bodyLength() == 0) {
            inlet.bad(exchange, "empty body");
            OpenTsdbDialect.error(exchange, 400, Map.of(), "Missing request content", "");
            return true;
        }
        PointRequest request = new PointRequest(exchange, inlet, OpenTsdbDialect.of(exchange), 1);
        exchange.attach(request);
        return request.proceed();
    }

    private boolean notFound(HttpExchange exchange) {
        inlet.bad(exchange, "unknown path");
        OpenTsdbDialect.error(
                exchange,
                404,
                Map.of(),
                "Endpoint not found",
                "This input accepts data points at POST /api/put; queries go to the store of the pipeline.");
        return true;
    }
}
