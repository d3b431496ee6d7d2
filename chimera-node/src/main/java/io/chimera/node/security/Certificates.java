package io.chimera.node.security;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.TlsGauge;
import io.chimera.common.security.Tls;
import io.chimera.common.security.TlsWatch;
import io.chimera.node.NodeNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.agrona.ErrorHandler;

/** Certificates of a process: read and checked at the start, reloaded while the process runs. */
public final class Certificates implements AutoCloseable {
    private static final String NODE = "node.tls";
    private static final String COORDINATOR = "coordinator.tls";

    /** Key of problems of a certificate with the name of another node; the name includes the cluster. */
    public static final String IDENTITY = "node.id";

    private final ChimeraConfig config;
    private final Map<String, Tls> sections = new TreeMap<>();
    private final TlsWatch watch;

    /**
     * Reads the certificates used by the roles of the process.
     *
     * @param nodeName part of the name of the reload thread
     * @throws ChimeraException when a file is unusable
     */
    public Certificates(ChimeraConfig config, String nodeName, Clock clock, ErrorHandler errors) {
        this.config = config;
        watch = new TlsWatch(nodeName, errors);
        List<Role> roles = config.node().role().nodes();
        all(config).forEach((section, tls) -> {
            boolean isUsed = (!section.startsWith("inputs.") || roles.contains(Role.QUEUE))
                    && (!section.startsWith("stores.") || roles.contains(Role.PROCESSOR));
            if (isUsed) {
                sections.put(section, watch.add(open(section, tls, clock)));
            }
        });
        checkRevocations(sections).values().stream().findFirst().ifPresent(text -> {
            throw new ChimeraException(Category.FATAL, text);
        });
    }

    /** Returns a problem for each section that accepts certificates which another section refuses as revoked. */
    private static Map<String, String> checkRevocations(Map<String, Tls> sections) {
        Map<String, String> problems = new TreeMap<>();
        sections.forEach((section, tls) -> sections.forEach((other, ofOther) -> {
            if (tls.ignoresRevocationsOf(ofOther)) {
                problems.putIfAbsent(
                        section,
                        section + ".crl is missing: the section trusts an authority of " + other
                                + " and would accept its revoked certificates. Set " + section + ".crl as in " + other
                                + ".");
            }
        }));
        return problems;
    }

    private static Tls open(String section, TlsConfig config, Clock clock) {
        boolean isMutual = section.equals(NODE) || section.equals(COORDINATOR);
        return Tls.open(section, config, isMutual, clock);
    }

    private static Map<String, TlsConfig> all(ChimeraConfig config) {
        Map<String, TlsConfig> all = new TreeMap<>();
        all.put(NODE, config.node().tls());
        all.put(COORDINATOR, config.coordinator().tls());
        config.inputs().forEach((name, input) -> all.put(inputSection(name), input.tls()));
        config.stores().forEach((name, store) -> all.put(storeSection(name), store.tls()));
        all.values().removeIf(tls -> tls == null);
        return all;
    }

    private static String inputSection(String name) {
        return "inputs." + name + ".tls";
    }

    private static String storeSection(String name) {
        return "stores." + name + ".tls";
    }

    /**
     * Returns all problems of a configuration's certificate files.
     *
     * @param isOfThisMachine whether a node without id and host would run on this machine
     */
    public static List<ConfigProblem> check(String file, ChimeraConfig config, boolean isOfThisMachine) {
        List<ConfigProblem> problems = new ArrayList<>();
        Map<String, Tls> opened = new TreeMap<>();
        all(config).forEach((section, tls) -> {
            try {
                Tls files = open(section, tls, new SystemClock());
                opened.put(section, files);
                boolean isNamed = !config.node().id().isEmpty()
                        || !config.node().host().isEmpty()
                        || isOfThisMachine; // otherwise the id follows from the name of another machine
                if (section.equals(NODE) && isNamed) {
                    String host = NodeNames.host(config);
                    config.node().role().nodes().forEach(role -> mismatch(
                                    config, files, role, NodeNames.id(config, role, host))
                            .ifPresent(text ->
                                    problems.add(new ConfigProblem(file, 0, IDENTITY, text + rolesOf(config)))));
                }
            } catch (ChimeraException e) {
                problems.add(new ConfigProblem(file, 0, section, e.getMessage()));
            }
        });
        checkRevocations(opened).forEach((section, text) -> problems.add(new ConfigProblem(file, 0, section, text)));
        return problems;
    }

    /**
     * Checks that the node's certificate names the node.
     *
     * @throws ChimeraException on a mismatch, because every other node would refuse this node
     */
    public void checkIdentity(Role role, String id) {
        Tls tls = sections.get(NODE);
        if (tls == null) {
            return;
        }
        mismatch(config, tls, role, id).ifPresent(text -> {
            throw new ChimeraException(Category.FATAL, text);
        });
    }

    /** A file without node.role asks for certificates of every role, which surprises its author. */
    private static String rolesOf(ChimeraConfig config) {
        return config.node().role() == Role.ALL
                ? " Or set node.role, which is all, to the role of the certificate."
                : "";
    }

    private static Optional<String> mismatch(ChimeraConfig config, Tls tls, Role role, String id) {
        NodeIdentity wanted = new NodeIdentity(config.coordinator().cluster(), NodeNames.role(role), id);
        return PeerCertificate.mismatch(tls.own(), wanted)
                .map(why -> "Other nodes would refuse this node: " + why
                        + ". Issue a new certificate: chimera tls issue " + wanted.role() + " " + id
                        + " --cluster " + wanted.cluster() + ".");
    }

    /** Returns the certificates of connections between nodes; null for plain connections. */
    public NodeTls node() {
        Tls tls = sections.get(NODE);
        return tls == null ? null : new NodeTls(tls, config.coordinator().cluster());
    }

    /** Returns the HTTP port of the process with its certificates; empty for plain HTTP. */
    public Map<Endpoint, Tls> http() {
        Tls tls = sections.get(NODE);
        return tls == null ? Map.of() : Map.of(config.node().http(), tls);
    }

    /** Returns the input ports with TLS and their certificates. */
    public Map<Endpoint, Tls> inputs() {
        Map<Endpoint, Tls> ports = new HashMap<>();
        config.inputs().forEach((name, input) -> {
            Tls tls = sections.get(inputSection(name));
            if (tls != null && input.http() != null) {
                ports.put(input.http(), tls);
            }
            if (tls != null && input.tcp() != null) {
                ports.put(input.tcp(), tls);
            }
        });
        return ports;
    }

    /** Returns the certificates of a store's client; empty to use the certificates of the Java runtime. */
    public Optional<Tls> store(String name) {
        return Optional.ofNullable(sections.get(storeSection(name)));
    }

    /** Returns the certificates for ZooKeeper; empty for plain connections. */
    public Optional<Tls> coordinator() {
        return Optional.ofNullable(sections.get(COORDINATOR));
    }

    /** Returns warnings about the certificate files, one sentence each. */
    public List<String> warnings() {
        return Stream.concat(
                        sections.values().stream().flatMap(tls -> tls.warnings().stream()),
                        checkRevocations(sections).values().stream()) // a reloaded file may have another authority
                .distinct()
                .toList();
    }

    /** Registers a gauge with the expiry time of each certificate. */
    public void register(Metrics metrics) {
        sections.forEach((section, tls) -> tls.notAfterMs()
                .keySet()
                .forEach(file -> metrics.register(
                        section,
                        file.toString(),
                        TlsGauge.NOT_AFTER_SECONDS,
                        () -> tls.notAfterMs().get(file) / 1_000.0)));
    }

    @Override
    public void close() {
        watch.close();
    }
}
