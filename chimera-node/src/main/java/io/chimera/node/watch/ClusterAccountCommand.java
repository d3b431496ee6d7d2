package io.chimera.node.watch;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the accounts of an open cycle, and submits the operator's decision about unbalanced accounts. */
@Command(
        name = "account",
        description = "Show the accounts of an open cycle; replay or accept unbalanced accounts.",
        mixinStandardHelpOptions = true)
final class ClusterAccountCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "CYCLE", description = "Number of the cycle.")
    private long cycle;

    @Mixin
    private HttpOption http = new HttpOption();

    @ArgGroup
    private Decision decision = new Decision();

    private static final class Decision {
        @Option(names = "--replay", description = "Process the cycle again from the journals.")
        private boolean replay;

        @Option(
                names = "--accept",
                description = "Raise the low-water mark past the cycle; its points stay unaccounted.")
        private boolean accept;
    }

    @Override
    public Integer call() throws InterruptedException {
        String chosen = decision.replay ? "&decision=replay" : decision.accept ? "&decision=accept" : "";
        PrintWriter out = spec.commandLine().getOut();
        out.println(http.client().tell(http.address(), "account?cycle=" + cycle + chosen));
        out.flush();
        return 0;
    }
}
