package io.chimera.archive.query.key;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointView;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.condition.PointCondition;
import io.chimera.archive.query.condition.PointCondition.Sign;
import io.chimera.archive.query.condition.PointCondition.Value;
import io.chimera.common.wire.SeriesHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Extracts the keys of a data point for the index, and derives the probe of a filter. */
public final class PointKeys {
    /** Metric. */
    public static final int METRIC = 0;

    /** Name and value of a tag, or of a text field. */
    public static final int TEXT = 1;

    /** Name of a numeric or boolean field. */
    public static final int NUMBER = 2;

    /** Marker for intervals with points possibly written before. */
    private static final int AGAIN = 3;

    private static final long IS_SO = 1;

    private PointKeys() {}

    /** Returns the key definitions of a point index, by key number. */
    public static List<IndexKey> keys() {
        return List.of(
                IndexKey.exact("metric"), IndexKey.exact("text"), IndexKey.exact("number"), IndexKey.exact("again"));
    }

    /** Adds the keys of a point. */
    @HotPath
    public static void add(PointView point, KeySink sink) {
        sink.add(METRIC, point.metric().hash());
        for (int i = 0; i < point.tags(); i++) {
            long name = point.tagName(i).hash();
            sink.add(TEXT, KeyHash.of(name, point.tagValue(i).hash()));
        }
        for (int i = 0; i < point.fields(); i++) {
            long name = point.fieldName(i).hash();
            if (point.fieldType(i) == FieldType.TEXT) {
                sink.add(TEXT, KeyHash.of(name, point.text(i).hash()));
            } else {
                sink.add(NUMBER, name);
            }
        }
    }

    /** Marks the interval as containing points possibly written before. */
    public static void addAgain(KeySink sink) {
        sink.add(AGAIN, IS_SO);
    }

    /** Returns the probe for intervals with points possibly written before. */
    public static Probe again() {
        return Probe.exact(AGAIN, IS_SO);
    }

    /** Returns the probe of a condition; the keys of every matching point match the probe. */
    public static Probe probe(PointCondition condition) {
        if (condition instanceof PointCondition.All all) {
            return Probe.and(all.parts().stream().map(PointKeys::probe).toList());
        }
        if (condition instanceof PointCondition.Any any) {
            return Probe.or(any.parts().stream().map(PointKeys::probe).toList());
        }
        if (condition instanceof PointCondition.Metric metric && metric.isEqual()) {
            return Probe.exact(METRIC, hash(metric.name()));
        }
        return condition instanceof Value value ? probe(value) : Probe.all();
    }

    private static Probe probe(Value value) {
        if (value.sign() == Sign.NOT_EQUAL) {
            return Probe.all(); // matches tags of the name with any value
        }
        long name = hash(value.name());
        Probe number = Probe.exact(NUMBER, name);
        if (value.sign() != Sign.EQUAL) {
            return number;
        }
        Probe text = Probe.exact(TEXT, KeyHash.of(name, hash(value.text())));
        return value.number() == null ? text : Probe.or(text, number);
    }

    private static long hash(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return SeriesHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
