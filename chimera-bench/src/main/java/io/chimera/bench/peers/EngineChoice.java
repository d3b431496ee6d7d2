package io.chimera.bench.peers;

import io.chimera.bench.peers.engine.Engine;
import io.chimera.bench.peers.engine.Workplace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Option for the engines of a measurement: all engines, unless some are named. */
public final class EngineChoice {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ENGINE",
            description = "Run only these engines; an unknown name prints the list.")
    private List<String> only = List.of();

    /** Called by picocli. */
    public EngineChoice() {}

    /**
     * Returns the chosen engines in their order.
     *
     * @throws ParameterException when a named engine does not exist
     */
    public Map<String, Function<Workplace, Engine>> of(Map<String, Function<Workplace, Engine>> all) {
        for (String name : only) {
            if (!all.containsKey(name)) {
                throw new ParameterException(
                        command.commandLine(),
                        "No engine '" + name + "'; there are " + String.join(", ", all.keySet()) + ".");
            }
        }
        Map<String, Function<Workplace, Engine>> chosen = new LinkedHashMap<>(all);
        chosen.keySet().removeIf(name -> !only.isEmpty() && !only.contains(name));
        return chosen;
    }

    /** Returns the option as typed by the user, with a leading space; empty when nothing was chosen. */
    public String typed() {
        return only.isEmpty() ? "" : " --only " + String.join(",", only);
    }
}
