package io.chimera.queue.flow;

import io.chimera.api.HotPath;
import io.chimera.common.config.FlowColumn;

/** What is known of a flow beside its record: an exporter told it. Valid for one call. */
public interface FlowOrigin {
    /** The most bytes of a name: an address of IPv6 with the name of an interface behind it. */
    int NAME_LENGTH_MAX = AddressText.LENGTH_MAX + 1 + 15;

    /** A capture knows nothing more. */
    FlowOrigin CAPTURE = new FlowOrigin() {};

    /**
     * What a column of an exporter says.
     *
     * @param column one with {@link FlowColumn#isOfExporter}; of a text 0
     */
    @HotPath
    default long number(FlowColumn column) {
        return 0;
    }

    /**
     * Writes the name of the exporter.
     *
     * @param target takes up to {@link #NAME_LENGTH_MAX} bytes from {@code at} on
     * @return index behind the last byte
     */
    @HotPath
    default int name(byte[] target, int at) {
        target[at] = '-';
        return at + 1;
    }

    /** How many elements there are that have no column. */
    @HotPath
    default int others() {
        return 0;
    }

    /** Name of such an element. */
    @HotPath
    default byte[] otherName(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    /** Value of such an element. */
    @HotPath
    default long otherValue(int index) {
        throw new IndexOutOfBoundsException(index);
    }
}
