package io.chimera.common.config.check;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.Listening;
import io.chimera.common.config.OpenPort;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ConfigNode;
import io.chimera.common.config.binding.ConfigNode.Section;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.pipeline.CompositionConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks across several records of a configuration. */
public final class CrossChecks {
    private final ChimeraConfig config;
    private final Section root;
    private final List<ConfigProblem> problems;
    private final WrongSections wrong;

    /**
     * Creates the checks of one configuration.
     *
     * @param root parsed nodes of the configuration, for the places of problems
     * @param problems receives the problems; checks that depend on a key of a section with a problem are skipped
     */
    public CrossChecks(ChimeraConfig config, Section root, List<ConfigProblem> problems) {
        this.config = config;
        this.root = root;
        this.problems = problems;
        wrong = new WrongSections(problems);
    }

    public void run() {
        config.pipelines().forEach((name, pipeline) -> {
            String path = "pipelines." + name;
            reportUnknown(path, "inputs", pipeline.inputs(), config.inputs().keySet());
            reportUnknown(path, "stores", pipeline.stores(), config.stores().keySet());
            if (pipeline.stores().isEmpty() && !wrong.concern(path)) {
                report(path, path + ".stores is empty; name at least one store, or its rows go nowhere.");
            }
            checkCompositions(path, pipeline);
            checkTexts(path, pipeline);
        });
        config.inputs().forEach((name, input) -> {
            String path = "inputs." + name;
            if (!input.listens() && !input.isPlugin() && !input.fetches() && !wrong.concern(path)) {
                report(path, path + " has no listener; set http, tcp or udp to an address such as 127.0.0.1:8086.");
            }
        });
        reportOverlaps();
        List<Listening> listeners = OpenPort.listeners(config).stream()
                .filter(listening -> !wrong.concern(listening.path()) && !wrong.makeUncertain(listening))
                .toList();
        reportClashes(listeners);
        checkLoops(listeners);
        checkDatagrams();
        checkLanes();
        checkQueueLanes();
        checkSystemPorts();
        OpenPort.of(config).stream()
                .filter(port -> !port.isPermitted()
                        && !wrong.concern("node")
                        && !wrong.concern(port.listening().path()))
                .forEach(port -> report(port.listening().path(), port.problem()));
    }

    /** Reports texts in all rows of a pipeline that its database cannot hold. */
    private void checkTexts(String path, PipelineConfig pipeline) {
        boolean hasDatabase = pipeline.stores().stream()
                .map(config.stores()::get)
                .anyMatch(store -> store != null && store.type().equals(StoreConfig.POSTGRESQL));
        boolean hasNull = (pipeline.rows().prefix() + pipeline.rows().tags()).indexOf(0) >= 0;
        if (hasDatabase && hasNull && !wrong.concern(path)) {
            report(
                    path + ".rows",
                    path + ".rows has the character U+0000, which PostgreSQL cannot hold in a text. Remove the"
                            + " character.");
        }
    }

    /** Reports one problem per store for all pairs of pipelines with the same rows in the store. */
    private void reportOverlaps() {
        Map<String, PipelineConfig> pipelines = without(config.pipelines(), "pipelines");
        Map<Set<String>, List<RowOverlap>> byStore =
                RowOverlap.of(pipelines, without(config.stores(), "stores")).stream()
                        .collect(Collectors.groupingBy(RowOverlap::stores, LinkedHashMap::new, Collectors.toList()));
        byStore.values()
                .forEach(overlaps ->
                        report("pipelines." + overlaps.get(0).second() + ".stores", RowOverlap.message(overlaps)));
    }

    /** Returns the entries of a section without problems. */
    private <V> Map<String, V> without(Map<String, V> entries, String section) {
        Map<String, V> sound = new TreeMap<>(entries);
        sound.keySet().removeIf(name -> wrong.concern(section + "." + name));
        return sound;
    }

    /**
     * Reports a store whose url is an input of the same node: each row would return as a point and produce further
     * rows.
     */
    private void checkLoops(List<Listening> listeners) {
        without(config.stores(), "stores").forEach((name, store) -> listeners.stream()
                .filter(listening ->
                        listening.isTargetOf(store.url(), config.node().host()))
                .findFirst()
                .ifPresent(listening -> {
                    String path = "stores." + name + ".url";
                    report(
                            path,
                            path + " is " + store.url() + ", on which " + listening.path()
                                    + " of this node listens: rows would return as data points endlessly. Set"
                                    + " the address of the store.");
                }));
    }

    /** Reports lanes next to a store of type archive: its volume has a single writer. */
    private void checkLanes() {
        String path = "processor.lanes";
        if (config.processor().lanes().fixed() > 1 && config.hasArchive() && !wrong.concern("processor")) {
            report(
                    path,
                    path + " is " + config.processor().lanes()
                            + ", but a store of type archive has a single writer. Set 1 or auto, or run"
                            + " several processors with an archive each.");
        }
    }

    /**
     * Reports resources that the lanes of a queue node cannot share: a port chosen by the system, because all lanes
     * listen on one port, and a volume with an absolute path, because a volume has a single writer.
     */
    private void checkQueueLanes() {
        if (wrong.concern("queue") || config.queueLanes() == 1) {
            return;
        }
        String remedy = "Set queue.lanes: 1, or ";
        without(config.inputs(), "inputs").forEach((name, input) -> {
            for (Endpoint address : new Endpoint[] {input.http(), input.tcp(), input.udp()}) {
                if (address != null && address.port() == 0) {
                    report(
                            "inputs." + name,
                            "inputs." + name + " listens on port 0, but the lanes of a queue node"
                                    + " need one port for all. " + remedy + "a port above 0.");
                }
            }
        });
        VolumeConfig archive = config.queue().journal().archive();
        if (archive != null
                && archive.devices().stream().anyMatch(device -> Path.of(device).isAbsolute())) {
            String path = "queue.journal.archive.devices";
            report(
                    path,
                    path + " has an absolute path, but each lane writes a volume of its own in its folder. " + remedy
                            + "relative paths.");
        }
    }

    /** Reports UDP inputs without allowed addresses: a datagram has no token, so only addresses can permit it. */
    private void checkDatagrams() {
        without(config.inputs(), "inputs").forEach((name, input) -> {
            if (input.udp() != null
                    && config.node().tokens() != null
                    && input.allow().isEmpty()) {
                String path = "inputs." + name + ".udp";
                report(
                        path,
                        path + " would refuse every datagram: node.tokens requires credentials of each sender, but a"
                                + " datagram has none. Set inputs." + name
                                + ".allow to the addresses of the senders, or remove udp.");
            }
        });
    }

    /**
     * Reports inputs with the same address, port 0 and different TLS settings. Listeners are identified by address, and
     * two addresses with port 0 are indistinguishable.
     */
    private void checkSystemPorts() {
        Map<Endpoint, TlsConfig> seen = new HashMap<>();
        without(config.inputs(), "inputs").forEach((name, input) -> {
            for (Endpoint address : new Endpoint[] {input.http(), input.tcp()}) {
                if (address != null
                        && address.port() == 0
                        && seen.containsKey(address)
                        && !Objects.equals(seen.get(address), input.tls())) {
                    String path = "inputs." + name + ".tls";
                    report(
                            path,
                            path + " differs from the tls of another input at " + address
                                    + "; give one of them a port.");
                }
                seen.put(address, input.tls());
            }
        });
    }

    /** Checks a composition without wrong keys: defaults in place of wrong values would make problems of their own. */
    private void checkComposition(String path, CompositionConfig composition) {
        if (composition != null && !wrong.concern(path)) {
            new CompositionChecks(path, composition, this::report).run();
        }
    }

    private void checkCompositions(String path, PipelineConfig pipeline) {
        checkComposition(path + ".before", pipeline.before());
        checkComposition(path + ".after", pipeline.after());
        if (pipeline.after() == null && pipeline.aggregate().functions().isEmpty() && !wrong.concern(path)) {
            String at = path + ".aggregate.functions";
            report(
                    at,
                    at + " is empty without a composition (after) whose points become rows; name at least"
                            + " one function.");
        }
    }

    private void reportUnknown(String pipeline, String section, List<String> named, Set<String> known) {
        String path = pipeline + "." + section;
        String kind = section.substring(0, section.length() - 1);
        for (String name : named) {
            if (!known.contains(name) && !wrong.concern(section + "." + name)) {
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
                            here.text() + " and " + before.text() + " of this node both use " + here.address()
                                    + "; give one of them another port."
                                    + (here.lane() + before.lane() > 0
                                            ? " Lane i listens on the port of the address plus i."
                                            : ""));
                }
            }
        }
    }

    /** Reports a problem at the place of the deepest existing key of the path. */
    private void report(String path, String message) {
        ConfigNode at = root;
        for (String key : path.split("\\.", -1)) {
            if (!(at instanceof Section section) || !section.entries().containsKey(key)) {
                break;
            }
            at = section.entries().get(key);
        }
        problems.add(at.place().problem(path, message));
    }
}
