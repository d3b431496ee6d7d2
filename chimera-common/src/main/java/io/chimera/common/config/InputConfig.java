package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Extensible;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.binding.Settings;
import io.chimera.common.identity.AddressRange;
import java.util.List;
import java.util.Set;

/** Input of a queue node: a protocol and its listen addresses. */
public record InputConfig(
        @Doc("Protocol: influx (line protocol over HTTP, TCP and UDP), graphite (plaintext over TCP and UDP),"
                + " graphite_pickle (over TCP), kairosdb (its REST API, and telnet on tcp),"
                + " opentsdb (/api/put, and telnet on tcp), statsd (and DogStatsD over UDP and TCP),"
                + " syslog (RFC 5424, 3164 and 6587 over TCP and UDP),"
                + " tweets (their hashtags; a JSON object a line over HTTP and TCP), capture (flows of packets),"
                + " ipfix (flow records: IPFIX over UDP and TCP, NetFlow 5 and 9 over UDP), or the name of a"
                + " parser or source plugin, with additional keys of its own. A source plugin has no listener.")
        @Default(INFLUX)
        String type,

        @Doc("Address of the HTTP listener, host:port; absent: no listener.")
        Endpoint http,

        @Doc("Address of the TCP listener, host:port; absent: no listener.")
        Endpoint tcp,

        @Doc("Address of the UDP listener, host:port, only for graphite,"
                + " influx, ipfix, statsd, syslog and plugins; absent: no listener.")
        Endpoint udp,

        @Doc("Certificates of the HTTP and TCP listeners; absent: plaintext. UDP is always plaintext.")
        TlsConfig tls,

        @Doc("Limits of this input.") @Default LimitsConfig limits,

        @Doc("Packets and flows; only for inputs of type capture.")
        CaptureConfig capture,

        @Doc("Conversion of flows to data points; only for inputs of types capture and ipfix.")
        FlowConfig flow,

        @Doc("Reading of flow records; only for inputs of type ipfix.")
        IpfixConfig ipfix,

        @Doc("Reading of paths; only for inputs of types graphite and graphite_pickle.")
        GraphiteConfig graphite,

        @Doc("Reading of metrics; only for inputs of type statsd.")
        StatsdConfig statsd,

        @Doc("Reading of messages; only for inputs of type syslog.")
        SyslogConfig syslog,

        @Doc("Permits this input to listen beyond loopback without authentication and TLS, so every machine with"
                + " network access may write.")
        @Default("false")
        Boolean insecure,

        @Doc("Addresses and networks (CIDR) that may send without a token, e.g. [10.1.0.0/16]. Without node.tokens"
                + " all other addresses are refused, unless the list is empty. The only check for UDP.")
        @Default
        List<String> allow,

        Settings settings)
        implements Extensible {
    /** Graphite's plaintext protocol. */
    public static final String GRAPHITE = "graphite";

    /** Graphite's pickle protocol. */
    public static final String GRAPHITE_PICKLE = "graphite_pickle";

    /** InfluxDB line protocol. */
    public static final String INFLUX = "influx";

    /** KairosDB's REST API and telnet commands. */
    public static final String KAIROSDB = "kairosdb";

    /** OpenTSDB's HTTP API and telnet commands. */
    public static final String OPENTSDB = "opentsdb";

    /** StatsD and DogStatsD. */
    public static final String STATSD = "statsd";

    /** Messages of syslog. */
    public static final String SYSLOG = "syslog";

    /** Tweets as JSON, one per line; only the hashtags are used. */
    public static final String TWEETS = "tweets";

    /** Packets of an interface, converted to flows. */
    public static final String CAPTURE = "capture";

    /** Flow records: IPFIX, NetFlow 5 and 9. */
    public static final String IPFIX = "ipfix";

    private static final Set<String> BUILT_IN =
            Set.of(GRAPHITE, GRAPHITE_PICKLE, INFLUX, KAIROSDB, OPENTSDB, STATSD, SYSLOG, TWEETS, CAPTURE, IPFIX);

    /** Built-in types with a UDP listener. */
    private static final Set<String> BY_UDP = Set.of(GRAPHITE, INFLUX, IPFIX, STATSD, SYSLOG);

    /** Built-in types without an HTTP listener. */
    private static final Set<String> NOT_BY_HTTP = Set.of(GRAPHITE, GRAPHITE_PICKLE, IPFIX, STATSD, SYSLOG);

    /** Checks the values. */
    public InputConfig {
        boolean isOfRecords = type.equals(IPFIX);
        boolean isOfPaths = type.equals(GRAPHITE) || type.equals(GRAPHITE_PICKLE);
        boolean isOfSyslog = type.equals(SYSLOG);
        syslog = syslog == null && isOfSyslog ? Sections.of(SyslogConfig.class) : syslog;
        boolean isOfStatsd = type.equals(STATSD);
        statsd = statsd == null && isOfStatsd ? Sections.of(StatsdConfig.class) : statsd;
        graphite = graphite == null && isOfPaths ? Sections.of(GraphiteConfig.class) : graphite;
        boolean isOfFlows = isOfRecords || type.equals(CAPTURE);
        flow = flow == null && isOfFlows ? FlowConfig.DEFAULT : flow;
        ipfix = ipfix == null && isOfRecords ? Sections.of(IpfixConfig.class) : ipfix;
        new Requirements()
                .that(
                        udp == null || BY_UDP.contains(type) || !BUILT_IN.contains(type),
                        "udp",
                        udp,
                        "no UDP listener for this type of input")
                .that(
                        tls == null || (tls.hasCertificate() && (http != null || tcp != null)),
                        "tls",
                        tls == null || tls.hasCertificate() ? "given" : "incomplete",
                        "cert and key, for an input with http or tcp")
                .that(
                        allow.stream().allMatch(InputConfig::isRange),
                        "allow",
                        allow,
                        "addresses or networks, e.g. 10.1.0.0/16 or 2001:db8::/32")
                .that(
                        http == null || !NOT_BY_HTTP.contains(type),
                        "http",
                        http,
                        "no HTTP listener for this type of input")
                .that(flow == null || isOfFlows, "flow", "given", "none for this type of input")
                .that(
                        flow == null || isOfRecords || !flow.isOfExporter(),
                        "flow",
                        "with columns of exporters",
                        "tags and fields of the flow itself for this type of input")
                .that(graphite == null || isOfPaths, "graphite", "given", "none for this type of input")
                .that(statsd == null || isOfStatsd, "statsd", "given", "none for this type of input")
                .that(syslog == null || isOfSyslog, "syslog", "given", "none for this type of input")
                .that(ipfix == null || isOfRecords, "ipfix", "given", "none for this type of input")
                .that(
                        !type.equals(CAPTURE)
                                || (capture != null && !capture.source().isEmpty()),
                        "capture",
                        capture == null ? null : "without a source",
                        "a source of packets, e.g. capture: { source: 'tpacket:eth0' }")
                .that(
                        capture == null || type.equals(CAPTURE),
                        "capture",
                        "given",
                        "none for this type of input, only for type: capture")
                .that(
                        !type.equals(CAPTURE) || (http == null && tcp == null && udp == null),
                        "type",
                        type,
                        "no http, tcp or udp, because packets are captured")
                .check();
    }

    /** Returns a copy with other limits. */
    public InputConfig with(LimitsConfig others) {
        return new InputConfig(
                type, http, tcp, udp, tls, others, capture, flow, ipfix, graphite, statsd, syslog, insecure, allow,
                settings);
    }

    private static boolean isRange(String text) {
        try {
            AddressRange.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Addresses exempt from tokens. */
    public List<AddressRange> allowedRanges() {
        return allow.stream().map(AddressRange::parse).toList();
    }

    @Override
    public boolean isPlugin() {
        return !BUILT_IN.contains(type);
    }

    /** Returns whether the input fetches its points and therefore has no listener. */
    public boolean fetches() {
        return type.equals(CAPTURE);
    }

    /** Returns whether the input has a listener. */
    public boolean listens() {
        return http != null || tcp != null || udp != null;
    }
}
