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
 * What is staged of one part of a shard of a cycle in one pipeline: groups, each with fields in the order in which they
 * came, each with an aggregate (Chimera 2017, III-D2). Groups come out in the order in which they came in, so what comes
 * out depends on what went in and on nothing else.
 *
 * <p>Groups and their fields are named by numbers, {@link #NONE} being none; so are definitions and plans, which belong to
 * the transmission that is being received and are good until {@link #forget}: what is kept behind it grows with groups, fields
 * and names, and not with the sets in which they come. Written by one thread; read by one thread that got it from there.
 */
public interface Warehouse {
    /** No group, or no field. */
    int NONE = 0;

    /**
     * The group with a key, which a record of it is folded into next.
     *
     * @param key of a series that is not longer than {@link #DEFINITION_LENGTH_MAX}
     * @return the group, a new one at first; {@link #NONE} when a limit is reached: see {@link #fullBecause}
     */
    int group(GroupKey key);

    /**
     * A set of fields, whose definition is copied.
     *
     * @param definition whole, and not longer than {@link #DEFINITION_LENGTH_MAX}
     * @return the set; {@link #NONE} when a limit is reached
     */
    int fields(FieldsFlyweight definition);

    /**
     * A series, whose definition is copied.
     *
     * @param definition whole, and not longer than {@link #DEFINITION_LENGTH_MAX}
     * @return the series; {@link #NONE} when a limit is reached
     */
    int series(SeriesFlyweight definition);

    /** Buffer that holds the copy of a definition. */
    DirectBuffer definitionBuffer(int seriesOrFields);

    /** Index of the copy of a definition in {@link #definitionBuffer}. */
    int definitionOffset(int seriesOrFields);

    /** Forgets all definitions and plans and gives their memory back; groups stay. */
    void forget();

    /**
     * Finds out where the values of a record go, right before it is folded.
     *
     * @param group of the record
     * @param fields of the record
     * @param guess plan of the last record of the same series, which is right nearly always, or {@link #NONE}
     * @return the plan, good until the next call for another group or set; {@link #NONE} when a limit is reached
     */
    @HotPath
    int plan(int group, int fields, int guess);

    /**
     * Takes a record.
     *
     * @param plan of its group and fields
     * @param record whole; its values are finite
     * @return false when a limit is reached. The record may be taken in part then, and what is here is good for nothing but
     *     {@link #clear}
     */
    @HotPath
    boolean fold(int plan, RecordFlyweight record);

    /**
     * Takes records that were put together; there is neither a plugin nor a sketch.
     *
     * @param plan of their group and fields
     * @param partial whole
     */
    void merge(int plan, PartialFlyweight partial);

    /** Whether it keeps nothing but what records that were put together tell. */
    boolean takesPartials();

    /**
     * Lets the aggregator plugins take the numbers of a record, on copies of the states that they would change. What a plugin
     * throws is thrown; nothing here changes.
     *
     * @param group of the record; {@link #NONE} when it has none yet
     * @param fields of the record
     * @param record whole; its values are finite
     */
    void rehearse(int group, int fields, RecordFlyweight record);

    /** Counts memory that is kept for the warehouse elsewhere against its limit; false when that is reached. */
    boolean reserve(long bytes);

    /** Gives back what was reserved. */
    void release(long bytes);

    /**
     * The most bytes a definition may have: beside a copy of it a chunk holds a byte for each of its fields, which have 4 bytes
     * or more. 64 KiB of text, the most that a source lets through, make 80 KiB of it at most. A key is shorter than that of
     * its series.
     */
    int DEFINITION_LENGTH_MAX = 100 << 10;

    /** The limit that was reached, for the log: its name and value. */
    String fullBecause();

    /** Number of groups. */
    int groups();

    /** Forgets everything and gives the memory back. */
    void clear();

    /** First group that came in. */
    int firstGroup();

    /** Group that came in after the given one. */
    int nextGroup(int group);

    /** Group with the given key. */
    int findGroup(long hash, DirectBuffer key, int offset, int length);

    /** Buffer that holds a group and its key. */
    DirectBuffer buffer(int groupOrField);

    /** Index of the group's key in {@link #buffer}. */
    int keyOffset(int group);

    /** Bytes of the group's key. */
    int keyLength(int group);

    /** Hash of the group's key. */
    long keyHash(int group);

    /** Number of tags in the group's key. */
    int tagCount(int group);

    /** First field of the group that came in. */
    int firstField(int group);

    /** Field of the same group that came in after the given one. */
    int nextField(int field);

    /** Field of the group with the given name. */
    int findField(int group, DirectBuffer name, int offset, int length);

    /** Buffer that holds the field's name. */
    DirectBuffer nameBuffer(int field);

    /** Index of the field's name in {@link #nameBuffer}. */
    int nameOffset(int field);

    /** Bytes of the field's name. */
    int nameLength(int field);

    /** Index of the field's {@link AggregateBlock} in {@link #buffer}. */
    int blockOffset(int field);

    /**
     * State of an aggregator plugin for a field, for reading.
     *
     * @param field the field
     * @param plugin index among the plugins of the pipeline
     * @return the state; null when the field has no number
     */
    Object state(int field, int plugin);

    /**
     * A sketch of a field.
     *
     * @param field the field
     * @param kind one that the pipeline keeps
     * @return a copy of it; null when the field has no value that it takes
     */
    Sketch sketch(int field, SketchKind kind);
}
