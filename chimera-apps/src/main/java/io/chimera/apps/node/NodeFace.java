package io.chimera.apps.node;

import io.chimera.common.channel.HttpHandler;
import io.chimera.common.metrics.Metrics;
import java.util.List;
import java.util.Map;

/** What a node shows on its HTTP port. Any thread; quick. */
public interface NodeFace {
    /** {@code queue}, {@code processor} or {@code coordinator}. */
    String role();

    /** The node's name. */
    String id();

    /** Why it is not ready, in sentences; empty when it is. */
    List<String> notReady();

    /** What the operator must know although it may be ready, in sentences. */
    default List<String> warnings() {
        return List.of();
    }

    /** Its metrics. */
    Metrics metrics();

    /** What it is doing, as a value that JSON can hold. */
    Object status();

    /** The past cycles that it can replay. */
    default PastCycles pastCycles() {
        return PastCycles.NONE;
    }

    /** What it can be told, by name. */
    default Map<String, NodeCommand> commands() {
        return Map.of();
    }

    /** Taps by the name of the stage. */
    default Map<String, Tap> taps() {
        return Map.of();
    }

    /** What answers requests that are posted to it, beside its commands, by path. */
    default Map<String, HttpHandler> pages() {
        return Map.of();
    }
}
