package io.chimera.processor.staging.warehouse;

import io.chimera.processor.pipeline.Function;
import io.chimera.processor.staging.sketch.SketchKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The kinds of sketches that a pipeline keeps for every field, each kind once, however many functions use the kind.
 * Immutable.
 */
public final class Sketches {
    /** No sketch. */
    public static final Sketches NONE = of(List.of());

    private final List<SketchKind> kinds;

    private Sketches(Set<SketchKind> kinds) {
        this.kinds = new ArrayList<>(kinds);
    }

    /** Returns the sketches needed by functions. */
    public static Sketches of(List<Function> functions) {
        Set<SketchKind> kinds = EnumSet.noneOf(SketchKind.class);
        for (Function function : functions) {
            switch (function.kind()) {
                case QUANTILE -> kinds.addAll(EnumSet.of(SketchKind.QUANTILES, SketchKind.HISTOGRAMS));
                case DISTINCT -> kinds.add(SketchKind.DISTINCT);
                case TOP -> kinds.add(SketchKind.TOP);
                default -> {} // computed from counts and sums, or by a plugin
            }
        }
        return new Sketches(kinds);
    }

    int count() {
        return kinds.size();
    }

    SketchKind kind(int sketch) {
        return kinds.get(sketch);
    }

    int indexOf(SketchKind kind) {
        return kinds.indexOf(kind);
    }
}
