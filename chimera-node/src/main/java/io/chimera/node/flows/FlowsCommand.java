package io.chimera.node.flows;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.flow.capture.FlowKeys;
import io.chimera.flow.capture.FlowMeter;
import io.chimera.flow.ipfix.exporter.ExportSettings;
import io.chimera.flow.table.FlowSink;
import io.chimera.flow.table.FlowTableSettings;
import io.chimera.jni.capture.CaptureCounters;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketCapture;
import io.chimera.node.Json;
import io.chimera.node.option.DurationConverter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Computes flows from packets without a node. */
@Command(
        name = "flows",
        description = {
            "Read packets from a file or an interface and report their flows.",
            "For a damaged file, reports the packets before the damage and its position; exit code 1.",
            "packets, bytes (of the IP headers), wire_bytes and flows (both directions together) count IP only; frames"
                    + " counts all packets. Without timeouts, all packets of a file with the same key are one flow, as for"
                    + " conversations of tshark."
        },
        mixinStandardHelpOptions = true)
public final class FlowsCommand implements Callable<Integer> {
    /** Timeout longer than any capture: about 27 years. */
    private static final Duration NEVER = Duration.ofDays(10_000);

    private static final int POLL_MS = 50;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private From from;

    /** Source of the packets. */
    private static final class From {
        @Option(names = "--read", paramLabel = "FILE", description = "Capture file: pcap or pcapng.")
        private String file;

        @Option(
                names = "--capture",
                paramLabel = "BACK-END:INTERFACE",
                description = "Interface: tpacket:eth0, libpcap:eth0, af_xdp:eth0@0 (queue 0), netmap:p}1.")
        private String capture;
    }

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "Duration of a capture. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(names = "--filter", defaultValue = "", description = "Packet filter as for tcpdump.")
    private String filter;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of top flows and hosts by bytes. Default: ${DEFAULT-VALUE}.")
    private int top;

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Idle timeout of a flow. Default: none for a file, 15s for an interface.")
    private Duration idle;

    @Option(
            names = "--active",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Active timeout of a record. Default: none for a file, 60s for an interface.")
    private Duration active;

    @Option(names = "--tcp-end", description = "End a flow at FIN of both sides or at RST. Always on for an interface.")
    private boolean endsTcp;

    @Option(names = "--inside", description = "Key flows by the innermost packet of tunnels.")
    private boolean isInside;

    @Option(names = "--no-vlan", description = "Exclude the VLAN from the flow key.")
    private boolean isWithoutVlan;

    @Option(
            names = "--flows-max",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Maximum number of flows; beyond, the longest idle flows end. Default: ${DEFAULT-VALUE}.")
    private int flowsMax;

    @Option(
            names = "--export",
            paramLabel = "COLLECTOR",
            description =
                    "Export the flow records as IPFIX too: ipfix:udp://host:port or ipfix:tcp://host:port. Records of"
                            + " a file wait for the collector, up to 10 s without progress. Records of an interface never"
                            + " wait; records without room are dropped and counted.")
    private String collector;

    private ExportedFlows exported;

    /** Creates the command for picocli. */
    public FlowsCommand() {}

    @Override
    public Integer call() {
        String source = from.file == null ? from.capture : from.file;
        FlowStatistics statistics = new FlowStatistics(top);
        try (PacketCapture capture = Captures.open(options())) {
            if (collector != null) {
                exported = new ExportedFlows(
                        ExportSettings.of(collector),
                        from.file != null ? ExportedFlows.PATIENCE : Duration.ZERO,
                        new SystemClock(),
                        statistics);
            }
            FlowSink sink = exported == null ? statistics : exported;
            FlowMeter meter = new FlowMeter(capture, new FlowKeys(!isWithoutVlan, isInside, 0), tableSettings(), sink);
            String failure = run(meter);
            meter.flush();
            boolean isExported = endExport();
            CaptureCounters counters = new CaptureCounters();
            capture.counters(counters);
            print(new FlowReport(source, meter.counts(), statistics, counters, failure));
            if (!failure.isEmpty()) {
                spec.commandLine().getErr().println(failure + ". The report covers the packets read before.");
            }
            return failure.isEmpty() && isExported ? 0 : 1;
        } catch (CaptureException e) {
            throw new ChimeraException(Category.ERROR, e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Sends the remaining records; returns false if records of a file were dropped. */
    private boolean endExport() {
        if (exported == null) {
            return true;
        }
        exported.close();
        spec.commandLine().getErr().println(exported.told() + ".");
        return from.file == null || exported.dropped() == 0;
    }

    private CaptureOptions options() {
        CaptureOptions options = CaptureOptions.of(from.file == null ? from.capture : "file:" + from.file);
        return options.withFilter(filter);
    }

    private FlowTableSettings tableSettings() {
        boolean isFile = from.file != null;
        FlowTableSettings live = FlowTableSettings.of(flowsMax);
        return new FlowTableSettings(
                flowsMax,
                idle != null ? idle : isFile ? NEVER : live.idle(),
                active != null ? active : isFile ? NEVER : live.active(),
                endsTcp || !isFile);
    }

    /** Reads packets to the end; returns the reason for an early end, or an empty string. */
    private String run(FlowMeter meter) {
        long startNs = System.nanoTime();
        boolean isFile = from.file != null;
        while (isFile || System.nanoTime() - startNs < duration.toNanos()) {
            try {
                if (meter.poll(POLL_MS) == PacketCapture.END) {
                    return "";
                }
            } catch (CaptureException e) {
                return e.getMessage();
            }
            if (exported != null) {
                exported.send();
            }
        }
        return "";
    }

    private void print(FlowReport report) {
        if (json) {
            spec.commandLine().getOut().println(Json.line(report.keys()));
        } else {
            report.print(spec.commandLine().getOut());
        }
        spec.commandLine().getOut().flush();
    }
}
