package io.chimera.common.composition.block;

import io.chimera.api.spi.TransformType;
import java.util.List;

/** Built-in block types. */
public final class BuiltInBlocks {
    private BuiltInBlocks() {}

    /** All built-in block types. */
    public static List<TransformType> all() {
        return List.of(
                new CopyType(),
                FilterType.keep(),
                FilterType.drop(),
                new IncreaseType(),
                new RenameType(),
                new ThresholdType());
    }

    /** Returns whether blocks of a type emit their points with the series of the input point. */
    public static boolean keepsSeries(TransformType type) {
        return type instanceof CopyType
                || type instanceof FilterType
                || type instanceof IncreaseType
                || type instanceof ThresholdType;
    }
}
