package io.chimera.queue.dispatch;

import io.chimera.common.channel.Connection;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.Slice;
import org.agrona.DirectBuffer;

/** Message from the transport's thread to the owner of a {@link ProcessorChannel}. */
sealed interface ChannelNote {
    /** The connection is open. */
    record Opened(Connection connection) implements ChannelNote {}

    /** The processor introduced itself. */
    record Greeted(Hello hello) implements ChannelNote {}

    /**
     * Answer of a processor about a part of a shard.
     *
     * @param type OK or NEED
     * @param id the part
     * @param slice slice that the processor holds or lacks
     * @param processor session of the processor
     */
    record Answer(int type, PartId id, Slice slice, long processor) implements ChannelNote {}

    /** The processor requests a past cycle. */
    record PastWanted(PastFrame.Request request) implements ChannelNote {}

    /** The connection has ended, or could not be opened. */
    record Ended(String reason) implements ChannelNote {}

    /** Decodes a frame of a processor; null for an invalid frame. */
    static ChannelNote decode(DirectBuffer buffer, int offset, int length) {
        int type = length < 2 ? 0 : PartFrame.type(buffer, offset);
        return switch (type) {
            case PartFrame.HELLO -> greeted(Hello.decode(buffer, offset, length));
            case PastFrame.PAST -> pastWanted(PastFrame.decode(buffer, offset, length));
            case PartFrame.OK, PartFrame.NEED -> answer(type, buffer, offset, length);
            default -> null;
        };
    }

    private static Greeted greeted(Hello hello) {
        return hello == null ? null : new Greeted(hello);
    }

    private static PastWanted pastWanted(PastFrame.Request request) {
        return request == null ? null : new PastWanted(request);
    }

    private static Answer answer(int type, DirectBuffer buffer, int offset, int length) {
        if (length != PartFrame.ANSWER_LENGTH || !Slice.isNamed(buffer, offset)) {
            return null;
        }
        return new Answer(
                type, PartFrame.id(buffer, offset), Slice.of(buffer, offset), PartFrame.word(buffer, offset, 0));
    }
}
