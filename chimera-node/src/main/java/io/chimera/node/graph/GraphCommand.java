package io.chimera.node.graph;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.node.config.PipelinePlans;
import io.chimera.node.option.ConfigOptions;
import io.chimera.node.plugin.NodePlugins;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the pipelines with their compositions as a graph. */
@Command(
        name = "graph",
        description = "Print pipelines and their blocks as a graph in DOT or SVG.",
        mixinStandardHelpOptions = true)
public final class GraphCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--pipeline", paramLabel = "NAME", description = "Print this pipeline only.")
    private String pipeline;

    @Option(names = "--svg", description = "Print SVG instead of DOT.")
    private boolean isSvg;

    /** Creates the command for picocli. */
    public GraphCommand() {}

    @Override
    public Integer call() {
        ChimeraConfig config = options.load(List.of());
        if (pipeline != null && !config.pipelines().containsKey(pipeline)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "There is no pipeline " + pipeline + "; configured: "
                            + String.join(", ", config.pipelines().keySet()) + ".");
        }
        Map<String, PipelinePlans> plans = PipelinePlans.of(
                config, PluginHost.unfenced(NodePlugins.load(config)).blocks());
        Graph graph = new Graph();
        plans.forEach((name, plan) -> {
            if (pipeline == null || pipeline.equals(name)) {
                graph.add(name, config.pipelines().get(name), plan);
            }
        });
        PrintWriter out = spec.commandLine().getOut();
        out.print(isSvg ? SvgWriter.write(graph) : DotWriter.write(graph));
        out.flush();
        return 0;
    }
}
