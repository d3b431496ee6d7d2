package io.chimera.apps.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.apps.archive.ClientToken;
import io.chimera.apps.node.Json;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.security.HandshakeFailure;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** Asks the HTTP ports of nodes. */
public final class NodeClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String TLS_ONLY = WireProtocol.refusalWithoutTls(WireProtocol.HTTP);

    private final Duration timeout;
    private final String scheme;
    private final String token;
    private final HttpClient client;

    /** A client that waits some seconds for an answer, and shows the token of the environment. */
    public NodeClient() {
        this(TIMEOUT);
    }

    /**
     * A client.
     *
     * @param timeout longest wait for a connection, and for an answer
     */
    public NodeClient(Duration timeout) {
        this(timeout, Optional.empty(), "", ClientToken.ofEnvironment());
    }

    /** A client that speaks to nodes as their configuration says. */
    public static NodeClient of(ChimeraConfig config) {
        return of(config, TIMEOUT);
    }

    /** A client that speaks to nodes as their configuration says, with another wait. */
    public static NodeClient of(ChimeraConfig config, Duration timeout) {
        Optional<Tls> tls = Optional.ofNullable(config.node().tls())
                .map(files -> Tls.open("node.tls", files, true, new SystemClock()));
        String given = ClientToken.ofEnvironment();
        String own = config.node().token() == null ? "" : config.node().token();
        return new NodeClient(timeout, tls, config.coordinator().cluster(), given.isEmpty() ? own : given);
    }

    private NodeClient(Duration timeout, Optional<Tls> tls, String cluster, String token) {
        this.timeout = timeout;
        this.token = token;
        scheme = tls.isPresent() ? "https://" : "http://";
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
        tls.ifPresent(
                files -> builder.sslContext(files.clusterContext(cluster)).sslParameters(files.clientParameters()));
        client = builder.build();
    }

    /** Address of a page of a node. */
    public String url(String address, String page) {
        return scheme + address + page;
    }

    /**
     * Status of the node of a role.
     *
     * @param address host:port of its HTTP port
     * @param role the role that is wanted
     * @return what it says of itself
     * @throws ChimeraException when nobody answers there, or none of the role
     */
    public JsonNode status(String address, String role) throws InterruptedException {
        String url = url(address, "/status");
        for (JsonNode node : Json.read(url, get(url)).path("nodes")) {
            if (node.path("role").asText().equals(role)) {
                return node.path("status");
            }
        }
        throw new ChimeraException(
                Category.ERROR, "The node at " + address + " is no " + role + "; name one with --http host:port.");
    }

    /** Sum over all components of each metric of a node, by the metric's name. */
    public Map<String, Double> metrics(String address) throws InterruptedException {
        return get(url(address, "/metrics"))
                .lines()
                .filter(line -> !line.startsWith("#") && line.indexOf(' ') > 0)
                .collect(Collectors.toMap(
                        NodeClient::nameOf,
                        line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)),
                        Double::sum));
    }

    private static String nameOf(String line) {
        int brace = line.indexOf('{');
        return line.substring(0, brace < 0 ? line.indexOf(' ') : brace);
    }

    /** Whether a node says it is ready. */
    public boolean isReady(String address) throws InterruptedException {
        try {
            return ask(url(address, "/health/ready")).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Why a node says it is not ready, in one line; empty when it is, or does not answer. */
    public String reasons(String address) throws InterruptedException {
        String url = url(address, "/health/ready");
        try {
            List<String> reasons = new ArrayList<>();
            for (JsonNode node : Json.read(url, ask(url).body()).path("nodes")) {
                node.path("reasons").forEach(reason -> reasons.add(reason.asText()));
            }
            return String.join("; ", reasons);
        } catch (IOException e) {
            return "";
        }
    }

    /** Text of a page of a node; whatever is not 200 is an error that says what the node says. */
    public String get(String url) throws InterruptedException {
        try {
            HttpResponse<String> answer = overTls(url, ask(url));
            if (answer.statusCode() == 200) {
                return answer.body();
            }
            throw new ChimeraException(
                    Category.ERROR,
                    url + " answered " + answer.statusCode() + ": "
                            + answer.body().strip());
        } catch (IOException e) {
            throw nobody(url, e);
        }
    }

    /**
     * Tells a node something.
     *
     * @param address host:port of its HTTP port
     * @param command name and query, e.g. {@code drain?remove=true}
     * @return what it says it does
     * @throws ChimeraException when nobody answers, or it refuses: says why
     */
    public String tell(String address, String command) throws InterruptedException {
        String url = url(address, "/-/" + command);
        try {
            HttpResponse<String> answer = overTls(url, ask(request(url).POST(HttpRequest.BodyPublishers.noBody())));
            JsonNode said = Json.read(url, answer.body());
            if (answer.statusCode() == 200) {
                return said.path("done").asText();
            }
            throw new ChimeraException(Category.ERROR, said.path("error").asText(answer.body()));
        } catch (IOException e) {
            throw nobody(url, e);
        }
    }

    private static ChimeraException nobody(String url, IOException e) {
        if (e instanceof SSLException) {
            return new ChimeraException(
                    Category.ERROR,
                    "TLS with " + url + " failed: "
                            + HandshakeFailure.reason(e).orElseGet(e::getMessage)
                            + ". Name the configuration that the node runs with: -c FILE.",
                    e);
        }
        return new ChimeraException(
                Category.ERROR,
                "Nobody answers at " + url + " (" + e.getClass().getSimpleName()
                        + "); is the node running? Its address is node.http of its configuration.",
                e);
    }

    /** A node that speaks TLS answers a client without TLS in plain text. */
    private static HttpResponse<String> overTls(String url, HttpResponse<String> answer) {
        if (answer.statusCode() == 400 && answer.body().strip().equals(TLS_ONLY)) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The node at " + url + " speaks TLS only. Name its configuration, whose section node.tls has the"
                            + " certificates: -c FILE.");
        }
        return answer;
    }

    private HttpResponse<String> ask(String url) throws IOException, InterruptedException {
        return ask(request(url));
    }

    private HttpResponse<String> ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String url) {
        try {
            return ClientToken.show(
                    token, HttpRequest.newBuilder(URI.create(url)).timeout(timeout));
        } catch (IllegalArgumentException e) {
            throw new ChimeraException(Category.ERROR, "'" + url + "' is no address; write host:port.", e);
        }
    }
}
