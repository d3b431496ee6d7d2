package io.chimera.dataset.compute;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.io.IOException;
import java.util.Arrays;

/**
 * Aggregates of a window, for functions whose aggregates can be merged. Groups and field sets are looked up once per
 * body. One thread.
 */
final class AggregatedContent implements WindowContent {
    private final JobPipeline pipeline;
    private final Warehouse warehouse;
    private final PieceEncoder encoder;
    private final long startNs;

    /** Groups, plans and field sets of the warehouse, by their numbers in the body. */
    private int[] groups = new int[64];

    private int[] plans = new int[64];
    private int[] sets = new int[16];
    private int seriesSeen;
    private int setsSeen;

    AggregatedContent(JobPipeline pipeline, Warehouse warehouse, PieceEncoder encoder, long startNs) {
        this.pipeline = pipeline;
        this.warehouse = warehouse;
        this.encoder = encoder;
        this.startNs = startNs;
    }

    @Override
    @HotPath
    public void add(BodyReader body) {
        RecordFlyweight record = body.record();
        int series = record.series();
        int fields = record.fields();
        if (series >= seriesSeen) {
            seeSeries(series);
        }
        if (fields >= setsSeen) {
            seeSets(fields);
        }
        if (groups[series] == Warehouse.NONE) {
            groups[series] = findGroup(body);
        }
        if (sets[fields] == Warehouse.NONE) {
            sets[fields] = checked(warehouse.definitions().keep(body.fieldsOfRecord()));
        }
        int plan = checked(warehouse.plan(groups[series], sets[fields], plans[series]));
        plans[series] = plan;
        if (!warehouse.fold(plan, record)) {
            throw new MemoryLimitException(warehouse.fullBecause());
        }
    }

    private int findGroup(BodyReader body) {
        GroupKey key = pipeline.pipeline().groupKey();
        key.of(body.seriesOfRecord());
        return checked(warehouse.group(key));
    }

    private int checked(int number) {
        if (number == Warehouse.NONE) {
            throw new MemoryLimitException(warehouse.fullBecause());
        }
        return number;
    }

    private void seeSeries(int series) {
        if (series >= groups.length) {
            groups = Arrays.copyOf(groups, Math.max(series + 1, 2 * groups.length));
            plans = Arrays.copyOf(plans, groups.length);
        }
        seriesSeen = series + 1;
    }

    private void seeSets(int fields) {
        if (fields >= sets.length) {
            sets = Arrays.copyOf(sets, Math.max(fields + 1, 2 * sets.length));
        }
        setsSeen = fields + 1;
    }

    @Override
    public void endBody() {
        if (seriesSeen > 0) {
            Arrays.fill(groups, 0, seriesSeen, Warehouse.NONE);
            Arrays.fill(plans, 0, seriesSeen, Warehouse.NONE);
            Arrays.fill(sets, 0, setsSeen, Warehouse.NONE);
            seriesSeen = 0;
            setsSeen = 0;
            warehouse.forget();
        }
    }

    @Override
    public void flush() throws IOException {
        endBody();
        encoder.encode(pipeline.pipeline().ordinal(), startNs, warehouse);
        warehouse.clear();
    }

    @Override
    public void discard() {
        warehouse.clear();
    }
}
