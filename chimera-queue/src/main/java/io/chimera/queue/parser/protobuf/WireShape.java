package io.chimera.queue.parser.protobuf;

import java.util.Arrays;

/**
 * Structure of a message type, as far as {@link WireCheck} needs the structure: nested messages and packed arrays. All
 * other fields are valid with any content.
 */
public final class WireShape {
    /** Content of a field of wire type LENGTH. */
    enum Content {
        /** Text, bytes, or a field unknown to the type. */
        ANY,
        /** A message. */
        MESSAGE,
        /** An array of varints. */
        VARINTS,
        /** An array of 8-byte numbers. */
        FIXED64S
    }

    /** First field number without a place; the types of remote write end at 17. */
    private static final int NUMBERS_MAX = 32;

    private final Content[] contents = new Content[NUMBERS_MAX];
    private final WireShape[] nested = new WireShape[NUMBERS_MAX];

    /** Creates the structure of a type with neither messages nor arrays. */
    public WireShape() {
        Arrays.fill(contents, Content.ANY);
    }

    /** Declares a field with messages; returns this structure. */
    public WireShape message(int number, WireShape shape) {
        contents[number] = Content.MESSAGE;
        nested[number] = shape;
        return this;
    }

    /** Declares a repeated field of varints; returns this structure. */
    public WireShape varints(int number) {
        contents[number] = Content.VARINTS;
        return this;
    }

    /** Declares a repeated field of 8-byte numbers; returns this structure. */
    public WireShape fixed64s(int number) {
        contents[number] = Content.FIXED64S;
        return this;
    }

    Content contentOf(int number) {
        return number < NUMBERS_MAX ? contents[number] : Content.ANY;
    }

    WireShape nested(int number) {
        return nested[number];
    }
}
