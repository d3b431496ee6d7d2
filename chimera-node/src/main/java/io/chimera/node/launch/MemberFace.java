package io.chimera.node.launch;

import io.chimera.common.channel.HttpHandler;
import io.chimera.common.metrics.Metrics;
import io.chimera.node.NodeNames;
import io.chimera.node.http.NodeFace;
import io.chimera.node.http.PastCycles;
import io.chimera.node.http.Tap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Data of a queue node or processor for the HTTP port.
 *
 * @param context start parameters of the node
 * @param reasons reasons why the node is not ready
 * @param alarms warnings for the operator, independent of readiness
 * @param state current state for the status page
 * @param pastCycles past cycles available for a replay
 * @param taps taps by stage
 * @param pages handlers in addition to those of every node, by path
 */
record MemberFace(
        NodeContext context,
        Supplier<List<String>> reasons,
        Supplier<List<String>> alarms,
        Supplier<Map<String, Object>> state,
        PastCycles pastCycles,
        Map<String, Tap> taps,
        Map<String, HttpHandler> pages)
        implements NodeFace {
    @Override
    public String role() {
        return NodeNames.role(context.role());
    }

    @Override
    public String id() {
        return context.id();
    }

    @Override
    public List<String> notReady() {
        return reasons.get();
    }

    @Override
    public List<String> warnings() {
        return alarms.get();
    }

    @Override
    public Metrics metrics() {
        return context.metrics();
    }

    @Override
    public Object status() {
        return state.get();
    }
}
