package io.chimera.queue.source;

import io.chimera.common.access.HttpRoute;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.channel.BodyEncoding;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * Receives series over Prometheus remote write, versions 1.0 and 2.0 at the same paths; the content type decides. A
 * request succeeds when its points are journaled as configured. Runs on the listener's threads.
 */
public final class RemoteWriteSource implements HttpHandler {
    private static final long UNIT_NS = 1_000_000; // both versions have milliseconds
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;
    private static final String TYPES = "Content-Type must be application/x-protobuf, for remote write 2.0 with"
            + " proto=io.prometheus.write.v2.Request.";

    private final InputContext first;
    private final InputContext second;

    /**
     * Creates the source of an input.
     *
     * @param first requests of version 1.0
     * @param second requests of version 2.0
     */
    public RemoteWriteSource(InputContext first, InputContext second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public BodyEncoding encoding() {
        return BodyEncoding.SNAPPY;
    }

    @Override
    public HttpRefusal admit(HttpExchange exchange) {
        HttpRefusal denied = Denial.of(first, Surface.REMOTE_WRITE, exchange);
        if (denied != null || !exchange.method().equals("POST") || version(exchange) != null) {
            return denied;
        }
        first.refused(
                UNSUPPORTED_MEDIA_TYPE,
                "unsupported content type",
                exchange.method() + " " + exchange.path(),
                exchange.client());
        return new HttpRefusal(
                UNSUPPORTED_MEDIA_TYPE, RemoteWriteDialect.headers(Map.of()), RemoteWriteDialect.bytes(TYPES));
    }

    private static RemoteWriteVersion version(HttpExchange exchange) {
        return RemoteWriteVersion.of(exchange.header("Content-Type"));
    }

    @Override
    public void onRefused(int status, String reason, String target, InetSocketAddress client) {
        first.refused(status, reason, target, client);
    }

    @Override
    public boolean handle(HttpExchange exchange) {
        if (exchange.attachment() instanceof PointRequest request) {
            return request.proceed();
        }
        first.counters().increment(QueueCounter.SOURCE_REQUESTS);
        if (HttpRoute.of(Surface.REMOTE_WRITE, exchange.path()) == null) {
            first.bad(exchange, "unknown path");
            RemoteWriteDialect.respond(
                    exchange,
                    404,
                    Map.of(),
                    "Not found. This input accepts Prometheus remote write at POST /api/v1/write.");
            return true;
        }
        if (!exchange.method().equals("POST")) {
            first.bad(exchange, "wrong HTTP method");
            RemoteWriteDialect.respond(exchange, 405, Map.of("Allow", "POST"), exchange.path() + " accepts POST only.");
            return true;
        }
        boolean isSecond = version(exchange) == RemoteWriteVersion.V2;
        PointRequest request = new PointRequest(
                exchange, isSecond ? second : first, isSecond ? RemoteWriteDialect.V2 : RemoteWriteDialect.V1, UNIT_NS);
        exchange.attach(request);
        return request.proceed();
    }
}
