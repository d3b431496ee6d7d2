package io.chimera.common.config;

/**
 * A place where points leave: a gate of a block, or the input of the composition.
 *
 * @param block name of the block; {@link #INPUT} for the composition's own
 * @param gate name of the gate; empty for the first one
 */
public record GateRef(String block, String gate) {
    /** Stands for what comes into the composition. */
    public static final String INPUT = "input";

    /** Takes {@code block} or {@code block.gate} apart. */
    public static GateRef parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? new GateRef(text, "") : new GateRef(text.substring(0, dot), text.substring(dot + 1));
    }

    /** Whether this is what comes into the composition. */
    public boolean isInput() {
        return block.equals(INPUT) && gate.isEmpty();
    }

    @Override
    public String toString() {
        return gate.isEmpty() ? block : block + "." + gate;
    }
}
