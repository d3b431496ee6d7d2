package io.chimera.archive.server.answer;

import io.chimera.common.channel.HttpExchange;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Names the archive node that a request is meant for. A wrong announced address can lead to another node, even back to
 * the sender. A node refuses a request for another node, so that no answer is attributed to the wrong node.
 */
public final class AskedNode {
    /** HTTP status of a refusal. */
    public static final int REFUSED = 409;

    private static final String PARAMETER = "node";
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private AskedNode() {}

    /**
     * Returns the address of a request to a node.
     *
     * @param scheme http or https
     * @param pathAndQuery path and query of the request
     * @throws IllegalArgumentException when the node's address is invalid
     */
    public static URI uri(String scheme, ArchiveMember node, String pathAndQuery) {
        return URI.create(scheme + "://" + node.http() + pathAndQuery + (pathAndQuery.contains("?") ? "&" : "?")
                + PARAMETER + "=" + URLEncoder.encode(node.id(), StandardCharsets.UTF_8));
    }

    public static boolean isNamed(HttpExchange exchange) {
        return exchange.parameter(PARAMETER) != null;
    }

    /** Refuses a request for another node. Returns whether the request was refused. */
    public static boolean refuse(HttpExchange exchange, String id) {
        if (id.equals(exchange.parameter(PARAMETER))) {
            return false;
        }
        exchange.respond(
                REFUSED,
                JSON,
                QueryAnswer.error("This is " + (id.isEmpty() ? "no archive node of a cluster" : "archive node " + id)
                        + ", but the request is for another node. Check that every node has its own --http address."));
        return true;
    }
}
