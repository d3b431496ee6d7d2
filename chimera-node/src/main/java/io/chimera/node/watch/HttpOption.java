package io.chimera.node.watch;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.node.option.ConfigOptions;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select the node queried by a command. */
public final class HttpOption {
    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "HTTP port of the node. Default: node.http of the configuration, else 127.0.0.1:9600.")
    private String address;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    /** Creates the options for picocli. */
    public HttpOption() {}

    /**
     * Creates a client for the nodes of the configuration. Uses the token of the environment, or else of the
     * configuration.
     */
    NodeClient client() {
        return options.loadIfPresent().map(NodeClient::of).orElseGet(NodeClient::new);
    }

    /** Returns the node's address as host:port. */
    String address() {
        if (address != null) {
            return address;
        }
        Optional<ChimeraConfig> config = options.loadIfPresent();
        Endpoint http = config.map(found -> found.node().http()).orElse(new Endpoint("127.0.0.1", 9600));
        boolean wildcard = http.host().equals("0.0.0.0") || http.host().equals("::");
        return wildcard ? "127.0.0.1:" + http.port() : http.toString();
    }
}
