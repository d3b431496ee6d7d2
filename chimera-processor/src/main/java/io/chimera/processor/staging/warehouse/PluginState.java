package io.chimera.processor.staging.warehouse;

import io.chimera.api.spi.Aggregator;
import io.chimera.common.wire.kryo.KryoCodec;
import org.agrona.DirectBuffer;

/**
 * An aggregator plugin with the class of its states, for callers without static knowledge of either. One thread.
 *
 * @param <S> the state
 */
final class PluginState<S> {
    /** Maximum length of a state outside the heap: half a chunk. */
    static final int LENGTH_MAX = ChunkPool.CHUNK_LENGTH / 2;

    private final Aggregator<S> aggregator;
    private final Class<S> type;
    private final KryoCodec<S> codec;

    private PluginState(Aggregator<S> aggregator, Class<S> type) {
        this.aggregator = aggregator;
        this.type = type;
        codec = new KryoCodec<>(type, LENGTH_MAX);
    }

    @SuppressWarnings("unchecked") // the class of an object is the class of its type
    static <S> PluginState<S> of(Aggregator<S> aggregator) {
        return new PluginState<>(aggregator, (Class<S>) aggregator.create().getClass());
    }

    Object create() {
        return aggregator.create();
    }

    void fold(Object state, double value, long timeNs) {
        aggregator.fold(type.cast(state), value, timeNs);
    }

    void merge(Object into, Object from) {
        aggregator.merge(type.cast(into), type.cast(from));
    }

    double result(Object state) {
        return aggregator.result(type.cast(state));
    }

    /** Encodes a state into {@link #bytes()} and returns its length. */
    int encode(Object state) {
        return codec.encode(type.cast(state));
    }

    byte[] bytes() {
        return codec.bytes();
    }

    Object decode(DirectBuffer buffer, int offset, int length) {
        return codec.decode(buffer, offset, length);
    }
}
