package io.chimera.coordinator.zookeeper;

import io.chimera.common.config.TlsConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Provides certificates to ZooKeeper's client, which reads them from files for each new connection. The client needs
 * certificate and key in one file. When the configuration names two files, both are copied into a single file, readable
 * for the user only and deleted at the end. The settings belong to each client, never to system properties, so that one
 * process may belong to several clusters.
 */
final class ZooKeeperTls implements AutoCloseable {
    private static final String PEM = "PEM";
    private static final String KEY_STORE = "zookeeper.ssl.keyStore.location";

    private final TlsConfig config;
    private final Tls tls;
    private Path joined;
    private byte[] written = {};

    ZooKeeperTls(Tls tls) {
        this.tls = tls;
        config = tls.config();
    }

    /** Returns the settings of a client. */
    ZKClientConfig client() {
        ZKClientConfig client = new ZKClientConfig() {
            @Override
            public String getProperty(String key) {
                return getProperty(key, null);
            }

            @Override
            public String getProperty(String key, String otherwise) {
                return key.equals(KEY_STORE) && config.hasCertificate()
                        ? keyStore().toString()
                        : super.getProperty(key, otherwise);
            }
        };
        client.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        client.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        client.setProperty("zookeeper.ssl.trustStore.location", config.ca().toString());
        client.setProperty("zookeeper.ssl.trustStore.type", PEM);
        client.setProperty("zookeeper.ssl.keyStore.type", PEM);
        client.setProperty("zookeeper.ssl.keyStore.password", config.keyPassword());
        client.setProperty("zookeeper.ssl.hostnameVerification", "true");
        client.setProperty("zookeeper.ssl.enabledProtocols", String.join(",", tls.protocols()));
        return client;
    }

    /** Returns the file with the current certificate and key. */
    private synchronized Path keyStore() {
        if (config.cert().equals(config.key())) {
            return config.cert();
        }
        try {
            byte[] cert = Files.readAllBytes(config.cert());
            byte[] key = Files.readAllBytes(config.key());
            byte[] both = Arrays.copyOf(cert, cert.length + 1 + key.length);
            both[cert.length] = '\n';
            System.arraycopy(key, 0, both, cert.length + 1, key.length);
            if (!Arrays.equals(both, written)) {
                Path fresh = Files.createTempFile(
                        "chimera-zookeeper",
                        ".pem",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.write(fresh, both);
                fresh.toFile().deleteOnExit();
                close();
                joined = fresh;
                written = both;
            }
            return joined;
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Cannot copy " + config.cert() + " and " + config.key() + " for ZooKeeper (" + e
                            + "). Make both readable and the folder for temporary files writable.",
                    e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (joined != null) {
            Files.deleteIfExists(joined);
            joined = null;
            written = new byte[0];
        }
    }
}
