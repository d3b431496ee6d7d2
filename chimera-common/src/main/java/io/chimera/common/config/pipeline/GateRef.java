package io.chimera.common.config.pipeline;

/**
 * Source of points: a gate of a block, or the input of the composition.
 *
 * @param block name of the block; {@link #INPUT} for the input of the composition
 * @param gate name of the gate; empty for the first gate
 */
public record GateRef(String block, String gate) {
    /** Name of the composition's input. */
    public static final String INPUT = "input";

    /** Parses {@code block} or {@code block.gate}. */
    public static GateRef parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? new GateRef(text, "") : new GateRef(text.substring(0, dot), text.substring(dot + 1));
    }

    /** Returns whether this is the input of the composition. */
    public boolean isInput() {
        return block.equals(INPUT) && gate.isEmpty();
    }

    @Override
    public String toString() {
        return gate.isEmpty() ? block : block + "." + gate;
    }
}
