package io.chimera.apps.flows;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.util.List;

/**
 * {@code flow_ends}: splits a flow into one point per end, so that each point reaches the partition of its host: {@code
 * flow_end,host=<destination> half_open=0|1} for floods, and {@code flow_end,host=<source> target=<hash>,failed=0|1}
 * for scans. Other points leave by {@code invalid}.
 */
public final class FlowEnds implements TransformType {
    static final String METRIC = "flow_end";
    static final String HOST = "host";
    static final String HALF_OPEN = "half_open";
    static final String TARGET = "target";
    static final String FAILED = "failed";

    private static final int OUT = 0;
    private static final int INVALID = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 16;

    /** Creates the type for the ServiceLoader. */
    public FlowEnds() {}

    @Override
    public String name() {
        return "flow_ends";
    }

    @Override
    public List<String> gates(PluginContext context) {
        return List.of(TransformType.OUT, "invalid");
    }

    @Override
    public Transform create(PluginContext context) {
        return FlowEnds::split;
    }

    private static void split(PointView flow, Outlet out) {
        Text source = text(flow, "src");
        if (source == null || flow.field("tcp_flags") < 0) {
            out.pass(INVALID);
            return;
        }
        String host = source.toString(); // copied, because the next text() reuses the view
        Text destination = text(flow, "dst");
        if (destination == null) {
            out.pass(INVALID);
            return;
        }
        long flags = whole(flow, "tcp_flags");
        long reverseFlags = whole(flow, "reverse_tcp_flags");
        boolean isHalfOpen = (flags & (SYN | ACK)) == SYN;
        boolean isFailed = whole(flow, "reverse_packets") == 0 || (reverseFlags & RST) != 0;
        long target = 31 * destination.hash() + port(flow);
        out.point(OUT)
                .metric(METRIC)
                .tag(HOST, destination)
                .field(HALF_OPEN, isHalfOpen ? 1L : 0L)
                .end();
        out.point(OUT)
                .metric(METRIC)
                .tag(HOST, host)
                .field(TARGET, target)
                .field(FAILED, isFailed ? 1L : 0L)
                .end();
    }

    private static Text text(PointView flow, String name) {
        Text tag = flow.tag(name);
        int field = flow.field(name);
        return tag != null || field < 0 ? tag : flow.text(field);
    }

    private static long port(PointView flow) {
        Text tag = flow.tag("dst_port");
        return tag == null ? whole(flow, "dst_port") : tag.hash();
    }

    private static long whole(PointView flow, String name) {
        int field = flow.field(name);
        return field < 0 ? 0 : flow.whole(field);
    }
}
