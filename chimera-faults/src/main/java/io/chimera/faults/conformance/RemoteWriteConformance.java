package io.chimera.faults.conformance;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.faults.chaos.machine.WorkFolder;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the compliance suite of Prometheus for receivers of remote write. */
@Command(
        name = "remote-write",
        description = {
            "Run the compliance suite of Prometheus for receivers of remote write.",
            "Needs go: the suite is fetched and built as a Go module, which takes minutes the first time. Starts a node"
                    + " on loopback and ends it afterwards. Exit code 1: a case failed, or the suite is not available."
        })
final class RemoteWriteConformance implements Callable<Integer> {
    private static final GoModule SUITE =
            new GoModule("github.com/prometheus/compliance/remotewrite/receiver", "v0.0.0-20260806071727-67b8327a2e93");

    /** Name of the receiver in the configuration of the suite, and the end of the names of its tests. */
    private static final String RECEIVER = "chimera";

    private static final String PAGE = "docs/conformance/remote-write.md";

    /** The store does not exist: answers depend on the journal only. */
    private static final String CONFIGURATION = """
            node: { id: conformance, host: 127.0.0.1, data_dir: "%s", http: "%s" }
            coordinator: { embedded: { address: "%s" } }
            queue: { address: "%s", journal: { max_bytes: 256MiB, reserve: 1MiB } }
            processor: { address: "%s" }
            inputs: { prometheus: { type: remote_write, http: "%s" } }
            pipelines: { all: { stores: [none] } }
            stores: { none: { type: kairosdb, url: "http://%s" } }
            """;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print a JSON object as the last line of standard output.")
    private boolean json;

    @Option(names = "--docs", description = "Write the result to " + PAGE + ".")
    private boolean docs;

    RemoteWriteConformance() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        Optional<String> unavailable = GoModule.unavailable();
        if (unavailable.isPresent()) {
            throw new ChimeraException(Category.FATAL, "The suite is not available: " + unavailable.get() + ".");
        }
        ChimeraHome home = ChimeraHome.find();
        Path folder = Files.createTempDirectory("chimera-conformance");
        try {
            SuiteResult result = run(home, folder);
            report(result);
            if (docs) {
                Path page = home.folder().resolve(PAGE);
                Files.createDirectories(page.getParent());
                Files.writeString(page, page(result));
            }
            boolean isGood = result.failed() == 0 && !result.cases().isEmpty();
            return isGood ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } finally {
            WorkFolder.delete(folder);
        }
    }

    private SuiteResult run(ChimeraHome home, Path folder) throws IOException, InterruptedException {
        Path suite = Files.createDirectory(folder.resolve("suite"));
        SUITE.copyTo(suite);
        FreePorts ports = new FreePorts(6);
        String http = ports.next();
        String input = ports.next();
        Path configuration = Files.writeString(
                folder.resolve("chimera.yaml"),
                CONFIGURATION.formatted(
                        folder.resolve("data"), http, ports.next(), ports.next(), ports.next(), input, ports.next()));
        SuiteResult result = new SuiteResult(RECEIVER);
        Path log = folder.resolve("node.log");
        try (ChildProcess node = ChildProcess.start(
                "Node",
                home.nodeCommand(
                        List.of("-Xmx256m"),
                        List.of("run", "all", "--exit-with-parent", "-c", configuration.toString())),
                folder,
                log)) {
            NodeClient client = new NodeClient();
            node.awaitReady(() -> client.isReady(http));
            Path receivers = Files.writeString(
                    suite.resolve("config.yml"),
                    "remote_write:\n  - name: " + RECEIVER + "\n    url: http://" + input + "/api/v1/write\n");
            Path compiler = folder.resolve("go.log");
            GoModule.test(
                    suite,
                    Map.of("PROMETHEUS_RW2_COMPLIANCE_CONFIG_FILE", receivers.toString()),
                    compiler,
                    result::add);
            if (result.cases().isEmpty()) {
                throw new ChimeraException(Category.FATAL, "The suite ran no case: " + Files.readString(compiler));
            }
        }
        return result;
    }

    private void report(SuiteResult result) {
        PrintWriter out = spec.commandLine().getOut();
        List<SuiteResult.Case> cases = result.cases();
        long passed = cases.stream().filter(SuiteResult.Case::isPassed).count();
        PrintWriter told = json ? spec.commandLine().getErr() : out;
        cases.stream()
                .filter(one -> !one.isPassed())
                .forEach(one -> told.println(one.outcome() + ": " + one.name() + " (answer " + one.status() + ")"));
        told.print(result.failures());
        told.println(passed + " of " + cases.size() + " cases pass.");
        told.flush();
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("cases", cases.size());
            figures.put("passed", passed);
            figures.put("answered_2xx", countOf(cases, 2));
            figures.put("answered_4xx", countOf(cases, 4));
            out.println(Json.line(Map.of("name", "conformance remote-write", "figures", figures)));
            out.flush();
        }
    }

    private static long countOf(List<SuiteResult.Case> cases, int hundreds) {
        return cases.stream().filter(one -> one.status() / 100 == hundreds).count();
    }

    private static String page(SuiteResult result) {
        return result.page(
                "Conformance of remote write",
                "Result of `./chimera conformance remote-write --docs`: the compliance suite of Prometheus for receivers"
                        + " against one\nnode, `" + SUITE.name() + "`\n" + SUITE.version()
                        + ". The suite accepts the answer 400 where a receiver may refuse: cases\nwith native histograms"
                        + " are answered 400, because the input rejects native histograms.");
    }
}
