package io.chimera.coordinator.zookeeper.server;

import io.chimera.common.security.Tls;
import java.io.IOException;
import java.util.Objects;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;
import org.jspecify.annotations.Nullable;

/**
 * Passes the certificates of the embedded server to ZooKeeper. ZooKeeper accepts them only through a class named in
 * system properties, so a process can run only one such server with TLS at a time.
 */
public final class MemberCertificates extends X509AuthenticationProvider {
    private static final String PROVIDER = "zookeeper.authProvider.x509";

    private static volatile @Nullable Tls current;

    /** Called by ZooKeeper through reflection. */
    public MemberCertificates() {
        this(Objects.requireNonNull(current, "connections() sets the certificates first"));
    }

    private MemberCertificates(Tls tls) {
        super(tls.trustManager(), tls.keyManager());
    }

    /** Creates a factory of TLS connections; each client needs a certificate of the configured authorities. */
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
            // other servers of this process have no TLS
            System.clearProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY);
        }
    }
}
