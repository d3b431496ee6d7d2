package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.source.reject.RejectList;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Receives points over KairosDB's HTTP API. A request succeeds when its points are journaled as configured, a stronger
 * guarantee than KairosDB's. Runs on the listener's threads.
 */
public final class KairosHttpSource implements HttpHandler {
    private static final long UNIT_NS = 1_000_000; // the API only has milliseconds

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
                    withRest(rejects, rejects.kept().stream().map(RejectList.Reject::reason)));
        }

        @Override
        public void refused(HttpExchange exchange, int status, int retrySeconds, String reason) {
            errors(exchange, status, HttpDialect.retryAfter(retrySeconds), List.of(reason));
        }
    };

    private final InputContext inlet;

    /** Creates the source of an input. */
    public KairosHttpSource(InputContext inlet) {
        this.inlet = inlet;
    }

    @Override
    public HttpRefusal admit(HttpExchange exchange) {
        return Denial.of(inlet, Surface.KAIROSDB, exchange);
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
        HttpRoute route = HttpRoute.of(Surface.KAIROSDB, exchange.path());
        if (route == null) {
            return notFound(exchange);
        }
        return switch (route) {
            case KAIROSDB_DATAPOINTS -> datapoints(exchange);
            case KAIROSDB_VERSION -> {
                JsonAnswer.respond(
                        exchange, 200, Map.of(), json -> json.writeStringField("version", "KairosDB 1.3.0 (Chimera)"));
                yield true;
            }
            case KAIROSDB_HEALTH_CHECK -> {
                exchange.respond(204, Map.of(), new byte[0]);
                yield true;
            }
            case KAIROSDB_HEALTH_STATUS -> {
                exchange.respond(200, "application/json", "[\"Journal: OK\"]\n");
                yield true;
            }
            default -> notFound(exchange);
        };
    }

    private boolean datapoints(HttpExchange exchange) {
        if (!exchange.method().equals("POST")) {
            inlet.bad(exchange, "wrong HTTP method");
            errors(exchange, 405, Map.of("Allow", "POST"), List.of("/api/v1/datapoints accepts POST only."));
            return true;
        }
        if (exchange.bodyLength() == 0) {
            inlet.bad(exchange, "empty body");
            errors(exchange, 400, Map.of(), List.of("Invalid json. No content due to end of input."));
            return true;
        }
        PointRequest request = new PointRequest(exchange, inlet, DIALECT, UNIT_NS);
        exchange.attach(request);
        return request.proceed();
    }

    private boolean notFound(HttpExchange exchange) {
        inlet.bad(exchange, "unknown path");
        errors(
                exchange,
                404,
                Map.of(),
                List.of("Not found. This input accepts data points at POST /api/v1/datapoints; queries go to the store"
                        + " of the pipeline."));
        return true;
    }

    /** Combines the reasons, the number of omitted reasons, and a hint about a foreign protocol. */
    private static List<String> withRest(RejectList rejects, Stream<String> reasons) {
        long more = rejects.count() - rejects.kept().size();
        Stream<String> rest = Stream.of(more == 0 ? "" : "And " + more + " more data points rejected.", rejects.hint())
                .filter(text -> !text.isEmpty());
        return Stream.concat(reasons, rest).toList();
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
