package io.chimera.node.archive;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.answer.NodeReport;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.archive.query.filter.PacketFilter;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.server.ClusterArchive;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.answer.ExplanationAnswer;
import io.chimera.archive.server.answer.QueryAnswer;
import io.chimera.archive.server.client.HttpPeers;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PcapWriter.Resolution;
import io.chimera.node.ExitCode;
import io.chimera.node.archive.client.ProgressBar;
import io.chimera.node.archive.client.RecorderClient;
import io.chimera.node.archive.client.WriterStream;
import io.chimera.node.archive.recorder.ClusterAddress;
import io.chimera.node.cluster.ClusterLink;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Queries an archive. */
@Command(
        name = "query",
        description = {
            "Find packets or data points in a volume, a recorder, a processor or a cluster.",
            "The question is a tcpdump filter with optional after, before, stream and limit: 'host 10.0.0.1 and port"
                    + " 25 and after 3m ago'. Data points are selected by metric, tags and value: 'metric=cpu.load.mean"
                    + " and host=web01 and value>0.9'."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:answer complete",
            "1:failed, or parts of the archive unreadable, or nodes absent",
            "2:wrong usage"
        })
final class ArchiveQueryCommand implements Callable<Integer> {
    /**
     * Default timeout for a recorder. Longer than a recorder's own default time limit, so that the recorder can report
     * its reason.
     */
    private static final String RECORDER_SILENCE_MAX = "10m";

    /**
     * Default timeout for a cluster. Shorter, because the nodes answer in parallel and a silent node delays the merge.
     */
    private static final String NODE_SILENCE_MAX = "1m";

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            defaultValue = "",
            paramLabel = "QUESTION",
            description = "Question. Default: everything. Put it after -- if it begins with a minus.")
    private String text;

    @ArgGroup(multiplicity = "1")
    private Of of;

    /** Archive to query. */
    private static final class Of {
        @Option(
                names = "--in",
                split = ",",
                paramLabel = "DEVICE",
                description =
                        "Devices or files of the volume, in the order of their creation. Requires a volume without a"
                                + " writer.")
        private List<String> devices;

        @Option(names = "--http", paramLabel = "HOST:PORT", description = "Recorder or processor with the volume.")
        private String http;

        @Option(
                names = "--cluster",
                paramLabel = "SERVERS[/PATH/NAME]",
                converter = ClusterAddress.Converter.class,
                description = "All archive nodes of the cluster at this ZooKeeper.")
        private ClusterAddress cluster;
    }

    @ArgGroup
    private As as = new As();

    /** Format of the answer. */
    private static final class As {
        @Option(
                names = "--pcap",
                paramLabel = "FILE",
                description = "Write a capture file (packets only); - is standard output.")
        private String pcap;

        @Option(names = "--json", description = "Print a JSON object per packet or point, and one with statistics.")
        private boolean json;

        @Option(
                names = "--connections",
                description = "Print a JSON object per direction of a connection with the times of the first and last"
                        + " packet, and one with statistics (packets only).")
        private boolean connections;

        @Option(names = "--count", description = "Print one JSON object with the number of matches and statistics.")
        private boolean count;

        private AnswerFormat format() {
            if (connections) {
                return AnswerFormat.CONNECTIONS;
            }
            return pcap != null
                    ? AnswerFormat.PCAP
                    : json ? AnswerFormat.JSON : count ? AnswerFormat.COUNT : AnswerFormat.TEXT;
        }
    }

    @Option(
            names = "--explain",
            description =
                    "Print the cost of the search instead of the packets: index lookups, skipped and read intervals."
                            + " With --json as an object.")
    private boolean explain;

    @Option(
            names = "--after",
            paramLabel = "TIME",
            description = "Only at or after this time: '3m ago', 2026-11-03T11:05:00Z.")
    private String after;

    @Option(names = "--before", paramLabel = "TIME", description = "Only before this time.")
    private String before;

    @Option(names = "--stream", paramLabel = "NAME", description = "Only this stream. Default: all, merged by time.")
    private String stream;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "packets or points, for a cluster with both kinds; requires --cluster.")
    private String kind;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of packets or points.")
    private Long limit;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = SilenceConverter.class,
            description = "Timeout for a silent recorder or processor. Default: "
                    + RECORDER_SILENCE_MAX + " with --http; " + NODE_SILENCE_MAX
                    + " with --cluster, where the answer names the silent nodes.")
    private Duration timeout;

    @Override
    public Integer call() throws InterruptedException {
        if (explain && (as.pcap != null || as.count || as.connections)) {
            throw new ParameterException(
                    spec.commandLine(), "--explain prints no packets; it excludes --pcap, --count and --connections.");
        }
        if (explain && of.cluster != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--explain works on a single archive; query a recorder with --http instead of a cluster.");
        }
        if (timeout != null && of.devices != null) {
            throw new ParameterException(spec.commandLine(), "--timeout applies to --http and --cluster, not to --in.");
        }
        if (kind != null && (of.cluster == null || ArchiveKind.of(kind).isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(), "--kind is packets or points and requires --cluster; otherwise name a stream.");
        }
        Question question = question();
        try {
            if (of.cluster != null) {
                return askCluster(question);
            }
            return of.http == null ? askVolume(question) : askRecorder(question);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR, "The answer cannot be written and is incomplete: " + e.getMessage() + ".", e);
        }
    }

    private Question question() {
        long nowNs = new SystemClock().epochNs();
        Question asked = Question.parse(text, nowNs);
        return new Question(
                asked.filter(),
                stream == null ? asked.stream() : stream,
                after == null
                        ? asked.afterNs()
                        : Question.parse("after " + after, nowNs).afterNs(),
                before == null
                        ? asked.beforeNs()
                        : Question.parse("before " + before, nowNs).beforeNs(),
                limit == null
                        ? asked.limit()
                        : Question.parse("limit " + limit, nowNs).limit());
    }

    private int askVolume(Question question) throws IOException {
        try (Volume volume = VolumeOption.open(of.devices, new SystemClock());
                ArchiveQuery<?> query = volume.ask(question);
                OutputStream out = out();
                ProgressBar bar =
                        new ProgressBar(volume, question, spec.commandLine().getErr())) {
            query.warnings().forEach(this::tell);
            query.prepare();
            QueryProgress progress = explain
                    ? new ExplanationAnswer(query, out).write(as.format())
                    : new QueryAnswer(query, out, bar::show).write(as.format(), Resolution.NANOSECONDS, Long.MAX_VALUE);
            bar.clear();
            return told(progress, query);
        }
    }

    private int askCluster(Question question) throws IOException, InterruptedException {
        Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
        try (ClusterLink link = ClusterLink.open(of.cluster.config(), "query");
                HttpPeers peers = new HttpPeers(new Random(), silenceMax(NODE_SILENCE_MAX));
                FoundItems found =
                        new ClusterArchive(link::view, peers, new SystemClock(), counters).ask(question, wanted());
                OutputStream out = out()) {
            found.warnings().forEach(this::tell);
            QueryProgress progress = new QueryAnswer(found, out, ignored -> {})
                    .write(as.format(), Resolution.NANOSECONDS, Long.MAX_VALUE);
            int exitCode = told(progress, found);
            NodeReport report = found.nodes().orElseThrow();
            if (as.format() == AnswerFormat.PCAP || as.format() == AnswerFormat.TEXT) {
                tell("nodes asked " + report.asked() + ", skipped " + report.skipped());
            }
            report.absent().forEach(absent -> tell(sentence(absent)));
            return report.absent().isEmpty() ? exitCode : ExitCode.FAILED;
        }
    }

    private Optional<ArchiveKind> wanted() {
        return kind == null && as.format().isOfPackets()
                ? Optional.of(ArchiveKind.PACKETS)
                : Optional.ofNullable(kind).flatMap(ArchiveKind::of);
    }

    private static String sentence(Absent absent) {
        String after = absent.afterNs() == Long.MIN_VALUE ? "" : " from " + Instant.ofEpochSecond(0, absent.afterNs());
        String before =
                absent.beforeNs() == Long.MAX_VALUE ? "" : " up to " + Instant.ofEpochSecond(0, absent.beforeNs());
        if (absent.id().equals(Absent.UNKNOWN)) {
            return "The answer may be incomplete: " + absent.why() + ".";
        }
        return "Archive node " + absent.id() + " did not answer completely; its data" + after + before
                + " may be missing: " + absent.why() + ".";
    }

    private int told(QueryProgress progress, FoundItems found) {
        if (!explain && (as.format() == AnswerFormat.PCAP || as.format() == AnswerFormat.TEXT)) {
            tell(progress.found() + (found instanceof FoundPoints ? " points" : " packets") + "; intervals read "
                    + progress.intervals() + ", skipped " + progress.skipped()
                    + (progress.gone() > 0 ? ", overwritten " + progress.gone() : ""));
        }
        if (progress.unasked() > 0) {
            tell(progress.unasked()
                    + " packets have link types unsupported by this filter and are missing in the answer."
                    + " A query without a filter includes them.");
        }
        if (progress.damaged() > 0) {
            tell(progress.damaged() + " intervals cannot be read and are missing in the answer; the first: "
                    + progress.damage());
            return ExitCode.FAILED;
        }
        return 0;
    }

    /** Prints warnings about the filter. A recorder reports errors over HTTP, but no warnings. */
    private void warn(Question question) {
        try {
            // link type 1, Ethernet, on behalf of all link types
            PacketFilter.compile(question.filter(), 1).warnings().forEach(this::tell);
        } catch (QuestionException e) {
            // a question about data points, or an error reported by the recorder
        }
    }

    private int askRecorder(Question question) throws IOException {
        warn(question);
        new RecorderClient(Endpoint.parse(of.http), silenceMax(RECORDER_SILENCE_MAX))
                .ask(question, as.format(), explain, this::out);
        return 0;
    }

    private Duration silenceMax(String otherwise) {
        return timeout == null ? Durations.parse(otherwise) : timeout;
    }

    private void tell(String sentence) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(sentence);
        err.flush();
    }

    private OutputStream out() throws IOException {
        if (as.pcap == null) {
            return new WriterStream(spec.commandLine().getOut());
        }
        if (as.pcap.equals("-")) {
            return new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 20);
        }
        try {
            return new BufferedOutputStream(Files.newOutputStream(Path.of(as.pcap)), 1 << 20);
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, as.pcap + " cannot be written: " + e.getMessage() + ".", e);
        }
    }
}
