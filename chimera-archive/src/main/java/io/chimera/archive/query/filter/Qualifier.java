package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.Direction;
import io.chimera.archive.query.text.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Qualifiers before an address or number, inherited after {@code and} and {@code or}.
 *
 * @param protocol {@link Protocol#ANY} without a protocol
 * @param direction null without a direction
 * @param kind kind of the following identifier
 */
record Qualifier(Protocol protocol, @Nullable Direction direction, Kind kind) {
    /** No qualifier given: an address is not allowed here. */
    static final Qualifier NONE = new Qualifier(Protocol.ANY, null, Kind.NONE);

    /** Kind of an address or number. */
    enum Kind {
        NONE,
        /** Not given: a host. */
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

    /** Returns the direction; either end without a direction. */
    Direction end() {
        return direction == null ? Direction.EITHER : direction;
    }
}
