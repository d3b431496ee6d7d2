package io.chimera.common.composition.block;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;

/** {@code copy}: forwards every point unchanged. Joins the output of several blocks, or adds a queue of its own. */
final class CopyType implements TransformType {
    CopyType() {}

    @Override
    public String name() {
        return "copy";
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.NONE;
    }

    @Override
    public Transform create(PluginContext context) {
        return (point, out) -> out.pass(0);
    }
}
