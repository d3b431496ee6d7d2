package io.chimera.queue;

import io.chimera.api.spi.Parser;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import io.chimera.common.access.PortAccess;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.config.GraphiteTemplate;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.LimitsConfig;
import io.chimera.common.config.RemoteWriteConfig;
import io.chimera.common.identity.AddressRange;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.Provided;
import io.chimera.flow.capture.CaptureInput;
import io.chimera.flow.capture.CapturePlan;
import io.chimera.flow.ipfix.collector.FlowParsers;
import io.chimera.queue.parser.GraphiteLineParser;
import io.chimera.queue.parser.GraphitePickleParser;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.parser.KairosJsonParser;
import io.chimera.queue.parser.KairosTelnetParser;
import io.chimera.queue.parser.OpenTsdbJsonParser;
import io.chimera.queue.parser.OpenTsdbTelnetParser;
import io.chimera.queue.parser.StatsdParser;
import io.chimera.queue.parser.SyslogParser;
import io.chimera.queue.parser.TweetParser;
import io.chimera.queue.parser.remotewrite.RemoteWrite1Parser;
import io.chimera.queue.parser.remotewrite.RemoteWrite2Parser;
import io.chimera.queue.parser.remotewrite.RemoteWriteParser;
import io.chimera.queue.parser.remotewrite.RemoteWriteRules;
import io.chimera.queue.parser.remotewrite.WrittenCounts;
import io.chimera.queue.source.DatagramSource;
import io.chimera.queue.source.InfluxHttpSource;
import io.chimera.queue.source.InputContext;
import io.chimera.queue.source.KairosHttpSource;
import io.chimera.queue.source.LineStreamSource;
import io.chimera.queue.source.OpenTsdbHttpSource;
import io.chimera.queue.source.PluginHttpSource;
import io.chimera.queue.source.PolledSource;
import io.chimera.queue.source.RemoteWriteSource;
import io.chimera.queue.source.SeriesTracker;
import io.chimera.queue.source.SourceEnvironment;
import io.chimera.queue.source.TelnetAnswers;
import io.chimera.queue.source.Written;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/** Opens the configured inputs: creates the source and the parser of each protocol. */
final class Inputs {
    private static final long NS_PER_MS = 1_000_000;

    private final InputPorts ports;
    private final SourceEnvironment surroundings;
    private final PluginHost plugins;
    private final long flowSeed;
    private final ErrorHandler errors;
    private final Map<String, List<AddressRange>> allowed = new HashMap<>();
    private final Map<String, SeriesTracker> series = new ConcurrentSkipListMap<>();

    Inputs(InputPorts ports, SourceEnvironment surroundings, PluginHost plugins, long flowSeed, ErrorHandler errors) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.plugins = plugins;
        this.flowSeed = flowSeed;
        this.errors = errors;
    }

    /**
     * Opens all inputs, or none: a failure releases the addresses of the opened inputs.
     *
     * @param inputs inputs by name
     * @param isFirstLane whether to open inputs without a listener
     * @return listening addresses, by {@code input/protocol}
     * @throws io.chimera.common.error.ChimeraException when an address is not available
     */
    Map<String, Endpoint> open(SortedMap<String, InputConfig> inputs, boolean isFirstLane) {
        inputs.forEach((name, input) -> {
            allowed.put(name, input.allowedRanges());
            if (input.listens()) {
                series.computeIfAbsent(
                        name,
                        unseen -> new SeriesTracker(
                                name,
                                input.limits().series(),
                                ports.access(),
                                surroundings.clock(),
                                surroundings.counters()));
            }
        });
        try {
            return openAll(inputs, isFirstLane);
        } catch (RuntimeException e) {
            ports.unbind();
            throw e;
        }
    }

    private Map<String, Endpoint> openAll(SortedMap<String, InputConfig> inputs, boolean isFirstLane) {
        List<String> names = List.copyOf(inputs.keySet());
        Map<String, Endpoint> addresses = new LinkedHashMap<>();
        for (int ordinal = 0; ordinal < names.size(); ordinal++) {
            String name = names.get(ordinal);
            InputConfig input = inputs.get(name);
            if (!input.listens() && !isFirstLane) {
                continue; // one lane reads a source, or its points would be counted twice
            }
            switch (input.type()) {
                case InputConfig.GRAPHITE -> openGraphite(name, ordinal, input, addresses);
                case InputConfig.GRAPHITE_PICKLE -> openPickle(name, ordinal, input, addresses);
                case InputConfig.INFLUX ->
                    openLines(
                            name,
                            inlet(name, ordinal, InfluxLineParser::new).speaking(WireProtocol.INFLUX),
                            input,
                            addresses);
                case InputConfig.KAIROSDB -> openKairos(name, ordinal, input, addresses);
                case InputConfig.OPENTSDB -> openOpenTsdb(name, ordinal, input, addresses);
                case InputConfig.REMOTE_WRITE -> openRemoteWrite(name, ordinal, input, addresses);
                case InputConfig.STATSD -> openStatsd(name, ordinal, input, addresses);
                case InputConfig.SYSLOG -> openSyslog(name, ordinal, input, addresses);
                case InputConfig.TWEETS ->
                    openLines(
                            name, inlet(name, ordinal, TweetParser::new).speaking(WireProtocol.JSON), input, addresses);
                case InputConfig.CAPTURE -> openCapture(name, ordinal, input);
                case InputConfig.IPFIX -> openFlows(name, ordinal, input, addresses);
                default -> openPlugin(name, ordinal, input, addresses);
            }
        }
        return addresses;
    }

    /** Series state of each listening input, by name. Any thread. */
    Map<String, SeriesTracker.Status> series() {
        Map<String, SeriesTracker.Status> all = new TreeMap<>();
        series.forEach((name, tracker) -> all.put(name, tracker.status()));
        return all;
    }

    /** Opens the transports of InfluxDB for a line-based protocol. */
    private void openLines(String name, InputContext lines, InputConfig input, Map<String, Endpoint> addresses) {
        Listeners.Limits limits = limits(input.limits());
        if (input.http() != null) {
            addresses.put(name + "/http", ports.http(input.http(), new InfluxHttpSource(lines), limits));
        }
        openStreams(name, lines, input, addresses);
    }

    private void openGraphite(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        List<GraphiteTemplate> templates = input.graphite().parsedTemplates();
        InputContext lines =
                inlet(name, ordinal, () -> new GraphiteLineParser(templates)).speaking(WireProtocol.GRAPHITE);
        openStreams(name, lines, input, addresses);
    }

    private void openPickle(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        List<GraphiteTemplate> templates = input.graphite().parsedTemplates();
        if (input.tcp() != null) {
            // without a protocol: the length of a message may look like the first bytes of another protocol
            InputContext messages = inlet(name, ordinal, () -> new GraphitePickleParser(templates));
            LineStreamSource source = new LineStreamSource(messages, 1, TelnetAnswers.NONE)
                    .ofMessages(GraphitePickleParser.HEADER + GraphitePickleParser.LENGTH_MAX);
            addresses.put(
                    name + "/tcp", ports.tcp(input.tcp(), messages.access().guard(source), limits(input.limits())));
        }
    }

    private void openKairos(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        Listeners.Limits limits = limits(input.limits());
        if (input.http() != null) {
            KairosHttpSource source = new KairosHttpSource(
                    inlet(name, ordinal, KairosJsonParser::new).speaking(WireProtocol.JSON));
            addresses.put(name + "/http", ports.http(input.http(), source, limits));
        }
        if (input.tcp() != null) {
            InputContext commands =
                    inlet(name, ordinal, KairosTelnetParser::new).speaking(WireProtocol.TELNET);
            addresses.put(
                    name + "/tcp",
                    ports.tcp(
                            input.tcp(),
                            commands.access().guard(new LineStreamSource(commands, NS_PER_MS, TelnetAnswers.KAIROSDB)),
                            limits));
        }
    }

    private void openOpenTsdb(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        Listeners.Limits limits = limits(input.limits());
        if (input.http() != null) {
            OpenTsdbHttpSource source = new OpenTsdbHttpSource(
                    inlet(name, ordinal, OpenTsdbJsonParser::new).speaking(WireProtocol.JSON));
            addresses.put(name + "/http", ports.http(input.http(), source, limits));
        }
        if (input.tcp() != null) {
            InputContext commands =
                    inlet(name, ordinal, OpenTsdbTelnetParser::new).speaking(WireProtocol.TELNET);
            LineStreamSource source = new LineStreamSource(commands, 1, TelnetAnswers.OPENTSDB);
            addresses.put(
                    name + "/tcp", ports.tcp(input.tcp(), commands.access().guard(source), limits));
        }
    }

    private void openStatsd(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        InputContext lines = inlet(name, ordinal, () -> new StatsdParser(input.statsd(), surroundings.counters()))
                .speaking(WireProtocol.STATSD);
        openStreams(name, lines, input, addresses);
    }

    private void openSyslog(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        if (input.tcp() != null) {
            InputContext stream = inlet(name, ordinal, () -> new SyslogParser(input.syslog(), true));
            LineStreamSource source =
                    new LineStreamSource(stream, 1, TelnetAnswers.NONE).ofMessages(SyslogParser.UNCONSUMED_MAX);
            addresses.put(name + "/tcp", ports.tcp(input.tcp(), stream.access().guard(source), limits(input.limits())));
        }
        if (input.udp() != null) {
            InputContext datagrams = inlet(name, ordinal, () -> new SyslogParser(input.syslog(), false));
            addresses.put(
                    name + "/udp", ports.udp(input.udp(), datagrams.access().guard(new DatagramSource(datagrams, 1))));
        }
    }

    private void openRemoteWrite(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        if (input.http() == null) {
            return;
        }
        RemoteWriteConfig mapping = input.remoteWrite();
        RemoteWriteRules rules = new RemoteWriteRules(
                mapping.counterSuffixes(), mapping.notFinite() == RemoteWriteConfig.NotFinite.REJECT);
        RemoteWriteSource source = new RemoteWriteSource(
                inlet(name, ordinal, () -> new RemoteWrite1Parser(rules, surroundings.counters()))
                        .countedBy(Inputs::written),
                inlet(name, ordinal, () -> new RemoteWrite2Parser(rules, surroundings.counters()))
                        .countedBy(Inputs::written));
        addresses.put(name + "/http", ports.http(input.http(), source, limits(input.limits())));
    }

    private static Written written(Parser parser) {
        WrittenCounts counts = ((RemoteWriteParser) parser).written();
        return new Written(counts.samples(), 0, counts.exemplars());
    }

    private void openCapture(String name, int ordinal, InputConfig input) {
        ports.start(new CaptureInput(
                name,
                ordinal,
                CapturePlan.of(input.capture(), input.flow(), flowSeed),
                surroundings.ring(),
                surroundings.clock(),
                surroundings.counters(),
                errors));
    }

    private void openFlows(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        FlowParsers parsers = new FlowParsers(input.ipfix(), input.flow(), surroundings.counters());
        if (input.tcp() != null) {
            InputContext messages = inlet(name, ordinal, parsers::ofStream);
            addresses.put(
                    name + "/tcp",
                    ports.tcp(
                            input.tcp(),
                            messages.access().guard(new LineStreamSource(messages, 1, TelnetAnswers.NONE)),
                            limits(input.limits())));
        }
        if (input.udp() != null) {
            InputContext messages = inlet(name, ordinal, parsers::ofDatagrams);
            addresses.put(
                    name + "/udp", ports.udp(input.udp(), messages.access().guard(new DatagramSource(messages, 1))));
        }
    }

    private void openPlugin(String name, int ordinal, InputConfig input, Map<String, Endpoint> addresses) {
        Optional<Provided<Source>> source = plugins.source(input.type());
        if (source.isPresent()) {
            Provided<Source> found = source.get();
            PluginContext context = plugins.context(Source.class, input.type(), name, input.settings())
                    .orElseThrow();
            ports.start(new PolledSource(
                    inlet(name, ordinal, InfluxLineParser::new), plugins.fence(found), found.maker(), context));
        } else {
            Supplier<Parser> parsers = plugins.context(ParserType.class, input.type(), name, input.settings())
                    .flatMap(context -> plugins.parsers(input.type(), context))
                    .orElseThrow();
            openParsed(name, inlet(name, ordinal, parsers), input, addresses);
        }
    }

    private void openParsed(String name, InputContext inlet, InputConfig input, Map<String, Endpoint> addresses) {
        if (input.http() != null) {
            addresses.put(
                    name + "/http", ports.http(input.http(), new PluginHttpSource(inlet), limits(input.limits())));
        }
        openStreams(name, inlet, input, addresses);
    }

    /** Opens the TCP and UDP listeners of an input whose sender gets no answer. */
    private void openStreams(String name, InputContext inlet, InputConfig input, Map<String, Endpoint> addresses) {
        if (input.tcp() != null) {
            LineStreamSource source = new LineStreamSource(inlet, 1, TelnetAnswers.NONE);
            addresses.put(name + "/tcp", ports.tcp(input.tcp(), inlet.access().guard(source), limits(input.limits())));
        }
        if (input.udp() != null) {
            addresses.put(name + "/udp", ports.udp(input.udp(), inlet.access().guard(new DatagramSource(inlet, 1))));
        }
    }

    private InputContext inlet(String name, int ordinal, Supplier<Parser> newParser) {
        return new InputContext(name, ordinal, newParser, surroundings)
                .guardedBy(new PortAccess(ports.access(), name, allowed.getOrDefault(name, List.of())))
                .limitedBy(series.get(name));
    }

    private static Listeners.Limits limits(LimitsConfig limits) {
        return new Listeners.Limits(
                (int) limits.bodyMax().bytes(),
                limits.ratioMax(),
                limits.inFlightMax().bytes(),
                limits.connectionsMax(),
                limits.clientShare(),
                new Listeners.Pace(
                        limits.idle().toMillis(),
                        limits.slow().headersWithin().toMillis(),
                        (int) limits.slow().rateMin().bytes(),
                        limits.slow().rateOver().toMillis(),
                        limits.slow().lineWithin().toMillis()));
    }
}
