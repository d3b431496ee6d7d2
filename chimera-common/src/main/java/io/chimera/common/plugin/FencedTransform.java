package io.chimera.common.plugin;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;

/** Guarded block of a plugin. Same threading as the block. */
final class FencedTransform implements Transform {
    private final PluginGuard fence;
    private final Watch watch;
    private final Transform transform;

    private FencedTransform(PluginGuard fence, Transform transform) {
        this.fence = fence;
        this.transform = transform;
        watch = fence.watch();
    }

    /** Type of guarded blocks. */
    record Type(PluginGuard fence, TransformType type) implements TransformType {
        @Override
        public String name() {
            return type.name();
        }

        @Override
        public Class<? extends Record> settings() {
            return fence.plugin().settings();
        }

        @Override
        public List<String> gates(PluginContext context) {
            return type.gates(context);
        }

        @Override
        public Duration horizon(PluginContext context) {
            return type.horizon(context);
        }

        @Override
        public BlockState state(PluginContext context) {
            return type.state(context);
        }

        @Override
        public int keys(PluginContext context) {
            return type.keys(context);
        }

        @Override
        public Transform create(PluginContext context) {
            return new FencedTransform(fence, type.create(context));
        }
    }

    @Override
    public void apply(PointView point, Outlet out) {
        fence.check();
        Throwable thrown = null;
        watch.enter("apply");
        try {
            transform.apply(point, out);
        } catch (Throwable e) { // any error of a plugin sends the point to the dead letters
            thrown = e;
        }
        watch.exit(thrown);
    }

    @Override
    public void endCycle(long timeNs, Outlet out) {
        fence.check();
        Throwable thrown = null;
        watch.enter("endCycle");
        try {
            transform.endCycle(timeNs, out);
        } catch (Throwable e) {
            thrown = e;
        }
        watch.exit(thrown);
    }

    @Override
    public void close() {
        Throwable thrown = null;
        watch.enter("close");
        try {
            transform.close();
        } catch (Throwable e) {
            thrown = e;
        }
        watch.close();
        watch.exit(thrown);
    }
}
