package io.chimera.processor.extractor;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.membership.Admission;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.Slice;
import io.chimera.processor.pipeline.Sender;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a connection of a queue node: reads the HELLO of the other end, waits until the view shows the session as a
 * live queue node, introduces this processor, then passes frames to the extractor. A frame with an invalid form closes
 * the connection. On the transport's thread.
 */
final class Inbound implements ConnectionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Inbound.class);

    private final Extractor extractor;
    private final Admission admission;
    private boolean hasGreeted;
    private boolean isRefused;
    private Sender sender;

    Inbound(Extractor extractor) {
        this.extractor = extractor;
        admission = extractor.admission();
    }

    @Override
    public void onOpen(Connection connection) {
        // The queue node speaks first: strangers do not learn the session of this processor.
    }

    /** Sends the HELLO of this processor once; false while the connection has no credit. */
    private boolean greet(Connection connection) {
        if (!hasGreeted) {
            DirectBuffer frame = extractor.self().frame();
            hasGreeted = connection.offer(frame, 0, frame.capacity());
        }
        return hasGreeted;
    }

    @Override
    public boolean onFrame(Connection connection, DirectBuffer buffer, int offset, int length) {
        if (isRefused) {
            return true;
        }
        if (sender != null) {
            return onPartFrame(buffer, offset, length);
        }
        if (!onHello(connection, Hello.decode(buffer, offset, length))) {
            return false;
        }
        connection.consumed(length);
        return true;
    }

    /** Handles a HELLO; false while the connection waits for its admission. */
    private boolean onHello(Connection connection, Hello hello) {
        switch (extractor.admit(admission, hello, connection)) {
            case ADMIT -> {
                if (!greet(connection)) {
                    return !connection.isOpen();
                }
                Sender claimed = new Sender(hello.session(), connection);
                if (!extractor.register(claimed)) {
                    return false; // another connection of the session registered first
                }
                sender = claimed;
            }
            case WAIT -> {
                return false;
            }
            case REFUSE -> refuse(connection, admission.reason());
        }
        return true;
    }

    private boolean onPartFrame(DirectBuffer buffer, int offset, int length) {
        int type = length < PartFrame.HEADER_LENGTH ? 0 : PartFrame.type(buffer, offset);
        boolean isData = (type == PartFrame.DATA || type == PastFrame.PAST_DATA) && length <= Extractor.SLOT_LENGTH;
        boolean isEnd = (type == PartFrame.END && length == PartFrame.END_LENGTH)
                || (type == PastFrame.PAST_END && length == PastFrame.END_LENGTH);
        boolean isNone = type == PastFrame.PAST_NONE && length == PastFrame.NONE_LENGTH;
        boolean namesPipelines = isNone || (type != 0 && PartFrame.fingerprint(buffer, offset) != 0);
        if ((isData || isEnd || isNone) && namesPipelines && Slice.isNamed(buffer, offset)) {
            return extractor.extract(sender, buffer, offset, length);
        }
        refuse(
                sender.connection(),
                "a frame of type " + type + " and " + length + " bytes is invalid"
                        + ((isData || isEnd) && !namesPipelines
                                ? ", because the fingerprint of the pipelines is missing"
                                : ""));
        return true;
    }

    private void refuse(Connection connection, String reason) {
        isRefused = true;
        extractor.countRefusal();
        LOG.warn("Refused a connection: remote={}, reason={}.", connection.remote(), reason);
        connection.close();
    }

    @Override
    public void onClose(String reason) {
        if (sender != null) {
            extractor.forget(sender);
            LOG.info(
                    "Queue node disconnected: session={}, remote={}, reason={}",
                    Long.toHexString(sender.session()),
                    sender.connection().remote(),
                    reason);
        }
    }
}
