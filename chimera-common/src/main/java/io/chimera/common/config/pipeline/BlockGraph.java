package io.chimera.common.config.pipeline;

import io.chimera.common.config.pipeline.BlockConfig.Edge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Blocks of a composition in topological order, with the thread of each block. A queued block begins a new thread;
 * blocks after direct edges run on the thread of their source; other blocks run on the caller's thread. Immutable.
 */
public final class BlockGraph {
    /** Name of the caller's thread, the thread of blocks without a preceding queue. */
    public static final String CALLER = "";

    private final Map<String, BlockConfig> blocks;
    private final List<String> order = new ArrayList<>();
    private final List<String> cycle = new ArrayList<>();
    private final Map<String, String> threads = new LinkedHashMap<>();

    /** Creates the graph of blocks; all their sources must exist. */
    public BlockGraph(Map<String, BlockConfig> blocks) {
        this.blocks = blocks;
        Set<String> onTheWay = new LinkedHashSet<>();
        blocks.keySet().forEach(name -> visit(name, onTheWay));
        if (cycle.isEmpty()) {
            order.forEach(name -> threads.put(name, threadOf(name)));
        }
    }

    /** Creates the graph of a validated composition. */
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

    /** Names in topological order, sources first. */
    public List<String> order() {
        return List.copyOf(order);
    }

    /** Names of blocks in a cycle, each with the next as its source; empty without a cycle. */
    public List<String> cycle() {
        return List.copyOf(cycle);
    }

    /** Returns the thread of a block, named after the queued block at its begin, or {@link #CALLER}. */
    public String thread(String block) {
        return threads.get(block);
    }

    /** Returns the number of threads of the pool behind the name of a thread; 1 without a pool. */
    public int pool(String thread) {
        return thread.equals(CALLER) ? 1 : blocks.get(thread).threads().pool();
    }

    /** Returns the threads of a block's sources. */
    public Set<String> threadsInto(String block) {
        Set<String> into = new TreeSet<>();
        for (GateRef source : blocks.get(block).sources()) {
            into.add(source.isInput() ? CALLER : threads.get(source.block()));
        }
        return into;
    }

    /** Blocks without consumers, ordered by name. */
    public List<String> last() {
        Set<String> last = new TreeSet<>(blocks.keySet());
        blocks.values().forEach(block -> block.sources().forEach(source -> last.remove(source.block())));
        return List.copyOf(last);
    }

    /**
     * Returns the output of a composition: the configured gates, or by default the first gates of the blocks without
     * consumers.
     */
    public List<GateRef> output(List<String> configured) {
        return (configured.isEmpty() ? last() : configured)
                .stream().map(GateRef::parse).toList();
    }
}
