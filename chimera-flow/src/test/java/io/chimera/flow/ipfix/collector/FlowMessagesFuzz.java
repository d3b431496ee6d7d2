package io.chimera.flow.ipfix.collector;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.api.spi.Chunk;
import io.chimera.common.config.IpfixConfig;
import io.chimera.common.config.binding.Sections;
import java.util.Arrays;

/**
 * Arbitrary messages cause no exception, every datagram is consumed, and a stream yields the same points in pieces as
 * in one chunk. The fuzz input has a length before each datagram, so that templates and records can arrive in separate
 * messages.
 */
final class FlowMessagesFuzz {
    private static final IpfixConfig KEEPING_ALL = Sections.of(
            IpfixConfig.class, "scale", true, "other_elements", true, "templates_max", 100, "exporters_max", 10);

    @FuzzTest(maxDuration = "1m")
    void takesAnyDatagrams(byte[] bytes) {
        FlowRig rig = FlowRig.datagrams(KEEPING_ALL);
        int position = 0;
        while (position + 2 <= bytes.length) {
            int length = Math.min(ByteField.u16(bytes, position), bytes.length - position - 2);
            position += 2;
            rig.datagram(Arrays.copyOfRange(bytes, position, position + length));
            position += length;
        }
    }

    @FuzzTest(maxDuration = "1m")
    void takesAnyStream(byte[] bytes) {
        FlowRig whole = FlowRig.stream();
        whole.parser.parse(new Chunk().restart(1).from(FlowRig.SENDER).wrap(bytes, 0, bytes.length, true), whole.sink);
        FlowRig pieces = FlowRig.stream();
        Chunk chunk = new Chunk().restart(1).from(FlowRig.SENDER);
        int offset = 0;
        for (int end = 7; offset < bytes.length && !chunk.isAbandoned(); end += 7) {
            int limit = Math.min(end, bytes.length);
            pieces.parser.parse(chunk.wrap(bytes, offset, limit - offset, limit == bytes.length), pieces.sink);
            offset = chunk.offset();
            if (limit == bytes.length && offset < limit) {
                throw new AssertionError("The end of a stream is taken whole.");
            }
        }
        if (!whole.sink.points.equals(pieces.sink.points)) {
            throw new AssertionError("The pieces make a difference.");
        }
    }
}
