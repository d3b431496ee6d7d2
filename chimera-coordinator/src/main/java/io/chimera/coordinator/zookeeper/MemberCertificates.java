package io.chimera.coordinator.zookeeper;

import io.chimera.common.security.Tls;
import java.io.IOException;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;

/**
 * Certificates of the embedded server, handed to ZooKeeper in the one way that it has: a class by name, found through
 * system properties. So a process runs one such server with TLS at a time.
 */
public final class MemberCertificates extends X509AuthenticationProvider {
    private static final String PROVIDER = "zookeeper.authProvider.x509";

    private static volatile Tls current;

    /** For ZooKeeper, which calls it by reflection. */
    public MemberCertificates() {
        super(current.trustManager(), current.keyManager());
    }

    /** A factory of connections over TLS, each of which needs a certificate of the configured authorities. */
    static synchronized ServerCnxnFactory connections(Tls tls) throws IOException {
        current = tls;
        System.setProperty(PROVIDER, MemberCertificates.class.getName());
        System.setProperty("zookeeper.ssl.authProvider", "x509");
        System.setProperty("zookeeper.ssl.enabledProtocols", String.join(",", tls.protocols()));
        ProviderRegistry.addOrUpdateProvider(PROVIDER);
        System.setProperty(
                ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, "org.apache.zookeeper.server.NettyServerCnxnFactory");
        try {
            return ServerCnxnFactory.createFactory();
        } finally {
            System.clearProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY); // other servers speak in the clear
        }
    }
}
