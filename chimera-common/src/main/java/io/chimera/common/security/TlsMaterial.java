package io.chimera.common.security;

import io.chimera.common.config.TlsConfig;
import io.chimera.common.identity.PeerCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Verified content of the files of one {@link TlsConfig}. Immutable. */
final class TlsMaterial {
    private static final String ALIAS = "chimera";

    /** Test data for checking that a key matches its certificate. */
    private static final byte[] PROBE = {1, 2, 3, 4};

    private final PeerCertificate own;
    private final X509ExtendedKeyManager keys;
    private final X509ExtendedTrustManager authorities;
    private final List<X509Certificate> authorityCertificates;
    private final List<X509CRL> revocationLists;
    private final Map<Path, Long> notAfterMs;

    private TlsMaterial(
            PeerCertificate own,
            X509ExtendedKeyManager keys,
            X509ExtendedTrustManager authorities,
            List<X509Certificate> authorityCertificates,
            List<X509CRL> revocationLists,
            Map<Path, Long> notAfterMs) {
        this.own = own;
        this.keys = keys;
        this.authorities = authorities;
        this.authorityCertificates = List.copyOf(authorityCertificates);
        this.revocationLists = revocationLists;
        this.notAfterMs = notAfterMs;
    }

    /**
     * Reads and verifies the files.
     *
     * @param isMutual whether the peers verify this end's certificate with the same authorities
     * @param nowMs reference time for the validity of certificates
     * @throws io.chimera.common.error.ChimeraException for an unusable file; names the file and a remedy
     */
    static TlsMaterial load(TlsConfig config, boolean isMutual, long nowMs) {
        try {
            Map<Path, Long> notAfterMs = new LinkedHashMap<>();
            List<X509Certificate> authorities = List.of();
            if (config.ca() != null) {
                authorities = PemReader.certificates(config.ca());
                notAfterMs.put(config.ca(), earliestEndMs(authorities));
            }
            PeerCertificate own = null;
            X509ExtendedKeyManager keys = null;
            if (config.cert() != null) {
                List<X509Certificate> chain = PemReader.certificates(config.cert());
                notAfterMs.put(config.cert(), earliestEndMs(chain));
                PrivateKey key = PemReader.privateKey(config.key(), config.keyPassword());
                checkOwn(config, chain, key, nowMs);
                if (isMutual && !authorities.isEmpty()) {
                    checkPath(config, chain, authorities, nowMs);
                }
                own = PeerCertificate.of(chain.get(0));
                keys = keyManager(chain, key);
            }
            List<X509CRL> revoked = config.crl() == null ? List.of() : revocationLists(config, authorities);
            return new TlsMaterial(own, keys, trustManager(authorities), authorities, revoked, notAfterMs);
        } catch (GeneralSecurityException | IOException e) {
            throw PemReader.fail(
                    config.cert() == null ? config.ca() : config.cert(), "cannot be used (" + e.getMessage() + ").", e);
        }
    }

    private static long earliestEndMs(List<X509Certificate> certificates) {
        return certificates.stream()
                .mapToLong(certificate -> certificate.getNotAfter().toInstant().toEpochMilli())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @SuppressWarnings("JavaUtilDate") // the JDK accepts no other time type
    private static void checkOwn(TlsConfig config, List<X509Certificate> chain, PrivateKey key, long nowMs)
            throws GeneralSecurityException {
        X509Certificate own = chain.get(0);
        try {
            own.checkValidity(new Date(nowMs));
        } catch (CertificateExpiredException e) {
            throw PemReader.fail(
                    config.cert(), "expired at " + own.getNotAfter().toInstant() + ". Issue another certificate.", e);
        } catch (CertificateNotYetValidException e) {
            throw PemReader.fail(
                    config.cert(),
                    "is not valid before " + own.getNotBefore().toInstant() + ". Check the clock of this machine.",
                    e);
        }
        if (!fits(key, own.getPublicKey())) {
            throw PemReader.fail(
                    config.key(),
                    "is not the key of the certificate " + config.cert()
                            + ". Use the key and the certificate of the same issue.",
                    null);
        }
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw PemReader.fail(
                        config.cert(),
                        "is not a chain: certificate " + (i + 1) + " did not issue certificate " + i
                                + ". Order them from the node's own to the authority's.",
                        null);
            }
        }
    }

    private static boolean fits(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm(); // the algorithm name of Ed25519 and Ed448 is also the signature name
                };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (java.security.InvalidKeyException | java.security.SignatureException e) {
            return false;
        }
    }

    @SuppressWarnings("JavaUtilDate") // the JDK accepts no other time type
    private static void checkPath(
            TlsConfig config, List<X509Certificate> chain, List<X509Certificate> authorities, long nowMs)
            throws GeneralSecurityException {
        Set<TrustAnchor> anchors = authorities.stream()
                .map(authority -> new TrustAnchor(authority, null))
                .collect(Collectors.toSet());
        PKIXParameters parameters = new PKIXParameters(anchors);
        parameters.setRevocationEnabled(false);
        parameters.setDate(new Date(nowMs));
        List<X509Certificate> path = chain.stream()
                .filter(certificate -> !authorities.contains(certificate))
                .toList();
        try {
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
        } catch (java.security.cert.CertPathValidatorException e) {
            throw PemReader.fail(
                    config.cert(),
                    "was not issued by the authorities in " + config.ca() + " (" + e.getMessage()
                            + "), so no other node would accept it. Issue the certificate by such an authority, or"
                            + " correct ca.",
                    e);
        }
    }

    private static X509ExtendedKeyManager keyManager(List<X509Certificate> chain, PrivateKey key)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        char[] none = new char[0]; // the store never leaves memory
        store.setKeyEntry(ALIAS, key, none, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, none);
        for (KeyManager manager : factory.getKeyManagers()) {
            if (manager instanceof X509ExtendedKeyManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("the JDK has no X.509 key manager");
    }

    private static X509ExtendedTrustManager trustManager(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = null; // null selects the JDK's own authorities
        if (!authorities.isEmpty()) {
            store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("the JDK has no X.509 trust manager");
    }

    private static List<X509CRL> revocationLists(TlsConfig config, List<X509Certificate> authorities) {
        List<X509CRL> lists = PemReader.revocationLists(config.crl());
        for (X509CRL list : lists) {
            if (authorities.stream().noneMatch(authority -> hasSigned(authority, list))) {
                throw PemReader.fail(
                        config.crl(),
                        "is not signed by an authority in " + config.ca() + ". Use the list of that authority.",
                        null);
            }
        }
        return lists;
    }

    private static boolean hasSigned(X509Certificate authority, X509CRL list) {
        if (!authority.getSubjectX500Principal().equals(list.getIssuerX500Principal())) {
            return false;
        }
        try {
            list.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Names of this end's certificate; null without a certificate. */
    PeerCertificate own() {
        return own;
    }

    /** Key and certificate of this end; null without a certificate. */
    X509ExtendedKeyManager keys() {
        return keys;
    }

    /** Configured authorities for peers; empty for the authorities of the JDK. */
    List<X509Certificate> authorityCertificates() {
        return authorityCertificates;
    }

    /** Verification against the authorities by the JDK. */
    X509ExtendedTrustManager authorities() {
        return authorities;
    }

    /** Throws for a chain with a revoked certificate. */
    void checkRevocation(X509Certificate[] chain) throws CertificateException {
        for (X509Certificate certificate : chain) {
            for (X509CRL list : revocationLists) {
                if (list.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())
                        && list.isRevoked(certificate)) {
                    throw new CertificateException("The certificate "
                            + certificate.getSubjectX500Principal().getName() + " (serial "
                            + certificate.getSerialNumber().toString(16) + ") is revoked.");
                }
            }
        }
    }

    /** Earliest end of validity of each file's certificates, in milliseconds since 1970. */
    Map<Path, Long> notAfterMs() {
        return notAfterMs;
    }
}
