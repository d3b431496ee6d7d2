package io.chimera.node.watch;

import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Samples live traffic. */
@Command(name = "tap", description = "Show the latest traffic at one stage of a node.", mixinStandardHelpOptions = true)
public final class TapCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HttpOption http = new HttpOption();

    @Parameters(
            index = "0",
            paramLabel = "STAGE",
            description = "Stage, e.g. journal on a queue node. An unknown stage prints the list.")
    private String stage;

    @Option(names = "--limit", defaultValue = "10", description = "Maximum number of lines. Default: ${DEFAULT-VALUE}.")
    private int limit;

    /** Creates the command for picocli. */
    public TapCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        String page = "/tap?limit=" + Math.max(1, limit) + "&stage=" + URLEncoder.encode(stage, StandardCharsets.UTF_8);
        NodeClient client = http.client();
        PrintWriter out = spec.commandLine().getOut();
        out.print(client.get(client.url(http.address(), page)));
        out.flush();
        return 0;
    }
}
