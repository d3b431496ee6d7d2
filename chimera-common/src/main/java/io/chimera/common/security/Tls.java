package io.chimera.common.security;

import io.chimera.common.agent.Clock;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.identity.PeerCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates of one listener or client. {@link #reload} reads changed files and replaces the material for new
 * connections; invalid new files change nothing. The JDK's session cache is replaced together with the certificates, so
 * no session outlives the authorities of its verification. Any thread; {@link #reload} one thread at a time.
 */
public final class Tls {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    /** Time before the expiry of a certificate for the warning to the operator. */
    private static final Duration WARN_BEFORE = Duration.ofDays(14);

    private final String name;
    private final TlsConfig config;
    private final boolean isMutual;
    private final Clock clock;
    private final String[] protocols;
    private volatile State state;
    private volatile String refusal = "";
    private List<Stamp> stamps;

    /** Identity of a file's content without reading the file. The resolved path reveals a replaced symbolic link. */
    private record Stamp(Path resolved, long size, long modifiedMs, Object inode) {
        static Stamp of(Path file) {
            try {
                Path resolved = file.toRealPath();
                BasicFileAttributes attributes = Files.readAttributes(resolved, BasicFileAttributes.class);
                return new Stamp(
                        resolved,
                        attributes.size(),
                        attributes.lastModifiedTime().toMillis(),
                        attributes.fileKey());
            } catch (IOException e) {
                return new Stamp(file, -1, -1, null);
            }
        }
    }

    private record State(TlsMaterial material, SSLContext context, List<String> ciphers) {}

    private Tls(String name, TlsConfig config, boolean isMutual, Clock clock) {
        this.name = name;
        this.config = config;
        this.isMutual = isMutual;
        this.clock = clock;
        protocols = config.min().equals("1.3") ? new String[] {"TLSv1.3"} : new String[] {"TLSv1.2", "TLSv1.3"};
        stamps = stampsNow();
        state = load();
    }

    /**
     * Reads and verifies the files.
     *
     * @param name full name of the section in the configuration, for messages
     * @param isMutual whether this end's certificate must be issued by the authorities used for its peers
     * @throws ChimeraException for an unusable file; names the section, the file and a remedy
     */
    public static Tls open(String name, TlsConfig config, boolean isMutual, Clock clock) {
        Tls tls = new Tls(name, config, isMutual, clock);
        tls.warnOfReadableKey();
        return tls;
    }

    private State load() {
        try {
            TlsMaterial material = TlsMaterial.load(config, isMutual, clock.epochMs());
            SSLContext context = context(() -> material, "");
            return new State(material, context, ciphers(context));
        } catch (ChimeraException e) {
            throw new ChimeraException(e.category(), name + ": " + e.getMessage(), e);
        }
    }

    private SSLContext context(Supplier<TlsMaterial> material, String cluster) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {new OwnKeys(material)},
                    new TrustManager[] {new PeerTrust(material, config.names(), cluster)},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL, "The JDK offers no TLS (" + e.getMessage() + ").", e);
        }
    }

    /**
     * Cipher suites, AES-128 first: AES-128 is as strong as the preceding key exchange, and AES-256 takes up to twice
     * the CPU time.
     */
    private List<String> ciphers(SSLContext context) {
        if (config.ciphers().isEmpty()) {
            return Arrays.stream(context.getDefaultSSLParameters().getCipherSuites())
                    .filter(suite -> !suite.contains("_CBC_") && !suite.startsWith("TLS_RSA_"))
                    .sorted(Comparator.comparing(suite -> !suite.contains("_AES_128_GCM_")))
                    .toList();
        }
        List<String> known = List.of(context.getSupportedSSLParameters().getCipherSuites());
        for (String suite : config.ciphers()) {
            if (!known.contains(suite)) {
                throw new ChimeraException(
                        ChimeraException.Category.FATAL,
                        "The JDK does not know the cipher suite '" + suite + "' of ciphers. It knows, e.g., "
                                + known.get(0) + ".");
            }
        }
        return config.ciphers();
    }

    /** Creates an engine for an accepted connection; requests a client certificate as configured. */
    public SSLEngine serverEngine() {
        return serverEngine(config.clientAuth());
    }

    /** Creates an engine for a connection accepted from another node; requires a client certificate. */
    public SSLEngine nodeServerEngine() {
        return serverEngine(ClientAuth.NEED);
    }

    private SSLEngine serverEngine(ClientAuth auth) {
        SSLEngine engine = engine();
        engine.setUseClientMode(false);
        if (auth == ClientAuth.NEED) {
            engine.setNeedClientAuth(true);
        } else if (auth == ClientAuth.WANT) {
            engine.setWantClientAuth(true);
        }
        return engine;
    }

    /**
     * Creates an engine for a connection to another node; the caller verifies the node's identity after the handshake.
     */
    public SSLEngine nodeClientEngine() {
        SSLEngine engine = engine();
        engine.setUseClientMode(true);
        return engine;
    }

    private SSLEngine engine() {
        State now = state;
        SSLEngine engine = now.context.createSSLEngine();
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(protocols);
        parameters.setCipherSuites(now.ciphers.toArray(String[]::new));
        parameters.setUseCipherSuitesOrder(true);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** Creates a context for clients with their own host name verification, or the JDK's; follows every reload. */
    public SSLContext clientContext() {
        return context(this::material, "");
    }

    /**
     * Creates a context for clients of nodes: the cluster in a node's certificate replaces the host name; follows every
     * reload.
     */
    public SSLContext clusterContext(String cluster) {
        return context(this::material, cluster);
    }

    /** Protocol versions and cipher suites for clients. */
    public SSLParameters clientParameters() {
        return new SSLParameters(state.ciphers.toArray(String[]::new), protocols);
    }

    /** Key manager for libraries with their own engines; follows every reload. */
    public X509ExtendedKeyManager keyManager() {
        return new OwnKeys(this::material);
    }

    /** Trust manager for libraries with their own engines; follows every reload. */
    public X509ExtendedTrustManager trustManager() {
        return new PeerTrust(this::material, config.names(), "");
    }

    private TlsMaterial material() {
        return state.material;
    }

    /** Names of this end's certificate; empty without a certificate. */
    public Optional<PeerCertificate> own() {
        return Optional.ofNullable(material().own());
    }

    /** Permitted protocol versions. */
    public List<String> protocols() {
        return List.of(protocols);
    }

    /** The configuration. */
    public TlsConfig config() {
        return config;
    }

    /**
     * Reloads the files if they have changed, or were unusable before.
     *
     * @return whether new connections use new material
     */
    public boolean reload() {
        List<Stamp> now = stampsNow();
        if (now.equals(stamps) && refusal.isEmpty()) {
            return false;
        }
        try {
            state = load();
            stamps = now;
            refusal = "";
            LOG.info("Reloaded certificates of {}: not_after={}", name, notAfter());
            return true;
        } catch (ChimeraException e) {
            if (!refusal.equals(e.getMessage())) {
                refusal = e.getMessage();
                LOG.warn("Kept the old certificates because the new files are unusable: {}", refusal);
            }
            return false;
        }
    }

    private List<Stamp> stampsNow() {
        return files().map(Stamp::of).toList();
    }

    private Stream<Path> files() {
        return Stream.of(config.cert(), config.key(), config.ca(), config.crl()).filter(Objects::nonNull);
    }

    /**
     * Returns whether this section accepts revoked certificates that another section refuses: both trust an authority,
     * and only the other section has a revocation list.
     */
    public boolean ignoresRevocationsOf(Tls other) {
        return config.crl() == null
                && other.config.crl() != null
                && !Collections.disjoint(authorities(), other.authorities());
    }

    /** A renewed certificate of an authority has the same name and key, and signs the same certificates. */
    private Set<Authority> authorities() {
        return state.material.authorityCertificates().stream()
                .map(each -> new Authority(each.getSubjectX500Principal(), each.getPublicKey()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private record Authority(X500Principal name, PublicKey key) {}

    /** End of validity of each certificate file. */
    public Map<Path, Long> notAfterMs() {
        return state.material.notAfterMs();
    }

    private List<String> notAfter() {
        return notAfterMs().entrySet().stream()
                .map(entry -> entry.getKey() + " " + Instant.ofEpochMilli(entry.getValue()))
                .toList();
    }

    /** Warnings for the operator: unusable new files, certificates about to expire. One sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!refusal.isEmpty()) {
            warnings.add("The old certificates are still in use because the new files are unusable. " + refusal);
        }
        long nowMs = clock.epochMs();
        notAfterMs().forEach((file, endMs) -> {
            if (endMs - nowMs < WARN_BEFORE.toMillis()) {
                warnings.add(name + ": the certificate in " + file + (endMs <= nowMs ? " expired at " : " expires at ")
                        + Instant.ofEpochMilli(endMs) + ". Replace the file; the node reads it without a restart.");
            }
        });
        return warnings;
    }

    private void warnOfReadableKey() {
        if (config.key() == null) {
            return;
        }
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(config.key());
            if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
                LOG.warn("Every user of this machine can read the private key {}: chmod 600 it.", config.key());
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("The permissions of {} are not known.", config.key(), e);
        }
    }
}
