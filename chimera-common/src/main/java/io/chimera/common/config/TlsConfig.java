package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Certificates of one listener or client. All files are PEM; the node reloads changed files. */
public record TlsConfig(
        @Doc("Certificate of this end, followed by its intermediate certificates.")
        Path cert,

        @Doc("Private key of the certificate: PKCS#8, encrypted or not.")
        Path key,

        @Doc("Password of an encrypted key, e.g. ${file:/etc/chimera/key.password}.") @Default
        String keyPassword,

        @Doc("Certificates of the authorities for peers; empty: those of the Java runtime.")
        Path ca,

        @Doc("Revocation list (CRL) of the authorities; empty: no revocation.")
        Path crl,

        @Doc("Client certificates of a listener: none, want (checked if presented) or need. Default: want with ca,"
                + " otherwise none. Connections between nodes always need certificates.")
        ClientAuth clientAuth,

        @Doc("Accepted names of peers' certificates (common name, DNS name or URI; * matches any text);"
                + " empty: every certificate of the authorities.")
        @Default
        List<String> names,

        @Doc("Lowest version of the protocol: 1.2 or 1.3.") @Default("1.2")
        String min,

        @Doc("Cipher suites by their JDK names; empty: those of the JDK without CBC and static RSA, AES-128 first.")
        @Default
        List<String> ciphers,

        @Doc("Poll interval for changes of the files; 1s to 1d.") @Default("30s")
        Duration reload) {
    /** Client certificate policy of a listener. */
    public enum ClientAuth {
        /** No certificate. */
        NONE,
        /** A presented certificate is checked. */
        WANT,
        /** Clients without a certificate are refused. */
        NEED
    }

    /** Checks the values. */
    public TlsConfig {
        cert = orNull(cert);
        key = orNull(key);
        ca = orNull(ca);
        crl = orNull(crl);
        clientAuth = clientAuth == null ? (ca == null ? ClientAuth.NONE : ClientAuth.WANT) : clientAuth;
        new Requirements()
                .that(
                        (cert == null) == (key == null),
                        cert == null ? "cert" : "key",
                        "missing",
                        "cert and key together, or neither of them")
                .that(
                        clientAuth == ClientAuth.NONE || ca != null,
                        "ca",
                        "missing",
                        "the authorities of the clients' certificates, because client_auth is not none")
                .that(crl == null || ca != null, "ca", "missing", "the authorities that sign the revocation list")
                .that(min.equals("1.2") || min.equals("1.3"), "min", "'" + min + "'", "1.2 or 1.3")
                .between("reload", reload, Duration.ofSeconds(1), Duration.ofDays(1))
                .check();
    }

    private static Path orNull(Path file) {
        return file == null || file.toString().isEmpty() ? null : file;
    }

    /** Returns whether this end has a certificate. */
    public boolean hasCertificate() {
        return cert != null;
    }

    @Override
    public String toString() {
        return "TlsConfig[cert=" + cert + ", ca=" + ca + ", client_auth=" + clientAuth + "]";
    }
}
