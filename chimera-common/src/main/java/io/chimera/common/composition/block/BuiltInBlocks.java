package io.chimera.common.composition.block;

import io.chimera.api.spi.TransformType;
import java.util.List;

/** The kinds of blocks that are built in. */
public final class BuiltInBlocks {
    private BuiltInBlocks() {}

    /** All of them. */
    public static List<TransformType> all() {
        return List.of(new CopyType(), FilterType.keep(), FilterType.drop(), new RenameType(), new ThresholdType());
    }

    /** Whether what leaves a block of this kind has the series that came in. */
    public static boolean keepsSeries(TransformType type) {
        return type instanceof CopyType || type instanceof FilterType || type instanceof ThresholdType;
    }
}
