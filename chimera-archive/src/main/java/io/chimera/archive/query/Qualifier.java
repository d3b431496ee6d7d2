package io.chimera.archive.query;

/**
 * What stands ahead of an address or a number, and holds on behind {@code and} and {@code or}.
 *
 * @param protocol {@link Protocol#ANY} when none was named
 * @param direction null when none was named
 * @param kind of what follows
 */
record Qualifier(Protocol protocol, Direction direction, Kind kind) {
    /** Nothing was said: an address cannot stand here. */
    static final Qualifier NONE = new Qualifier(Protocol.ANY, null, Kind.NONE);

    /** What an address or a number is one of. */
    enum Kind {
        NONE,
        /** Not said: a host. */
        DEFAULT,
        HOST,
        NET,
        PORT,
        PORTRANGE,
        PROTO;

        boolean isHost() {
            return this == DEFAULT || this == HOST;
        }

        boolean isPorts() {
            return this == PORT || this == PORTRANGE;
        }
    }

    /** The direction; either where none was named. */
    Direction end() {
        return direction == null ? Direction.EITHER : direction;
    }
}
