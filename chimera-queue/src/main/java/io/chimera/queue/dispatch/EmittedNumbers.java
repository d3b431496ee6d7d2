package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;

/**
 * The numbers by which one body names the series and sets of fields of points that blocks emitted. Such a series may come from
 * records of any part, so that each body numbers for itself. The channel manager's thread; allocates where it grows.
 */
final class EmittedNumbers {
    /** Some 1,500 series of a few tags; there may be a body for each part, shard and pipeline of every pass. */
    private static final int BYTES_MAX = 256 << 10;

    private final DefinitionNumbers series = new DefinitionNumbers(BYTES_MAX);
    private final DefinitionNumbers fields = new DefinitionNumbers(BYTES_MAX);
    private boolean isStarted;
    private boolean isNew;

    EmittedNumbers() {}

    /** Whether all numbers begin anew with the next point; asked once for each. */
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

    /** Whether the definition that was asked for last has to be written. */
    boolean isNew() {
        return isNew;
    }
}
