package io.chimera.node.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.chimera.node.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

/** Replaces a KairosDB: accepts rows, keeps the last value by metric, tags and time, and counts the writes. */
public final class RowCatcher implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Double> rows = new ConcurrentSkipListMap<>();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger accepts = new AtomicInteger(Integer.MAX_VALUE);

    /** Listens on a free port of the loopback address. */
    public RowCatcher() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
    }

    /** Returns the URL of the server. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the rows by {@code metric {tags} time}. */
    public SortedMap<String, Double> rows() {
        NavigableMap<String, Double> copy = new TreeMap<>();
        // the copy constructor reads the size first, and drops the last row after a concurrent insert
        rows.forEach(copy::put);
        return copy;
    }

    /** Returns the number of row writes, including overwrites. */
    public int writes() {
        return writes.get();
    }

    /** Returns the number of overwrites with another value. */
    public int changes() {
        return changes.get();
    }

    /** Accepts a number of further requests with rows, and answers later ones with 503. */
    public void acceptOnly(int requests) {
        accepts.set(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        boolean isWrite = exchange.getRequestMethod().equals("POST");
        boolean isPacked = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Encoding"))
                        .contains("gzip")
                || String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"))
                        .contains("gzip");
        boolean isRefused = isWrite && accepts.getAndUpdate(left -> Math.max(0, left - 1)) == 0;
        try (InputStream body = isPacked ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            if (isWrite && !isRefused) {
                take(Json.read("a node", new String(body.readAllBytes(), StandardCharsets.UTF_8)));
            }
        }
        if (isWrite) {
            exchange.sendResponseHeaders(isRefused ? 503 : 204, -1);
        } else {
            byte[] version = "{\"version\":\"KairosDB 1.3.0\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, version.length);
            exchange.getResponseBody().write(version);
        }
        exchange.close();
    }

    private void take(JsonNode metrics) {
        for (JsonNode metric : metrics) {
            String series = metric.path("name").asText() + " " + metric.path("tags");
            if (metric.has("timestamp")) {
                put(
                        series,
                        metric.path("timestamp").asLong(),
                        metric.path("value").asDouble());
            }
            for (JsonNode point : metric.path("datapoints")) {
                put(series, point.path(0).asLong(), point.path(1).asDouble());
            }
        }
    }

    private void put(String series, long timeMs, double value) {
        Double before = rows.put(series + " " + timeMs, value);
        if (before != null && before != value) {
            changes.incrementAndGet();
        }
        writes.incrementAndGet();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
