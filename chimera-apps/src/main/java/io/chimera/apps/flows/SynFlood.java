package io.chimera.apps.flows;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;

/**
 * {@code syn_flood}: reports hosts with many unacknowledged connections in one cycle, more than acknowledged ones. At
 * the end of the cycle, each such host leaves as {@code syn_flood,host=<host> half_open=…,other=…}. Takes the points of
 * {@link FlowEnds}.
 */
public final class SynFlood implements TransformType {
    /** Creates the type for the ServiceLoader. */
    public SynFlood() {}

    @Override
    public String name() {
        return "syn_flood";
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

    /** Connection counts per host of a partition. */
    private static final class Detector implements Transform {
        private final AnomalySettings settings;
        private final Hosts<long[]> hosts;

        Detector(AnomalySettings settings) {
            this.settings = settings;
            hosts = new Hosts<>(settings.hosts(), () -> new long[2]);
        }

        @Override
        public void apply(PointView end, Outlet out) {
            int halfOpen = end.field(FlowEnds.HALF_OPEN);
            Text host = end.tag(FlowEnds.HOST);
            if (halfOpen < 0 || host == null) {
                return;
            }
            long[] counts = hosts.of(host);
            if (counts != null) {
                counts[end.whole(halfOpen) != 0 ? 0 : 1]++;
            }
        }

        @Override
        public void endCycle(long timeNs, Outlet out) {
            hosts.drain((host, counts) -> {
                if (counts[0] >= settings.limit() && counts[0] > counts[1]) {
                    out.point(0)
                            .metric("syn_flood")
                            .tag(FlowEnds.HOST, host)
                            .field("half_open", counts[0])
                            .field("other", counts[1])
                            .time(timeNs)
                            .end();
                }
            });
        }
    }
}
