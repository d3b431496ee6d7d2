package io.chimera.bench.datasets;

import io.chimera.bench.datasets.path.DelayProxy;
import io.chimera.bench.datasets.process.FarServer;
import io.chimera.bench.datasets.process.SshServer;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tools that copy objects, each with its server behind a path. */
enum CopyTool {
    /** Reads the HTTP server of the job over the same path. */
    CURL {
        @Override
        void behind(DatasetsSite site, NetworkSetting path, Work work) throws IOException, InterruptedException {
            String program = ProgramRun.require("curl");
            site.behind(
                    path,
                    url -> work.measure(url, (objects, target) -> {
                        List<String> command = new ArrayList<>(
                                List.of(program, "-sS", "--fail", "--parallel", "--parallel-max", "" + objects.size()));
                        for (String object : objects) {
                            command.addAll(List.of("-o", target.resolve(object).toString(), url + "/" + object));
                        }
                        return command;
                    }));
        }
    },
    /** Reads an XRootD server, as the job does. */
    XRDCP {
        @Override
        void behind(DatasetsSite site, NetworkSetting path, Work work) throws IOException, InterruptedException {
            String program = ProgramRun.require("xrdcp");
            try (FarServer server = FarServer.xrootd(
                            site.data().root(), site.bench().folder().resolve("xrootd"));
                    DelayProxy proxy = DelayProxy.start(path.model(), server.port())) {
                String url = "root://127.0.0.1:" + proxy.port() + "//" + DataFolder.SET;
                work.measure(url, (objects, target) -> {
                    List<String> command =
                            new ArrayList<>(List.of(program, "-s", "-f", "--parallel", "" + objects.size()));
                    objects.forEach(object -> command.add(url + "/" + object));
                    command.add(target.toString());
                    return command;
                });
            }
        }
    },
    /** The tool of the paper. Reads an SSH server over a path of its own; the job reads the HTTP server. */
    SCP {
        @Override
        void behind(DatasetsSite site, NetworkSetting path, Work work) throws IOException, InterruptedException {
            Path folder = site.bench().folder().resolve("ssh");
            try (SshServer server = SshServer.start(folder);
                    DelayProxy proxy = DelayProxy.start(path.model(), server.port())) {
                Path from = site.data().root().resolve(DataFolder.SET);
                site.behind(
                        path,
                        url -> work.measure(
                                url, (objects, target) -> server.copy(proxy.port(), from, objects, target)));
            }
        }
    };

    /** Makes the command of a copy. */
    @FunctionalInterface
    interface CopyCommand {
        /**
         * Returns the command.
         *
         * @param objects names of the objects, copied at the same time
         * @param target empty folder
         */
        List<String> of(List<String> objects, Path target) throws IOException;
    }

    /** Comparison of a job with a tool. */
    @FunctionalInterface
    interface Work {
        /**
         * Measures.
         *
         * @param url address of the objects for the job
         * @param command command of the tool
         */
        void measure(String url, CopyCommand command) throws IOException, InterruptedException;
    }

    /** Returns the name in figures. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Runs work behind a path.
     *
     * @throws IOException with reason and remedy when the tool or its server is missing
     */
    abstract void behind(DatasetsSite site, NetworkSetting path, Work work) throws IOException, InterruptedException;
}
