package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.api.model.DataPoint;
import io.chimera.api.model.SeriesKey;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.pipeline.LetterFile;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.ErrorHandler;

/**
 * Finds the records at which an aggregator throws: each record is rehearsed on copies of the states before folding. A
 * record at which an aggregator throws is rejected and written to the dead letters with the reason. An aggregator
 * depends only on values and their order, so every processor and every replay rejects the same records. Staging's
 * thread.
 */
final class PoisonGuard {
    private static final String NAME = "dead-letter-points.jsonl";

    private final LetterFile letters;
    private final Clock clock;
    private final Counters<ProcessorCounter> counters;
    private final ErrorHandler errors;

    PoisonGuard(LetterFiles files, StagingPorts links) {
        letters = files.open(NAME);
        clock = links.clock();
        counters = links.counters();
        errors = links.errors();
    }

    /**
     * Returns whether a record can be folded.
     *
     * @param group of the record in the warehouse; NONE without a group
     * @param fields of the record in the warehouse
     * @param series of the record in the warehouse; NONE when its group is known and the series was defined before the
     *     shard became suspect
     */
    boolean admits(RecordFlyweight record, Warehouse warehouse, int group, int fields, int series, Pipeline pipeline) {
        try {
            warehouse.rehearse(group, fields, record);
            return true;
        } catch (RuntimeException
                | Error e) { // thrown by a plugin; even an OutOfMemoryError must not end processor after processor
            reject(pointOf(record, warehouse, group, fields, series), pipeline, e);
            return false;
        }
    }

    /**
     * Returns the point for the letter. For a series without a kept definition, the key of its group replaces the
     * series.
     */
    @ColdPath
    private static DataPoint pointOf(RecordFlyweight record, Warehouse warehouse, int group, int fields, int series) {
        SeriesKey key = series == Warehouse.NONE
                ? RecordDecoder.key(
                        warehouse.groups().buffer(group),
                        warehouse.groups().keyOffset(group),
                        warehouse.groups().tagCount(group))
                : RecordDecoder.key(new SeriesFlyweight()
                        .wrap(
                                warehouse.definitions().buffer(series),
                                warehouse.definitions().offset(series)));
        FieldsFlyweight names = new FieldsFlyweight()
                .wrap(
                        warehouse.definitions().buffer(fields),
                        warehouse.definitions().offset(fields));
        return RecordDecoder.point(key, names, record);
    }

    @ColdPath
    private void reject(DataPoint point, Pipeline pipeline, Throwable reason) {
        counters.increment(ProcessorCounter.STAGING_POINTS_POISONED);
        errors.onError(new ChimeraException(
                ChimeraException.Category.ERROR,
                "An aggregator of pipeline " + pipeline.name() + " failed at a data point of "
                        + point.key().metric() + ": " + reason
                        + ". The point is rejected and written to the dead letters. Correct the plugin.",
                reason));
        Map<String, Object> letter = new LinkedHashMap<>();
        letter.put("time_ms", clock.epochMs());
        letter.put("pipeline", pipeline.name());
        letter.put("reason", "an aggregator failed: " + reason);
        letter.put("metric", point.key().metric());
        letter.put("tags", point.key().tags().asMap());
        letter.put("fields", point.fields());
        letter.put("timestamp_ns", point.timeNs());
        write(letter);
    }

    /**
     * Records the rejected slice of a part in the dead letters: a single letter for all its data points, without their
     * content.
     */
    @ColdPath
    void rejected(StagedShard shard, StagedPart part) {
        if (part.rejected() == 0) {
            return;
        }
        Map<String, Object> letter = new LinkedHashMap<>();
        letter.put("time_ms", clock.epochMs());
        letter.put("reason", "a slice of a shard does not fit into memory; the journals have its data points");
        letter.put("cycle", shard.cycle());
        letter.put("shard", shard.shard());
        letter.put("slice", shard.slice().toString());
        letter.put("part", part.part());
        letter.put("points", part.rejected());
        write(letter);
    }

    private void write(Map<String, Object> letter) {
        if (!letters.write(letter)) {
            counters.increment(ProcessorCounter.STAGING_LETTERS_LOST);
        }
    }
}
