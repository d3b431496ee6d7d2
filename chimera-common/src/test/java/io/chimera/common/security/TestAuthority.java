package io.chimera.common.security;

import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.config.binding.Sections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Certificate authority based on the program openssl, in a folder of a test. Single-threaded. */
public final class TestAuthority {
    private static final String FOREVER = "20991231235959Z";

    private final Path folder;
    private int issued;

    /** Issued key and certificate. */
    public record Issued(Path cert, Path key) {
        /** Replaces the certificate and the key with others. */
        public void replaceBy(Issued other) {
            try {
                Files.copy(other.cert, cert, StandardCopyOption.REPLACE_EXISTING);
                Files.copy(other.key, key, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Creates an authority with a new key.
     *
     * @param folder exclusive folder of the authority; created if missing
     */
    public TestAuthority(Path folder, String name) {
        this.folder = folder;
        try {
            Files.createDirectories(folder.resolve("new"));
            Files.writeString(folder.resolve("index.txt"), "");
            Files.writeString(folder.resolve("serial"), "1000\n");
            Files.writeString(folder.resolve("crlnumber"), "01\n");
            Files.writeString(folder.resolve("ca.cnf"), """
                [ca]
                default_ca = d
                [d]
                database = %1$s/index.txt
                new_certs_dir = %1$s/new
                serial = %1$s/serial
                crlnumber = %1$s/crlnumber
                certificate = %1$s/ca.pem
                private_key = %1$s/ca.key
                default_md = sha256
                default_crl_days = 30
                policy = p
                unique_subject = no
                copy_extensions = copy
                [p]
                commonName = supplied
                """.formatted(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "3650",
                "-subj",
                "/CN=" + name,
                "-keyout",
                "ca.key",
                "-out",
                "ca.pem");
    }

    /** Certificate of the authority. */
    public Path ca() {
        return folder.resolve("ca.pem");
    }

    /** Issues a currently valid certificate. */
    public Issued issue(String commonName, String... alternativeNames) {
        return issue(FOREVER, commonName, alternativeNames);
    }

    /** Issues an expired certificate. */
    public Issued issueExpired(String commonName, String... alternativeNames) {
        return issue("20200201000000Z", commonName, alternativeNames);
    }

    private Issued issue(String end, String commonName, String... alternativeNames) {
        String file = "issued-" + issued++;
        List<String> request = new ArrayList<>(List.of(
                "req",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj",
                "/CN=" + commonName,
                "-keyout",
                file + ".key",
                "-out",
                file + ".csr"));
        if (alternativeNames.length > 0) {
            request.addAll(List.of("-addext", "subjectAltName=" + String.join(",", alternativeNames)));
        }
        run(request.toArray(String[]::new));
        run(
                "ca",
                "-batch",
                "-notext",
                "-config",
                "ca.cnf",
                "-in",
                file + ".csr",
                "-out",
                file + ".pem",
                "-startdate",
                "20200101000000Z",
                "-enddate",
                end);
        return new Issued(folder.resolve(file + ".pem"), folder.resolve(file + ".key"));
    }

    /** Revokes a certificate and returns the revocation list. */
    public Path revoke(Issued holder) {
        run("ca", "-config", "ca.cnf", "-revoke", holder.cert.toString());
        return revocationList();
    }

    /** Creates the revocation list of all revoked certificates. */
    public Path revocationList() {
        run("ca", "-config", "ca.cnf", "-gencrl", "-out", "crl.pem");
        return folder.resolve("crl.pem");
    }

    /** Creates the TLS configuration of an issued certificate, with this authority for its peers. */
    public TlsConfig config(Issued holder, ClientAuth auth, Path crl) {
        return Sections.of(
                TlsConfig.class,
                "cert",
                holder.cert,
                "key",
                holder.key,
                "ca",
                ca(),
                "crl",
                crl,
                "client_auth",
                auth,
                "reload",
                Duration.ofSeconds(1));
    }

    /** Runs openssl in the authority's folder. */
    public String run(String... arguments) {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " failed:\n" + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
