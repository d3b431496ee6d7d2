package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.archive.server.client.ClientToken;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.security.HandshakeFailure;
import io.chimera.common.security.Tls;
import io.chimera.node.Json;
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

/** Client of the nodes' HTTP ports. */
public final class NodeClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Duration timeout;
    private final String scheme;
    private final String token;
    private final boolean isConfigured;
    private final HttpClient client;

    /** Creates a client with the default timeout and the token of the environment. */
    public NodeClient() {
        this(TIMEOUT);
    }

    /**
     * Creates a client.
     *
     * @param timeout time limit for a connection, and for an answer
     */
    public NodeClient(Duration timeout) {
        this(timeout, Optional.empty(), null, ClientToken.ofEnvironment());
    }

    /** Creates a client with the certificates and the token of a node's configuration. */
    public static NodeClient of(ChimeraConfig config) {
        return of(config, TIMEOUT);
    }

    /** Creates a client with the certificates and the token of a node's configuration, and another timeout. */
    public static NodeClient of(ChimeraConfig config, Duration timeout) {
        Optional<Tls> tls = Optional.ofNullable(config.node().tls())
                .map(files -> Tls.open("node.tls", files, true, new SystemClock()));
        String given = ClientToken.ofEnvironment();
        String own = config.node().token() == null ? "" : config.node().token();
        return new NodeClient(timeout, tls, config, given.isEmpty() ? own : given);
    }

    /** Creates a client; the configuration is null for a client without one. */
    private NodeClient(Duration timeout, Optional<Tls> tls, ChimeraConfig config, String token) {
        this.timeout = timeout;
        isConfigured = config != null;
        this.token = token;
        scheme = tls.isPresent() ? "https://" : "http://";
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
        tls.ifPresent(files -> builder.sslContext(
                        files.clusterContext(config.coordinator().cluster()))
                .sslParameters(files.clientParameters()));
        client = builder.build();
    }

    /** Returns the URL of a node's page. */
    public String url(String address, String page) {
        return scheme + address + page;
    }

    /**
     * Returns the status of a process's node.
     *
     * @param address host:port of the HTTP port
     * @param role role of the node
     * @return the status
     * @throws ChimeraException when the process does not answer, or has no node of this role
     */
    public JsonNode status(String address, String role) throws InterruptedException {
        String url = url(address, "/status");
        for (JsonNode node : Json.read(url, get(url)).path("nodes")) {
            if (node.path("role").asText().equals(role)) {
                return node.path("status");
            }
        }
        throw new ChimeraException(
                Category.ERROR, "The node at " + address + " is no " + role + "; select one with --http host:port.");
    }

    /** Returns each metric of a node, summed over all components, by the metric's name. */
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

    /** Whether a node reports ready. */
    public boolean isReady(String address) throws InterruptedException {
        try {
            return ask(url(address, "/health/ready")).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns a node's reasons for not being ready as one line; empty for a ready node or without an answer. */
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

    /** Returns whether a node answers at all. */
    public boolean isAnswering(String address) throws InterruptedException {
        try {
            return ask(url(address, "/health/live")).statusCode() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the text of a page. A status other than 200 is an error with the node's message. */
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
     * Sends a command to a node.
     *
     * @param address host:port of the HTTP port
     * @param command name and query, e.g. {@code drain?remove=true}
     * @return the node's description of its action
     * @throws NoAnswerException when the node does not answer
     * @throws ChimeraException when the node refuses the command, with the reason
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
                            + ". Check that the node uses TLS, and that the certificates of node.tls in the"
                            + " configuration of this command belong to the cluster of the node.",
                    e);
        }
        return new NoAnswerException(
                "No answer from " + url + " (" + e.getClass().getSimpleName()
                        + "). Check that the node is running; its address is node.http of its configuration.",
                e);
    }

    /** Detects the plain-text answer of a TLS port to a client without TLS. */
    private HttpResponse<String> overTls(String url, HttpResponse<String> answer) {
        if (answer.statusCode() == WireProtocol.UPGRADE_REQUIRED) {
            String remedy = isConfigured
                    ? "The configuration of this command has no section node.tls. Add the section, with certificates of"
                            + " the cluster of the node."
                    : "Give its configuration, with the certificates in section node.tls, with -c FILE.";
            throw new ChimeraException(Category.ERROR, "The node at " + url + " requires TLS. " + remedy);
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
            throw new ChimeraException(Category.ERROR, "'" + url + "' is no address; expected host:port.", e);
        }
    }
}
