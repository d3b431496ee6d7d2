package io.chimera.common.wire.encode;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;

/** Point sink that forwards all calls to a {@link RecordEncoder}. */
public interface EncodingSink extends PointSink {
    /** Encoder of the points. */
    @HotPath
    RecordEncoder encoder();

    @Override
    @HotPath
    default int seriesAhead(byte[] bytes, int offset, int end) {
        return encoder().seriesAhead(bytes, offset, end);
    }

    @Override
    @HotPath
    default boolean series(byte[] bytes, int offset, int length) {
        return encoder().series(bytes, offset, length);
    }

    @Override
    @HotPath
    default void metric(byte[] bytes, int offset, int length) {
        encoder().metric(bytes, offset, length);
    }

    @Override
    @HotPath
    default void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        encoder().tag(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    @Override
    @HotPath
    default int fieldAhead(byte[] bytes, int offset, int end) {
        return encoder().fieldAhead(bytes, offset, end);
    }

    @Override
    @HotPath
    default void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        encoder().field(name, nameOffset, nameLength, typeCode, bits);
    }

    @Override
    @HotPath
    default void textField(
            byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        encoder().textField(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    @Override
    @HotPath
    default void histogramField(
            byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        encoder().histogramField(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }
}
