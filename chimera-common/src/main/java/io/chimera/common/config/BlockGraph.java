package io.chimera.common.config;

import io.chimera.common.config.BlockConfig.Edge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The blocks of a composition in an order in which each comes behind those it takes from, and the thread of each: that of
 * the caller, or the one that a queued block begins and the blocks behind it by direct edges go on with. Immutable.
 */
public final class BlockGraph {
    /** The caller's thread, where blocks are that no queue stands ahead of. */
    public static final String CALLER = "";

    private final Map<String, BlockConfig> blocks;
    private final List<String> order = new ArrayList<>();
    private final List<String> cycle = new ArrayList<>();
    private final Map<String, String> threads = new LinkedHashMap<>();

    /** The graph of blocks, of which each takes from blocks that are there. */
    BlockGraph(Map<String, BlockConfig> blocks) {
        this.blocks = blocks;
        Set<String> onTheWay = new LinkedHashSet<>();
        blocks.keySet().forEach(name -> visit(name, onTheWay));
        if (cycle.isEmpty()) {
            order.forEach(name -> threads.put(name, threadOf(name)));
        }
    }

    /** The graph of a composition whose configuration was checked. */
    public static BlockGraph of(CompositionConfig composition) {
        return new BlockGraph(composition.blocks());
    }

    private void visit(String name, Set<String> onTheWay) {
        if (order.contains(name) || !cycle.isEmpty()) {
            return;
        }
        if (!onTheWay.add(name)) {
            List<String> way = new ArrayList<>(onTheWay);
            cycle.addAll(way.subList(way.indexOf(name), way.size()));
            cycle.add(name);
            return;
        }
        for (GateRef source : blocks.get(name).sources()) {
            if (!source.isInput()) {
                visit(source.block(), onTheWay);
            }
        }
        onTheWay.remove(name);
        order.add(name);
    }

    private String threadOf(String name) {
        return blocks.get(name).edge() == Edge.QUEUED
                ? name
                : threadsInto(name).iterator().next();
    }

    /** Names in an order in which each comes behind those it takes from. */
    public List<String> order() {
        return List.copyOf(order);
    }

    /** Names of blocks each of which takes from the next; empty where no points go round. */
    List<String> cycle() {
        return List.copyOf(cycle);
    }

    /** The thread of a block, by the name of the queued block that begins it; {@link #CALLER}. */
    public String thread(String block) {
        return threads.get(block);
    }

    /** The threads from which a block takes points. */
    Set<String> threadsInto(String block) {
        Set<String> into = new TreeSet<>();
        for (GateRef source : blocks.get(block).sources()) {
            into.add(source.isInput() ? CALLER : threads.get(source.block()));
        }
        return into;
    }

    /** Blocks that no other takes from, in the order of their names. */
    public List<String> last() {
        Set<String> last = new TreeSet<>(blocks.keySet());
        blocks.values().forEach(block -> block.sources().forEach(source -> last.remove(source.block())));
        return List.copyOf(last);
    }

    /** What leaves a composition: what its configuration says, or the first gates of the last blocks. */
    public List<GateRef> output(List<String> configured) {
        return (configured.isEmpty() ? last() : configured)
                .stream().map(GateRef::parse).toList();
    }
}
