package io.chimera.bench.paper.channel;

import java.io.IOException;
import java.util.List;

/** Path between sender and receiver. */
public interface ChannelPath {
    /** Returns the listen host of the receiver. */
    String host();

    /** Wraps the command of the sender. */
    List<String> sending(List<String> command) throws IOException;

    /** Wraps the command of the receiver. */
    List<String> receiving(List<String> command) throws IOException;
}
