package io.chimera.node.http;

import io.chimera.common.access.AccessControl;
import io.chimera.common.access.AuditLog;
import io.chimera.common.access.HttpRoute;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.access.PortAccess;
import io.chimera.common.access.Verdict;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.Listeners;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.PrometheusText;
import io.chimera.node.Json;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP port of a process: health, metrics, status and taps of its nodes, and the nodes' own pages. The listener's
 * thread answers liveness. A separate thread answers all other requests, so that a slow disk read by a tap blocks no
 * connection.
 */
public final class NodeHttp implements HttpHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeHttp.class);

    /** Limits for requests with almost empty bodies: 1 MiB in total, 64 clients, one minute. */
    static final Listeners.Limits LIMITS = new Listeners.Limits(16 << 10, 10, 1 << 20, 64, 60_000);

    private static final int TAP_LIMIT_DEFAULT = 10;
    private static final int TAP_LIMIT_MAX = 1_000;

    /** Maximum number of waiting requests; further requests are answered with 503. */
    private static final int WAITING_MAX = 64;

    private static final List<String> PATHS = List.of(
            "/health/live",
            "/health/ready",
            "/metrics",
            "/status",
            "/tap?stage=<stage>&limit=<lines>",
            "/cycles?from=<cycle>&to=<cycle>&group=<journal group>",
            "/-/drain (POST)",
            "/-/reload (POST)");
    private static final String COMMANDS = "/-/";
    private static final String JSON = "application/json";
    private static final Map<String, String> RETRY = Map.of("Content-Type", JSON, "Retry-After", "1");

    private final List<NodeFace> faces = new CopyOnWriteArrayList<>();
    private final Map<String, NodeCommand> commands = new ConcurrentHashMap<>();
    private final Map<String, HttpHandler> pages = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor worker =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), task -> {
                Thread thread = new Thread(task, "node-http");
                thread.setDaemon(true);
                return thread;
            });

    private volatile Supplier<List<String>> warnings = List::of;

    private final PortAccess access;

    /** Creates a port without authentication; {@link #listen} opens the port. */
    public NodeHttp() {
        this(AccessControl.open(new SystemClock()));
    }

    /**
     * Creates a port; {@link #listen} opens the port.
     *
     * @param control access rules for requests and commands
     */
    public NodeHttp(AccessControl control) {
        access = new PortAccess(control, "", List.of());
    }

    /**
     * Starts to listen. Until the first {@link #show}, the process is alive but not ready.
     *
     * @return the bound address
     */
    public Endpoint listen(Listeners listeners, Endpoint local) {
        return listen(listeners, local, LIMITS);
    }

    /** Starts to listen with other limits, for pages with larger request bodies. */
    public Endpoint listen(Listeners listeners, Endpoint local, Listeners.Limits limits) {
        return listeners.http(local, this, limits);
    }

    /** Adds a command for the whole process. */
    public void take(String name, NodeCommand command) {
        requireRoute(COMMANDS + name);
        commands.put(name, command);
    }

    /** Refuses a path without an access role: such a path is never answered. */
    private static void requireRoute(String path) {
        if (HttpRoute.of(Surface.NODE, path) == null) {
            throw new IllegalStateException("The path " + path + " has no role; add it to HttpRoute.");
        }
    }

    /** Adds a handler for POST requests to a path. */
    public void serve(String path, HttpHandler page) {
        requireRoute(path);
        pages.put(path, page);
    }

    /** Adds warnings about the process to every node, one sentence each. */
    public void warn(Supplier<List<String>> process) {
        warnings = process;
    }

    /** Adds a node. */
    public void show(NodeFace face) {
        face.commands().keySet().forEach(name -> requireRoute(COMMANDS + name));
        faces.add(face);
    }

    /** Removes a node. */
    public void hide(NodeFace face) {
        faces.remove(face);
    }

    @Override
    public HttpRefusal admit(HttpExchange exchange) {
        Verdict verdict = access.check(Surface.NODE, exchange);
        if (!verdict.isAccepted()) {
            Map<String, String> headers = new HashMap<>(verdict.headers());
            headers.put("Content-Type", JSON);
            return new HttpRefusal(verdict.status(), headers, bytes(Map.of("error", verdict.message())));
        }
        boolean isCommand = exchange.path().startsWith(COMMANDS);
        boolean isOfPage = PortAccess.isOfPage(exchange);
        if (isCommand
                && (isOfPage || (!access.isRestricted() && !isFromHere(exchange) && !access.isOfNode(exchange)))) {
            String why = isOfPage
                    ? "Commands are not accepted from web pages."
                    : "Commands are accepted from this machine only, because no authentication is configured. Run the"
                            + " command on the node's own machine, or set node.tokens.";
            access.control()
                    .refused(
                            exchange.principal(),
                            exchange.client().getAddress(),
                            exchange.path(),
                            "",
                            isOfPage ? "refused: from a web page" : "refused: not from this machine");
            return new HttpRefusal(403, Map.of("Content-Type", JSON), bytes(Map.of("error", why)));
        }
        return null;
    }

    private void audit(HttpExchange exchange, String result) {
        InetAddress address = exchange.client().getAddress();
        String node = exchange.parameter("node");
        access.control()
                .record(new AuditLog.Entry(
                        exchange.principal(),
                        address == null ? "" : address.getHostAddress(),
                        exchange.path(),
                        node == null ? "" : node,
                        "true".equals(exchange.parameter("dry")),
                        result));
    }

    @Override
    public boolean handle(HttpExchange exchange) {
        HttpHandler page = pages.get(exchange.path());
        if (page != null && exchange.method().equals("POST")) {
            return page.handle(exchange);
        }
        boolean isCommand = page != null || exchange.path().startsWith(COMMANDS);
        boolean isLook = exchange.method().equals("GET") || exchange.method().equals("HEAD");
        if (isCommand ? !exchange.method().equals("POST") : !isLook) {
            fail(exchange, 405, "Only " + (isCommand ? "POST" : "GET") + " is answered here.");
            return true;
        }
        if (exchange.path().equals("/health/live")) {
            exchange.respond(200, JSON, "{\"live\":true}\n");
            return true;
        }
        try {
            worker.execute(() -> answer(exchange));
        } catch (RejectedExecutionException e) {
            exchange.respond(503, RETRY, bytes(Map.of("error", "Too many queued requests; retry later.")));
        }
        return true;
    }

    /** Whether the request comes from this machine. */
    private static boolean isFromHere(HttpExchange exchange) {
        InetAddress address = exchange.client().getAddress();
        return address != null && address.isLoopbackAddress();
    }

    private void answer(HttpExchange exchange) {
        try {
            switch (exchange.path()) {
                case "/health/ready" -> ready(exchange);
                case "/metrics" ->
                    exchange.respond(
                            200,
                            Map.of("Content-Type", PrometheusText.CONTENT_TYPE),
                            new PrometheusText(faces.stream()
                                            .map(NodeFace::metrics)
                                            .toList())
                                    .bytes());
                case "/status" -> exchange.respond(200, JSON, Json.pretty(Map.of("nodes", statuses())) + "\n");
                case "/tap" -> tap(exchange);
                case "/cycles" -> cycles(exchange);
                default -> command(exchange);
            }
        } catch (ChimeraException e) {
            LOG.info("Refused a request: path={} reason={}", exchange.path(), e.getMessage());
            fail(exchange, 409, e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("Request failed: path={} cause={}", exchange.path(), e.toString());
            fail(exchange, 500, "Internal error; see the node's log.");
        }
    }

    private void command(HttpExchange exchange) {
        Map<String, NodeCommand> all = new TreeMap<>(commands);
        faces.forEach(face -> all.putAll(face.commands()));
        NodeCommand command =
                exchange.path().startsWith(COMMANDS) ? all.get(exchange.path().substring(COMMANDS.length())) : null;
        if (command == null) {
            fail(exchange, 404, "There is no " + exchange.path() + " here.");
            return;
        }
        String done;
        try {
            done = command.run(exchange::parameter);
        } catch (RuntimeException e) {
            audit(exchange, e instanceof ChimeraException ? "refused: " + e.getMessage() : "failed");
            throw e;
        }
        audit(exchange, "ok");
        exchange.respond(200, JSON, Json.line(Map.of("done", done)) + "\n");
    }

    private void ready(HttpExchange exchange) {
        List<Map<String, Object>> nodes = faces.stream().map(this::readiness).toList();
        boolean ready = !nodes.isEmpty()
                && nodes.stream().allMatch(node -> node.get("ready").equals(true));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("ready", ready);
        answer.put("nodes", nodes);
        if (nodes.isEmpty()) {
            answer.put("reasons", List.of("The node is starting or stopping."));
        }
        exchange.respond(ready ? 200 : 503, ready ? Map.of("Content-Type", JSON) : RETRY, bytes(answer));
    }

    private Map<String, Object> readiness(NodeFace face) {
        List<String> reasons = face.notReady();
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("role", face.role());
        node.put("id", face.id());
        node.put("ready", reasons.isEmpty());
        node.put("reasons", reasons);
        List<String> all = new ArrayList<>(face.warnings());
        all.addAll(warnings.get());
        node.put("warnings", all);
        return node;
    }

    private List<Map<String, Object>> statuses() {
        return faces.stream()
                .map(face -> {
                    Map<String, Object> node = readiness(face);
                    node.put("status", face.status());
                    return node;
                })
                .toList();
    }

    private void tap(HttpExchange exchange) {
        Map<String, Tap> taps = new TreeMap<>();
        faces.forEach(face -> taps.putAll(face.taps()));
        String stage = exchange.parameter("stage");
        Tap tap = stage == null ? null : taps.get(stage);
        if (tap == null) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("error", stage == null ? "Missing parameter stage." : "There is no tap at stage " + stage + ".");
            answer.put("stages", taps.keySet());
            exchange.respond(404, JSON, Json.line(answer) + "\n");
            return;
        }
        List<String> lines = tap.sample(limit(exchange.parameter("limit")));
        exchange.respond(200, "text/plain; charset=utf-8", lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
    }

    private void cycles(HttpExchange exchange) {
        long from = number(exchange.parameter("from"), 0);
        long to = number(exchange.parameter("to"), Long.MAX_VALUE);
        PastCycles past = faces.stream()
                .map(NodeFace::pastCycles)
                .filter(cycles -> cycles != PastCycles.NONE)
                .findFirst()
                .orElse(PastCycles.NONE);
        try {
            Optional<JournalGroup> group =
                    Optional.ofNullable(exchange.parameter("group")).map(JournalGroup::new);
            exchange.respond(200, JSON, Json.line(past.page(from, to, group)) + "\n");
        } catch (IllegalArgumentException e) {
            fail(exchange, 400, e.getMessage());
        }
    }

    private static long number(String text, long otherwise) {
        return text == null || !text.matches("\\d{1,18}") ? otherwise : Long.parseLong(text);
    }

    private static int limit(String text) {
        if (text == null || !text.matches("\\d{1,9}")) {
            return TAP_LIMIT_DEFAULT;
        }
        return Math.max(1, Math.min(TAP_LIMIT_MAX, Integer.parseInt(text)));
    }

    private static void fail(HttpExchange exchange, int status, String error) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("error", error);
        answer.put("paths", PATHS);
        exchange.respond(status, Map.of("Content-Type", JSON), bytes(answer));
    }

    private static byte[] bytes(Object answer) {
        return (Json.line(answer) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Stops answering. The creator of the listeners closes them. */
    @Override
    public void close() {
        faces.clear();
        worker.shutdownNow();
    }
}
