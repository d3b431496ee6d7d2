package io.chimera.processor.staging.warehouse;

import io.chimera.api.HotPath;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.staging.sketch.Sketch;
import io.chimera.processor.staging.sketch.SketchKind;
import org.agrona.DirectBuffer;

/**
 * Aggregates of a part of a shard of a cycle for a pipeline: groups with fields, each field with an aggregate (Chimera
 * 2017, III-D2). Groups and fields are returned in the order of their arrival, so the output is a function of the input
 * alone.
 *
 * <p>Groups and fields are identified by numbers; {@link #NONE} is no group or field. Definitions and plans have
 * numbers as well; both belong to the current transmission and are valid until {@link #forget}. The memory kept after
 * the transmission grows with groups, fields and names, not with the number of sets of fields. Written by one thread;
 * read by one thread after a handover.
 */
public interface Warehouse {
    /** No group, or no field. */
    int NONE = 0;

    /**
     * Returns the group with a key; the caller folds a record into the group next.
     *
     * @param key of a series not longer than {@link #DEFINITION_LENGTH_MAX}
     * @return the group, created if new; {@link #NONE} when a limit is reached: see {@link #fullBecause}
     */
    int group(GroupKey key);

    /**
     * Copies the definition of a set of fields.
     *
     * @param definition whole, and not longer than {@link #DEFINITION_LENGTH_MAX}
     * @return the set; {@link #NONE} when a limit is reached
     */
    int fields(FieldsFlyweight definition);

    /**
     * Copies the definition of a series.
     *
     * @param definition whole, and not longer than {@link #DEFINITION_LENGTH_MAX}
     * @return the series; {@link #NONE} when a limit is reached
     */
    int series(SeriesFlyweight definition);

    /** Returns the buffer with the copy of a definition. */
    DirectBuffer definitionBuffer(int seriesOrFields);

    /** Returns the index of the copy of a definition in {@link #definitionBuffer}. */
    int definitionOffset(int seriesOrFields);

    /** Clears all definitions and plans and releases their memory; groups stay. */
    void forget();

    /**
     * Plans the destinations of a record's values, immediately before the record is folded.
     *
     * @param group of the record
     * @param fields of the record
     * @param guess plan of the last record of the same series, nearly always right, or {@link #NONE}
     * @return the plan, valid until the next call for another group or set; {@link #NONE} when a limit is reached
     */
    @HotPath
    int plan(int group, int fields, int guess);

    /**
     * Folds a record.
     *
     * @param plan of its group and fields
     * @param record whole; its values are finite
     * @return false when a limit is reached. The record may have been folded in part, and only {@link #clear} is
     *     permitted afterwards
     */
    @HotPath
    boolean fold(int plan, RecordFlyweight record);

    /**
     * Merges a pre-aggregated record. Only valid without plugins and sketches.
     *
     * @param plan of the group and fields of the record
     * @param partial whole
     */
    void merge(int plan, PartialFlyweight partial);

    /** Returns whether pre-aggregated records can be merged: the warehouse has neither plugins nor sketches. */
    boolean takesPartials();

    /**
     * Folds the numbers of a record into copies of the states of the aggregator plugins and throws the exceptions of
     * the plugins; the warehouse stays unchanged.
     *
     * @param group of the record; {@link #NONE} without a group
     * @param fields of the record
     * @param record whole; its values are finite
     */
    void rehearse(int group, int fields, RecordFlyweight record);

    /** Counts memory used outside the warehouse against its limit; false when the limit is reached. */
    boolean reserve(long bytes);

    /** Releases reserved memory. */
    void release(long bytes);

    /**
     * Maximum length of a definition in bytes. Next to the copy, a chunk contains a byte for each field, and the
     * definition of a field has at least 4 bytes. 64 KiB of text, the maximum admitted by a source, give a definition
     * of at most 80 KiB. A key is shorter than the definition of its series.
     */
    int DEFINITION_LENGTH_MAX = 100 << 10;

    /** Returns name and value of the reached limit, for the log. */
    String fullBecause();

    /** Returns the number of groups. */
    int groups();

    /** Clears all content and releases the memory. */
    void clear();

    /** Returns the first group in the order of arrival. */
    int firstGroup();

    /** Returns the next group in the order of arrival. */
    int nextGroup(int group);

    /** Returns the group with the given key. */
    int findGroup(long hash, DirectBuffer key, int offset, int length);

    /** Returns the buffer with a group and its key, or with a field. */
    DirectBuffer buffer(int groupOrField);

    /** Returns the index of the group's key in {@link #buffer}. */
    int keyOffset(int group);

    /** Returns the length of the group's key in bytes. */
    int keyLength(int group);

    /** Returns the hash of the group's key. */
    long keyHash(int group);

    /** Returns the number of tags in the group's key. */
    int tagCount(int group);

    /** Returns the first field of the group in the order of arrival. */
    int firstField(int group);

    /** Returns the next field of the same group in the order of arrival. */
    int nextField(int field);

    /** Returns the field of the group with the given name. */
    int findField(int group, DirectBuffer name, int offset, int length);

    /** Returns the buffer with the field's name. */
    DirectBuffer nameBuffer(int field);

    /** Returns the index of the field's name in {@link #nameBuffer}. */
    int nameOffset(int field);

    /** Returns the length of the field's name in bytes. */
    int nameLength(int field);

    /** Returns the index of the field's {@link AggregateBlock} in {@link #buffer}. */
    int blockOffset(int field);

    /**
     * Returns the state of an aggregator plugin for a field, for reading.
     *
     * @param field the field
     * @param plugin index among the plugins of the pipeline
     * @return the state; null when the field has no number
     */
    Object state(int field, int plugin);

    /**
     * Returns a sketch of a field.
     *
     * @param field the field
     * @param kind kind of sketch kept by the pipeline
     * @return a copy of the sketch; null when the field has no value for the sketch
     */
    Sketch sketch(int field, SketchKind kind);
}
