package io.chimera.common.composition;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Block types for tests. */
public final class Blocks {
    private Blocks() {}

    /** Creates a block type without settings. */
    public static TransformType type(String name, Duration horizon, List<String> gates, Supplier<Transform> create) {
        return new TransformType() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Class<? extends Record> settings() {
                return NoSettings.class;
            }

            @Override
            public List<String> gates(PluginContext context) {
                return gates;
            }

            @Override
            public Duration horizon(PluginContext context) {
                return horizon;
            }

            @Override
            public BlockState state(PluginContext context) {
                return horizon.isZero() ? BlockState.NONE : BlockState.BY_KEY;
            }

            @Override
            public Transform create(PluginContext context) {
                return create.get();
            }
        };
    }

    /** Creates a stateless block type with one gate. */
    public static TransformType plain(String name, Transform transform) {
        return type(name, Duration.ZERO, List.of("out"), () -> transform);
    }

    /** Emits each point twice, with the values of its tags {@code from} and {@code to} as tag {@code party}. */
    public static TransformType split() {
        return plain("split", (point, out) -> {
            out.point(0)
                    .series()
                    .tag("party", point.tag("from"))
                    .field("v", point.whole(0))
                    .end();
            out.point(0)
                    .series()
                    .tag("party", point.tag("to"))
                    .field("v", point.whole(0))
                    .end();
        });
    }

    /** Passes the point, then throws for points with {@code v} = 13. */
    public static TransformType unlucky() {
        return plain("unlucky", (point, out) -> {
            out.pass(0);
            if (point.whole(0) == 13) {
                throw new IllegalStateException("13");
            }
        });
    }

    /** Counts the points of its partition; emits the count with each point and at the end of a cycle. */
    public static TransformType counter() {
        return type("counter", Duration.ofMinutes(10), List.of("out"), Counter::new);
    }

    private static final class Counter implements Transform {
        private long count;

        @Override
        public void apply(PointView point, Outlet out) {
            out.point(0).series().field("count", ++count).end();
        }

        @Override
        public void endCycle(long timeNs, Outlet out) {
            out.point(0).metric("total").field("count", count).end();
        }
    }
}
