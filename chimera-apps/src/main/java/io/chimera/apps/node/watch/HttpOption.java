package io.chimera.apps.node.watch;

import io.chimera.apps.node.ConfigOptions;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ChimeraConfig;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command that looks at a cluster finds a node. */
public final class HttpOption {
    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "HTTP port of the node. Default: node.http of the configuration, else 127.0.0.1:9600.")
    private String address;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    /** For picocli. */
    public HttpOption() {}

    /** A client for nodes of the configuration; shows the token of the environment, else that of the configuration. */
    NodeClient client() {
        return options.loadIfPresent().map(NodeClient::of).orElseGet(NodeClient::new);
    }

    /** host:port. */
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
