package io.chimera.flow.table;

import io.chimera.api.HotPath;
import io.chimera.common.config.FlowColumn;

/** Metadata of a flow beyond its record, as sent by an exporter. Valid for one call. */
public interface FlowOrigin {
    /** Maximum bytes of a name: an IPv6 address with an interface name. */
    int NAME_LENGTH_MAX = AddressText.LENGTH_MAX + 1 + 15;

    /** Origin of captured flows, without metadata. */
    FlowOrigin CAPTURE = new FlowOrigin() {};

    /**
     * Returns the value of an exporter column.
     *
     * @param column column with {@link FlowColumn#isOfExporter}; 0 for a text column
     */
    @HotPath
    default long number(FlowColumn column) {
        return 0;
    }

    /**
     * Writes the name of the exporter.
     *
     * @param target receives up to {@link #NAME_LENGTH_MAX} bytes from {@code at} on
     * @return index after the last byte
     */
    @HotPath
    default int name(byte[] target, int at) {
        target[at] = '-';
        return at + 1;
    }

    /** Returns the number of elements without a column. */
    @HotPath
    default int others() {
        return 0;
    }

    /** Returns the name of an element without a column. */
    @HotPath
    default byte[] otherName(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    /** Returns the value of an element without a column. */
    @HotPath
    default long otherValue(int index) {
        throw new IndexOutOfBoundsException(index);
    }
}
