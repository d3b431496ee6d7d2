package io.chimera.common.config;

import io.chimera.common.config.BlockConfig.Edge;
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
                    at + ": a block is not named input, and has no dot in its name; name it otherwise.");
        }
        if (block.type().isEmpty()) {
            report(at, at + ".type is missing; say which kind of block it is, e.g. type: keep.");
        }
        if (block.from().isEmpty()) {
            report(at + ".from", at + ".from is empty; name a block, or input, or leave the key out for input.");
        }
        if (isBefore && block.edge() == Edge.QUEUED) {
            report(
                    at + ".edge",
                    at
                            + ".edge is queued; blocks ahead of the shard run on the one thread that sends. Make it direct, or"
                            + " move the block behind the shard (after).");
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
                    at + " names " + text + ", which is no block of " + path + "; known: " + String.join(", ", known)
                            + ".");
        }
    }

    private void checkGraph(BlockGraph graph) {
        if (!graph.cycle().isEmpty()) {
            report(
                    path + ".blocks." + graph.cycle().get(0) + ".from",
                    path + ": points go round: " + String.join(" takes from ", graph.cycle())
                            + ". Take one of them from elsewhere; a block that needs what it emitted keeps it as state.");
            return;
        }
        graph.order().forEach(name -> {
            String at = path + ".blocks." + name + ".from";
            checkOneThread(at, at + " takes from", graph.threadsInto(name));
        });
        List<GateRef> leaving = graph.output(output);
        Set<String> threads = leaving.stream()
                .map(ref -> ref.isInput() ? BlockGraph.CALLER : graph.thread(ref.block()))
                .collect(Collectors.toCollection(TreeSet::new));
        checkOneThread(path + ".output", path + ".output takes from", threads);
        for (String last : graph.last()) {
            if (leaving.stream().noneMatch(ref -> ref.block().equals(last))) {
                String at = path + ".blocks." + last;
                report(
                        at,
                        at + ": nobody takes its points. Take from it, name it in " + path
                                + ".output, or leave it out.");
            }
        }
    }

    private void checkOneThread(String at, String what, Set<String> threads) {
        if (threads.size() > 1) {
            String named = threads.stream()
                    .map(thread ->
                            thread.equals(BlockGraph.CALLER) ? "the one that brings the input" : "that of " + thread)
                    .collect(Collectors.joining(" and "));
            report(
                    at,
                    what + " two threads (" + named + "), whose points would mix in an order that is another each time."
                            + " Make edges direct until it is one.");
        }
    }

    private void report(String at, String message) {
        isSound = false;
        report.accept(at, message);
    }
}
