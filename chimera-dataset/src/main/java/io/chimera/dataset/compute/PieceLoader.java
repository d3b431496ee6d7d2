package io.chimera.dataset.compute;

import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/** Merges pieces into a warehouse, in the order of the calls. Checks every entry. One thread. */
final class PieceLoader {
    private final GroupKey whole = GroupKey.all();
    private final BodyReader records = new BodyReader();
    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final PartialFlyweight partial = new PartialFlyweight();

    /** Groups and field sets of the warehouse, by their numbers in the piece. */
    private int[] groups = new int[64];

    private int[] sets = new int[16];
    private int[] fieldCounts = new int[16];
    private int groupCount;
    private int setCount;

    /**
     * Merges a piece.
     *
     * @param pipeline of the piece
     * @param body the piece, from index 0
     * @param length length of the piece in bytes
     * @param into warehouse of the pipeline and window
     * @return false when the piece is damaged; the warehouse is then to be dropped
     */
    boolean load(JobPipeline pipeline, DirectBuffer body, int length, Warehouse into) {
        groupCount = 0;
        setCount = 0;
        boolean isWhole = pipeline.isMergeable()
                ? merge(body, length, into)
                : fold(pipeline.pipeline().groupKey(), body, length, into);
        into.forget();
        return isWhole;
    }

    private boolean merge(DirectBuffer body, int length, Warehouse into) {
        int position = 0;
        while (position < length) {
            int available = length - position;
            if (available < BodyLayout.RESET_LENGTH || !takeEntry(body, position, available, into)) {
                return false;
            }
            position += Entries.length(body, position);
        }
        return true;
    }

    private boolean takeEntry(DirectBuffer body, int position, int available, Warehouse into) {
        return switch (Entries.kind(body, position)) {
            case BodyLayout.SERIES -> takeGroup(body, position, available, into);
            case BodyLayout.FIELDS -> takeSet(body, position, available, into);
            case BodyLayout.PARTIAL -> takePartial(body, position, available, into);
            case BodyLayout.RESET -> Entries.isReset(body, position);
            default -> false;
        };
    }

    private boolean takeGroup(DirectBuffer body, int position, int available, Warehouse into) {
        if (!series.wrap(body, position).isNext(available, groupCount)) {
            return false;
        }
        whole.of(series);
        if (groupCount == groups.length) {
            groups = Arrays.copyOf(groups, 2 * groupCount);
        }
        groups[groupCount++] = checked(into.group(whole), into);
        return true;
    }

    private boolean takeSet(DirectBuffer body, int position, int available, Warehouse into) {
        if (!fields.wrap(body, position).isNext(available, setCount)) {
            return false;
        }
        if (setCount == sets.length) {
            sets = Arrays.copyOf(sets, 2 * setCount);
            fieldCounts = Arrays.copyOf(fieldCounts, 2 * setCount);
        }
        fieldCounts[setCount] = fields.count();
        sets[setCount++] = checked(into.definitions().keep(fields), into);
        return true;
    }

    private boolean takePartial(DirectBuffer body, int position, int available, Warehouse into) {
        if (!partial.wrap(body, position).hasHeader(available)
                || partial.series() >= groupCount
                || partial.fields() >= setCount
                || !partial.isWhole(fieldCounts[partial.fields()])) {
            return false;
        }
        int plan = checked(into.plan(groups[partial.series()], sets[partial.fields()], Warehouse.NONE), into);
        into.merge(plan, partial);
        return true;
    }

    private boolean fold(GroupKey key, DirectBuffer body, int length, Warehouse into) {
        records.wrap(body, 0, length);
        int kind = records.step();
        while (kind >= BodyLayout.RECORD) {
            if (kind == BodyLayout.SERIES) {
                key.of(records.series());
                if (groupCount == groups.length) {
                    groups = Arrays.copyOf(groups, 2 * groupCount);
                }
                groups[groupCount++] = checked(into.group(key), into);
            } else if (kind == BodyLayout.FIELDS) {
                if (setCount == sets.length) {
                    sets = Arrays.copyOf(sets, 2 * setCount);
                }
                sets[setCount++] = checked(into.definitions().keep(records.fields()), into);
            } else if (kind == BodyLayout.RECORD) {
                foldRecord(into);
            }
            kind = records.step();
        }
        return kind == BodyReader.END;
    }

    private void foldRecord(Warehouse into) {
        int group = groups[records.record().series()];
        int set = sets[records.record().fields()];
        int plan = checked(into.plan(group, set, Warehouse.NONE), into);
        if (!into.fold(plan, records.record())) {
            throw new MemoryLimitException(into.fullBecause());
        }
    }

    private static int checked(int number, Warehouse in) {
        if (number == Warehouse.NONE) {
            throw new MemoryLimitException(in.fullBecause());
        }
        return number;
    }
}
