package io.chimera.dataset.source.xrootd;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificate and key of a server named localhost, and a context that trusts it.
 *
 * @param certificate PEM file
 * @param key PEM file, readable by the server only
 * @param context trusts the certificate
 */
record TlsFiles(Path certificate, Path key, SSLContext context) {
    private static final String PASSWORD = "changeit";

    static TlsFiles create(Path folder) throws Exception {
        Path store = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new AssertionError(said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Path certificate = pem(
                folder.resolve("cert.pem"),
                "CERTIFICATE",
                keys.getCertificate("server").getEncoded());
        Path key = pem(
                folder.resolve("key.pem"),
                "PRIVATE KEY",
                keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        if (XrootdProcess.isRoot()) {
            Files.setOwner(
                    key, key.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        return new TlsFiles(certificate, key, trusting(keys));
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws Exception {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }

    private static SSLContext trusting(KeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
