package io.chimera.node.http;

import io.chimera.common.channel.HttpHandler;
import io.chimera.common.metrics.Metrics;
import java.util.List;
import java.util.Map;

/** Data of a node for its HTTP port. Any thread; must not block. */
public interface NodeFace {
    /** Returns {@code queue}, {@code processor} or {@code coordinator}. */
    String role();

    /** Returns the node's name. */
    String id();

    /** Returns the reasons why the node is not ready, as sentences; empty for a ready node. */
    List<String> notReady();

    /** Returns warnings for the operator as sentences, independent of readiness. */
    default List<String> warnings() {
        return List.of();
    }

    /** Returns the node's metrics. */
    Metrics metrics();

    /** Returns the current state as a JSON-serialisable value. */
    Object status();

    /** Returns the past cycles available for a replay. */
    default PastCycles pastCycles() {
        return PastCycles.NONE;
    }

    /** Returns the accepted commands by name. */
    default Map<String, NodeCommand> commands() {
        return Map.of();
    }

    /** Returns the taps by stage. */
    default Map<String, Tap> taps() {
        return Map.of();
    }

    /** Returns handlers for POST requests in addition to the commands, by path. */
    default Map<String, HttpHandler> pages() {
        return Map.of();
    }
}
