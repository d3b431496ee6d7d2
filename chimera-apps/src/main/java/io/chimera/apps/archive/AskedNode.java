package io.chimera.apps.archive;

import io.chimera.common.channel.HttpExchange;
import io.chimera.common.cluster.ArchiveMember;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Which archive node a request is meant for. Addresses may lead elsewhere than whoever announced them meant, to oneself even; one that is not
 * meant refuses, so that its answer is not taken for that of another.
 */
final class AskedNode {
    /** The status of a refusal. */
    static final int REFUSED = 409;

    private static final String PARAMETER = "node";
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private AskedNode() {}

    /**
     * Where a node is asked.
     *
     * @param scheme http or https
     * @param pathAndQuery of the request
     * @throws IllegalArgumentException when its address is none
     */
    static URI uri(String scheme, ArchiveMember node, String pathAndQuery) {
        return URI.create(scheme + "://" + node.http() + pathAndQuery + (pathAndQuery.contains("?") ? "&" : "?")
                + PARAMETER + "=" + URLEncoder.encode(node.id(), StandardCharsets.UTF_8));
    }

    /** Whether a request names a node. */
    static boolean isNamed(HttpExchange exchange) {
        return exchange.parameter(PARAMETER) != null;
    }

    /** Refuses a request that is not meant for this node; whether it did. */
    static boolean refuse(HttpExchange exchange, String id) {
        if (id.equals(exchange.parameter(PARAMETER))) {
            return false;
        }
        exchange.respond(
                REFUSED,
                JSON,
                QueryAnswer.error("This is " + (id.isEmpty() ? "no archive node of a cluster" : "archive node " + id)
                        + ", and another one is asked; see that the address of each --http leads to it alone."));
        return true;
    }
}
