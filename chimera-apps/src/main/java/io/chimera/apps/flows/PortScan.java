package io.chimera.apps.flows;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import org.agrona.collections.LongHashSet;

/**
 * {@code port_scan}: hosts that, in one cycle, tried many ports or hosts without an answer, or were reset. At the end of the cycle each
 * leaves as {@code port_scan,host=<host> targets=…}; targets are counted up to the limit. Takes the points of {@link FlowEnds}.
 */
public final class PortScan implements TransformType {
    /** For the ServiceLoader. */
    public PortScan() {}

    @Override
    public String name() {
        return "port_scan";
    }

    @Override
    public Class<? extends Record> settings() {
        return AnomalySettings.class;
    }

    /** Nothing is kept beyond a cycle; that of the moment is whole wherever it is run. */
    @Override
    public Duration horizon(PluginContext context) {
        return Duration.ofMillis(1);
    }

    @Override
    public Transform create(PluginContext context) {
        return new Detector(context.settings(AnomalySettings.class));
    }

    /** The hosts of a partition, and what each tried. */
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
