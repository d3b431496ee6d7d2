package io.chimera.apps.node;

import io.chimera.common.channel.HttpHandler;
import io.chimera.common.metrics.Metrics;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a queue node or processor shows.
 *
 * @param context what it was started with
 * @param reasons why it is not ready
 * @param alarms what the operator must know although it is ready
 * @param state what it is doing
 * @param pastCycles the past cycles that it can replay
 * @param taps taps by stage
 * @param pages what answers requests beside those that every node answers, by path
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
        return RoleNames.of(context.role());
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
