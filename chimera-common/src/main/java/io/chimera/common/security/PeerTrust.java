package io.chimera.common.security;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Checks peers: the JDK's check against the authorities, then revocation, then the names that the configuration wants. Any
 * thread.
 */
final class PeerTrust extends X509ExtendedTrustManager {
    private final Supplier<TlsMaterial> material;
    private final List<String> names;
    private final String cluster;

    /**
     * A check.
     *
     * @param material gives what to check with
     * @param names patterns of which a peer's names match one; empty for none
     * @param cluster servers of this cluster are known by the identity in their certificates, whatever their host names;
     *     empty: every server is known by its host name
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

    /** The chain is not checked yet: the answer counts only together with the check against the authorities. */
    private boolean isMember(X509Certificate[] chain) {
        return !cluster.isEmpty()
                && chain.length > 0
                && PeerCertificate.of(chain[0]).isOf(cluster);
    }

    private void checkFurther(TlsMaterial now, X509Certificate[] chain) throws CertificateException {
        now.checkRevocation(chain);
        if (!names.isEmpty() && !PeerCertificate.of(chain[0]).matches(names)) {
            throw new CertificateException("The certificate "
                    + chain[0].getSubjectX500Principal().getName() + " bears none of the names " + names + ".");
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return material.get().authorities().getAcceptedIssuers();
    }
}
