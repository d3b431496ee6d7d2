package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Receives points over the HTTP API of InfluxDB 1.x and 2.x: an agent configured for InfluxDB only needs another
 * address. A request succeeds when its points are journaled as configured. Runs on the listener's threads.
 */
public final class InfluxHttpSource implements HttpHandler {
    /** Clients of InfluxDB 1.x derive the supported features from the version. */
    static final Map<String, String> VERSION_HEADERS =
            Map.of("X-Influxdb-Version", "1.8.10", "X-Influxdb-Build", "Chimera");

    private static final Map<String, Long> V1_UNITS = Map.of(
            "n", 1L,
            "ns", 1L,
            "u", 1_000L,
            "us", 1_000L,
            "µ", 1_000L,
            "µs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", TimeUnit.MINUTES.toNanos(1),
            "h", TimeUnit.HOURS.toNanos(1));

    private static final Map<String, Long> V2_UNITS =
            Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

    private final InputContext inlet;

    /** Creates the source of an input. */
    public InfluxHttpSource(InputContext inlet) {
        this.inlet = inlet;
    }

    @Override
    public HttpRefusal admit(HttpExchange exchange) {
        return Denial.of(inlet, Surface.INFLUX, exchange);
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
        HttpRoute route = HttpRoute.of(Surface.INFLUX, exchange.path());
        if (route == null) {
            return notFound(exchange);
        }
        return switch (route) {
            case INFLUX_WRITE -> write(exchange, InfluxDialect.V1, V1_UNITS);
            case INFLUX_V2_WRITE -> write(exchange, InfluxDialect.V2, V2_UNITS);
            case INFLUX_QUERY -> query(exchange);
            case INFLUX_PING -> ping(exchange);
            case INFLUX_HEALTH -> health(exchange);
            default -> notFound(exchange);
        };
    }

    private boolean write(HttpExchange exchange, InfluxDialect dialect, Map<String, Long> units) {
        if (!exchange.method().equals("POST")) {
            return wrongMethod(exchange, "POST");
        }
        String precision = exchange.parameter("precision");
        Long unitNs = precision == null || precision.isEmpty() ? Long.valueOf(1) : units.get(precision);
        if (unitNs == null) {
            inlet.bad(exchange, "unknown precision");
            if (dialect == InfluxDialect.V1) {
                InfluxDialect.error(
                        exchange, 400, Map.of(), "invalid precision \"" + precision + "\" (use n, u, ms, s, m or h)");
            } else {
                InfluxDialect.coded(
                        exchange,
                        400,
                        Map.of(),
                        "invalid",
                        "invalid precision \"" + precision + "\" (use ns, us, ms or s)");
            }
            return true;
        }
        PointRequest request = new PointRequest(exchange, inlet, dialect, unitNs);
        exchange.attach(request);
        return request.proceed();
    }

    /**
     * Answers queries. Clients create their database at startup; Chimera has no databases, so the statement succeeds
     * without an effect.
     */
    private boolean query(HttpExchange exchange) {
        String query = exchange.parameter("q");
        if (query == null) {
            query = formParameter(exchange);
        }
        String words = query.strip().toUpperCase(Locale.ROOT);
        if (words.startsWith("CREATE ")) {
            exchange.respond(200, "application/json", "{\"results\":[{\"statement_id\":0}]}\n");
        } else if (words.startsWith("SHOW DATABASES")) {
            exchange.respond(
                    200,
                    "application/json",
                    "{\"results\":[{\"statement_id\":0,\"series\":[{\"name\":\"databases\",\"columns\":[\"name\"]}]}]}\n");
        } else {
            inlet.counters().increment(QueueCounter.SOURCE_REQUESTS_BAD);
            InfluxDialect.error(
                    exchange, 400, Map.of(), "Chimera does not answer queries; query the store of the pipeline.");
        }
        return true;
    }

    /** Returns the query of a form body, as sent by Telegraf. */
    private static String formParameter(HttpExchange exchange) {
        String form = new String(exchange.body(), 0, exchange.bodyLength(), StandardCharsets.UTF_8);
        for (String pair : form.split("&", -1)) {
            if (pair.startsWith("q=")) {
                try {
                    return URLDecoder.decode(pair.substring(2), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    return ""; // malformed form: answered like an unknown query
                }
            }
        }
        return "";
    }

    private static boolean ping(HttpExchange exchange) {
        exchange.respond(204, VERSION_HEADERS, new byte[0]);
        return true;
    }

    private static boolean health(HttpExchange exchange) {
        JsonAnswer.respond(exchange, 200, VERSION_HEADERS, json -> {
            json.writeStringField("name", "chimera");
            json.writeStringField("message", "ready for writes");
            json.writeStringField("status", "pass");
        });
        return true;
    }

    private boolean wrongMethod(HttpExchange exchange, String allowed) {
        inlet.bad(exchange, "wrong HTTP method");
        InfluxDialect.error(
                exchange, 405, Map.of("Allow", allowed), exchange.path() + " accepts " + allowed + " only.");
        return true;
    }

    private boolean notFound(HttpExchange exchange) {
        inlet.bad(exchange, "unknown path");
        InfluxDialect.error(
                exchange,
                404,
                Map.of(),
                "Not found. This input accepts InfluxDB line protocol at POST /write (1.x) and POST /api/v2/write"
                        + " (2.x); it also answers /ping, /health and /query for CREATE DATABASE.");
        return true;
    }
}
