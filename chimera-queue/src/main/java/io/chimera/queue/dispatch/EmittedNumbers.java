package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;

/**
 * Numbers of series and field sets for the emitted points of one body. Such a series may come from records of any part,
 * so each body has separate numbers. The channel manager's thread; allocates only when growing.
 */
final class EmittedNumbers {
    /** Limit for some 1,500 series of a few tags; each part, shard and pipeline of every pass may have a body. */
    private static final int BYTES_MAX = 256 << 10;

    private final DefinitionNumbers series = new DefinitionNumbers(BYTES_MAX);
    private final DefinitionNumbers fields = new DefinitionNumbers(BYTES_MAX);
    private boolean isStarted;
    private boolean isNew;

    EmittedNumbers() {}

    /** Whether all numbers restart with the next point. Must be called once per point. */
    @HotPath
    boolean isAnew() {
        if (isStarted && !series.isFull() && !fields.isFull()) {
            return false;
        }
        isStarted = true;
        series.clear();
        fields.clear();
        return true;
    }

    @HotPath
    int of(SeriesFlyweight definition) {
        int known = series.count();
        int number = series.of(definition.buffer(), definition.offset(), definition.length(), definition.keyHash());
        isNew = number == known;
        return number;
    }

    @HotPath
    int of(FieldsFlyweight definition) {
        int known = fields.count();
        int names = definition.offset() + BodyLayout.FIRST_FIELD;
        long hash = SeriesHash.of(definition.buffer(), names, definition.length() - BodyLayout.FIRST_FIELD);
        int number = fields.of(definition.buffer(), definition.offset(), definition.length(), hash);
        isNew = number == known;
        return number;
    }

    /** Whether the definition of the last {@code of} must be written. */
    boolean isNew() {
        return isNew;
    }
}
