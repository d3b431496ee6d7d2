package io.chimera.common.composition;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.TransformType;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.encode.RecordEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** Composition for tests: accepts points and records output and faults. */
final class CompositionRig implements AutoCloseable {
    private static final int CAPACITY = 1 << 20;

    final List<String> left = new ArrayList<>();
    final List<String> faults = new ArrayList<>();
    final Composition composition;

    private final RecordEncoder encoder = new RecordEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CAPACITY]);
    private final PointFlyweight point = new PointFlyweight();

    CompositionRig(String after, boolean hasThreads, TransformType... types) {
        this(plan(after, types), hasThreads);
    }

    CompositionRig(CompositionPlan plan, boolean hasThreads) {
        composition = new Composition(
                plan,
                (given, partition) -> left.add(text(given) + "@" + partition),
                (block, given, fault) -> {
                    synchronized (faults) {
                        String at = given == null ? "end" : text((PointFlyweight) given);
                        faults.add(block + ": " + at + ": " + fault.getMessage());
                    }
                },
                hasThreads ? new AgentThreads("test", e -> {}) : null);
        for (int i = 0; i < plan.partitions(); i++) {
            composition.open(i);
        }
    }

    static CompositionPlan plan(String after, TransformType... types) {
        return CompositionPlanner.after(config(after), new InstalledTypes(List.of(types)));
    }

    static AfterConfig config(String after) {
        String yaml = "stores: {s: {}}\npipelines:\n  p:\n    stores: s\n    after:\n" + after.indent(6);
        ChimeraConfig config = new ConfigLoader(Map.of()).parse("test.yaml", yaml, List.of());
        return config.pipelines().get("p").after();
    }

    /** Formats a point as text: metric{tags} fields time. */
    static String text(PointFlyweight given) {
        DataPoint decoded =
                RecordDecoder.point(RecordDecoder.key(given.series()), given.fieldsDefinition(), given.record());
        return decoded.key().metric() + decoded.key().tags().asMap() + decoded.fields() + decoded.timeNs();
    }

    PointFlyweight lay(PointBytes bytes) {
        int length = bytes.encode(encoder, buffer, 0, CAPACITY);
        BodyReader reader = new BodyReader().wrap(buffer, 0, length);
        reader.nextRecord();
        return point.wrap(reader.seriesOfRecord(), reader.fieldsOfRecord(), reader.record());
    }

    CompositionRig give(PointBytes bytes, int partition) {
        composition.apply(lay(bytes), partition);
        return this;
    }

    CompositionRig give(long v) {
        return give(
                new PointBytes("m")
                        .tag("to", "b")
                        .tag("from", "a")
                        .field("v", v)
                        .time(v),
                0);
    }

    @Override
    public void close() {
        composition.close();
    }
}
