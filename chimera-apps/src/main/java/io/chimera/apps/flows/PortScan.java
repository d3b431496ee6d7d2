package io.chimera.apps.flows;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import org.agrona.collections.LongHashSet;

/**
 * {@code port_scan}: reports hosts with many failed targets (host and port) in one cycle: connections without an answer
 * or with a reset. At the end of the cycle, each such host leaves as {@code port_scan,host=<host> targets=…}; targets
 * are counted up to the limit. Takes the points of {@link FlowEnds}.
 */
public final class PortScan implements TransformType {
    /** Creates the type for the ServiceLoader. */
    public PortScan() {}

    @Override
    public String name() {
        return "port_scan";
    }

    @Override
    public Class<? extends Record> settings() {
        return AnomalySettings.class;
    }

    /** No state survives a cycle, so the shortest horizon is enough for a replay. */
    @Override
    public Duration horizon(PluginContext context) {
        return Duration.ofMillis(1);
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.BY_KEY;
    }

    @Override
    public Transform create(PluginContext context) {
        return new Detector(context.settings(AnomalySettings.class));
    }

    /** Failed targets per host of a partition. */
    private static final class Detector implements Transform {
        private final AnomalySettings settings;
        private final Hosts<LongHashSet> hosts;

        Detector(AnomalySettings settings) {
            this.settings = settings;
            hosts = new Hosts<>(settings.hosts(), LongHashSet::new);
        }

        @Override
        public void apply(PointView end, Outlet out) {
            int target = end.field(FlowEnds.TARGET);
            int failed = end.field(FlowEnds.FAILED);
            Text host = end.tag(FlowEnds.HOST);
            if (target < 0 || failed < 0 || host == null || end.whole(failed) == 0) {
                return;
            }
            LongHashSet targets = hosts.of(host);
            if (targets != null && targets.size() < settings.limit()) {
                targets.add(end.whole(target));
            }
        }

        @Override
        public void endCycle(long timeNs, Outlet out) {
            hosts.drain((host, targets) -> {
                if (targets.size() >= settings.limit()) {
                    out.point(0)
                            .metric("port_scan")
                            .tag(FlowEnds.HOST, host)
                            .field("targets", (long) targets.size())
                            .time(timeNs)
                            .end();
                }
            });
        }
    }
}
