package io.chimera.node.dataset;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.dataset.client.JobClient;
import io.chimera.node.option.ConfigOptions;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that read or change the jobs of a cluster. */
final class JobsOption {
    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** Use of the jobs of a cluster. */
    interface Use {
        int run(JobClient client) throws IOException;
    }

    boolean isJson() {
        return json;
    }

    /** Connects to the cluster of the configuration, and runs a use of its jobs. */
    int with(Use use) throws InterruptedException {
        try (JobClient client = JobClient.open(options.load(List.of()))) {
            return use.run(client);
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, String.valueOf(e.getMessage()), e);
        }
    }
}
