package io.chimera.common.security;

import io.chimera.common.identity.PeerCertificate;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Verifies peers: the JDK's verification against the authorities, then revocation, then the configured names. Any
 * thread.
 */
final class PeerTrust extends X509ExtendedTrustManager {
    private final Supplier<TlsMaterial> material;
    private final List<String> names;
    private final String cluster;

    /**
     * Creates a verifier.
     *
     * @param material supplies the current authorities and revocation lists
     * @param names accepted name patterns; empty accepts every name
     * @param cluster servers of this cluster are identified by their certificate identity, regardless of their host
     *     names; empty: every server is identified by its host name
     */
    PeerTrust(Supplier<TlsMaterial> material, List<String> names, String cluster) {
        this.material = material;
        this.names = names;
        this.cluster = cluster;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        TlsMaterial now = material.get();
        now.authorities().checkClientTrusted(chain, type, engine);
        checkFurther(now, chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        TlsMaterial now = material.get();
        if (isMember(chain)) {
            now.authorities().checkServerTrusted(chain, type);
        } else {
            now.authorities().checkServerTrusted(chain, type, engine);
        }
        checkFurther(now, chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        TlsMaterial now = material.get();
        now.authorities().checkClientTrusted(chain, type, socket);
        checkFurther(now, chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        TlsMaterial now = material.get();
        if (isMember(chain)) {
            now.authorities().checkServerTrusted(chain, type);
        } else {
            now.authorities().checkServerTrusted(chain, type, socket);
        }
        checkFurther(now, chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        TlsMaterial now = material.get();
        now.authorities().checkClientTrusted(chain, type);
        checkFurther(now, chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        TlsMaterial now = material.get();
        now.authorities().checkServerTrusted(chain, type);
        checkFurther(now, chain);
    }

    /**
     * Returns whether the chain claims membership in the cluster. The chain is unverified here: the answer counts only
     * together with the verification against the authorities.
     */
    private boolean isMember(X509Certificate[] chain) {
        return !cluster.isEmpty()
                && chain.length > 0
                && PeerCertificate.of(chain[0]).isOf(cluster);
    }

    private void checkFurther(TlsMaterial now, X509Certificate[] chain) throws CertificateException {
        now.checkRevocation(chain);
        if (!names.isEmpty() && !PeerCertificate.of(chain[0]).matches(names)) {
            throw new CertificateException("The certificate "
                    + chain[0].getSubjectX500Principal().getName() + " has none of the names " + names + ".");
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return material.get().authorities().getAcceptedIssuers();
    }
}
