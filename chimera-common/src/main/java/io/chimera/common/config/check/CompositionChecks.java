package io.chimera.common.config.check;

import io.chimera.common.config.pipeline.BeforeConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.BlockConfig.Edge;
import io.chimera.common.config.pipeline.BlockGraph;
import io.chimera.common.config.pipeline.CompositionConfig;
import io.chimera.common.config.pipeline.GateRef;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Checks the blocks of a composition without knowledge of their types. */
final class CompositionChecks {
    private final String path;
    private final Map<String, BlockConfig> blocks;
    private final List<String> output;
    private final boolean isBefore;
    private final BiConsumer<String, String> report;
    private boolean isSound = true;

    /**
     * Creates the checks of one composition.
     *
     * @param path full name of the section
     * @param report receives the full name of a key and a sentence
     */
    CompositionChecks(String path, CompositionConfig composition, BiConsumer<String, String> report) {
        this.path = path;
        this.blocks = composition.blocks();
        this.output = composition.output();
        this.isBefore = composition instanceof BeforeConfig;
        this.report = report;
    }

    void run() {
        if (blocks.isEmpty()) {
            report(path, path + " has no blocks; name at least one, or leave " + path + " out.");
        }
        blocks.forEach(this::checkBlock);
        output.forEach(ref -> checkRef(path + ".output", ref));
        if (new LinkedHashSet<>(output).size() < output.size()) {
            report(
                    path + ".output",
                    path + ".output names one gate twice; its points would leave twice. Name it once.");
        }
        if (isSound) {
            checkGraph(new BlockGraph(blocks));
        }
    }

    private void checkBlock(String name, BlockConfig block) {
        String at = path + ".blocks." + name;
        if (name.equals(GateRef.INPUT) || name.contains(".")) {
            report(
                    path + ".blocks",
                    at + ": a block must not be named input or have a dot in its name. Rename the block.");
        }
        if (block.type().isEmpty()) {
            report(at, at + ".type is missing; set a block type, e.g. type: keep.");
        }
        if (block.from().isEmpty()) {
            report(at + ".from", at + ".from is empty; name a block or input, or remove the key for input.");
        }
        if (isBefore && block.edge() == Edge.QUEUED) {
            report(
                    at + ".edge",
                    at
                            + ".edge is queued, but blocks before the sharding run on the sending thread. Make it"
                            + " direct, or move the block to after.");
        }
        block.from().forEach(ref -> checkRef(at + ".from", ref));
        if (new LinkedHashSet<>(block.from()).size() < block.from().size()) {
            report(
                    at + ".from",
                    at + ".from names one gate twice; the block would get its points twice. Name it once.");
        }
    }

    private void checkRef(String at, String text) {
        GateRef ref = GateRef.parse(text);
        if (!ref.isInput() && !blocks.containsKey(ref.block())) {
            Set<String> known = new TreeSet<>(blocks.keySet());
            known.add(GateRef.INPUT);
            report(
                    at,
                    at + " names " + text + ", which is not a block of " + path + "; known: " + String.join(", ", known)
                            + ".");
        }
    }

    private void checkGraph(BlockGraph graph) {
        if (!graph.cycle().isEmpty()) {
            report(
                    path + ".blocks." + graph.cycle().get(0) + ".from",
                    path + ": the blocks form a cycle: " + String.join(" takes from ", graph.cycle())
                            + ". Change one of these sources; a block that needs its own output must keep it as"
                            + " state.");
            return;
        }
        graph.order().forEach(name -> {
            String at = path + ".blocks." + name + ".from";
            checkOneThread(at, at + " has sources on", graph.threadsInto(name));
            checkPool(at, name, graph);
        });
        List<GateRef> leaving = graph.output(output);
        Set<String> threads = leaving.stream()
                .map(ref -> ref.isInput() ? BlockGraph.CALLER : graph.thread(ref.block()))
                .collect(Collectors.toCollection(TreeSet::new));
        checkOneThread(path + ".output", path + ".output has sources on", threads);
        for (String last : graph.last()) {
            if (leaving.stream().noneMatch(ref -> ref.block().equals(last))) {
                String at = path + ".blocks." + last;
                report(
                        at,
                        at + ": its output is unused. Use it as a source, name it in " + path
                                + ".output, or remove it.");
            }
        }
    }

    private void checkPool(String at, String name, BlockGraph graph) {
        boolean isPool = graph.thread(name).equals(name) && graph.pool(name) > 1;
        for (String thread : graph.threadsInto(name)) {
            if (isPool && graph.pool(thread) > 1) {
                report(
                        at,
                        at + " leads from the pool of " + thread + " to another pool; one thread must put the points in"
                                + " order between two pools. Make the edge direct to stay in the pool of " + thread
                                + ", or put a block copy with edge: queued between them.");
            }
        }
    }

    private void checkOneThread(String at, String what, Set<String> threads) {
        if (threads.size() > 1) {
            String named = threads.stream()
                    .map(thread ->
                            thread.equals(BlockGraph.CALLER) ? "the thread of the input" : "the thread of " + thread)
                    .collect(Collectors.joining(" and "));
            report(
                    at,
                    what + " two threads (" + named + "), so the order of its points would not be deterministic."
                            + " Make edges direct until only one thread is left.");
        }
    }

    private void report(String at, String message) {
        isSound = false;
        report.accept(at, message);
    }
}
