package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ConfigNode.Section;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What no record can check alone, because it concerns several. */
final class CrossChecks {
    private final ChimeraConfig config;
    private final Section root;
    private final List<ConfigProblem> problems;

    /**
     * Checks of one configuration.
     *
     * @param root the nodes it was made of, for the places
     * @param problems what is wrong is added here
     */
    CrossChecks(ChimeraConfig config, Section root, List<ConfigProblem> problems) {
        this.config = config;
        this.root = root;
        this.problems = problems;
    }

    void run() {
        config.pipelines().forEach((name, pipeline) -> {
            String path = "pipelines." + name;
            reportUnknown(path + ".inputs", pipeline.inputs(), config.inputs().keySet(), "input");
            reportUnknown(path + ".stores", pipeline.stores(), config.stores().keySet(), "store");
            if (pipeline.stores().isEmpty()) {
                report(path, path + ".stores is empty; name at least one store, or its rows go nowhere.");
            }
            checkCompositions(path, pipeline);
        });
        config.inputs().forEach((name, input) -> {
            if (!input.listens() && !input.isPlugin() && !input.fetches()) {
                String path = "inputs." + name;
                report(path, path + " listens nowhere; give http, tcp or udp an address such as 127.0.0.1:8086.");
            }
        });
        RowOverlap.of(config.pipelines(), config.stores())
                .forEach(overlap -> report("pipelines." + overlap.second() + ".stores", overlap.message()));
        reportClashes(OpenPort.listeners(config));
        checkLoops();
        checkDatagrams();
        checkSystemPorts();
        OpenPort.of(config).stream()
                .filter(port -> !port.isPermitted())
                .forEach(port -> report(port.listening().path(), port.problem()));
    }

    /** A store that is an input of the same node: each row would come back as a point, and give more rows. */
    private void checkLoops() {
        List<Listening> listeners = OpenPort.listeners(config);
        config.stores().forEach((name, store) -> listeners.stream()
                .filter(listening ->
                        listening.isTargetOf(store.url(), config.node().host()))
                .findFirst()
                .ifPresent(listening -> {
                    String path = "stores." + name + ".url";
                    report(
                            path,
                            path + " is " + store.url() + ", on which " + listening.path()
                                    + " of this node listens: rows would come back as data points without end. Write"
                                    + " the address of the store.");
                }));
    }

    /** A datagram carries no token, so only addresses can let it in. */
    private void checkDatagrams() {
        config.inputs().forEach((name, input) -> {
            if (input.udp() != null
                    && config.node().tokens() != null
                    && input.allow().isEmpty()) {
                String path = "inputs." + name + ".udp";
                report(
                        path,
                        path + " would refuse every datagram: with node.tokens each sender has to show who it is, and a"
                                + " datagram cannot. Set inputs." + name
                                + ".allow to the addresses of the senders, or remove udp.");
            }
        });
    }

    /** Listeners are told apart by their addresses: where the system chooses the port, two of them look alike. */
    private void checkSystemPorts() {
        Map<Endpoint, TlsConfig> seen = new HashMap<>();
        config.inputs().forEach((name, input) -> {
            for (Endpoint address : new Endpoint[] {input.http(), input.tcp()}) {
                if (address != null
                        && address.port() == 0
                        && seen.containsKey(address)
                        && !Objects.equals(seen.get(address), input.tls())) {
                    String path = "inputs." + name + ".tls";
                    report(
                            path,
                            path + " differs from that of another input at " + address + "; give one of them a port.");
                }
                seen.put(address, input.tls());
            }
        });
    }

    private void checkCompositions(String path, PipelineConfig pipeline) {
        if (pipeline.before() != null) {
            new CompositionChecks(path + ".before", pipeline.before(), this::report).run();
        }
        if (pipeline.after() != null) {
            new CompositionChecks(path + ".after", pipeline.after(), this::report).run();
        } else if (pipeline.aggregate().functions().isEmpty()) {
            String at = path + ".aggregate.functions";
            report(
                    at,
                    at + " is empty, and there is no composition (after) whose points would become rows; name at least"
                            + " one function.");
        }
    }

    private void reportUnknown(String path, List<String> named, Set<String> known, String kind) {
        for (String name : named) {
            if (!known.contains(name)) {
                String all = known.isEmpty() ? "none is configured" : "known: " + String.join(", ", known);
                report(path, path + " names the " + kind + " '" + name + "', which does not exist; " + all + ".");
            }
        }
    }

    private void reportClashes(List<Listening> all) {
        for (int i = 0; i < all.size(); i++) {
            for (int k = 0; k < i; k++) {
                Listening here = all.get(i);
                Listening before = all.get(k);
                if (here.clashesWith(before)) {
                    report(
                            here.path(),
                            here.path() + " and " + before.path() + " of this node both want " + here.address()
                                    + "; give one of them another port.");
                }
            }
        }
    }

    /** Reports at the place of the deepest key of the path that the file has. */
    private void report(String path, String message) {
        ConfigNode at = root;
        for (String key : path.split("\\.", -1)) {
            if (!(at instanceof Section section) || !section.entries().containsKey(key)) {
                break;
            }
            at = section.entries().get(key);
        }
        problems.add(at.place().problem(message));
    }
}
