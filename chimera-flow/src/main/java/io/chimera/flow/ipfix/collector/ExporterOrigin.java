package io.chimera.flow.ipfix.collector;

import io.chimera.api.HotPath;
import io.chimera.common.config.FlowColumn;
import io.chimera.flow.table.FlowOrigin;

/**
 * Values of a flow beyond its flow record: the exporter's metadata. An input has one instance and rewraps it for each
 * flow.
 */
final class ExporterOrigin implements FlowOrigin {
    private DecodedFlow flow;
    private Exporter exporter;

    /** Wraps a flow and its exporter. */
    @HotPath
    ExporterOrigin wrap(DecodedFlow newFlow, Exporter newExporter) {
        flow = newFlow;
        exporter = newExporter;
        return this;
    }

    @Override
    @HotPath
    public long number(FlowColumn column) {
        return switch (column) {
            case DOMAIN -> exporter.domain();
            case INGRESS_INTERFACE -> flow.ingressInterface;
            case EGRESS_INTERFACE -> flow.egressInterface;
            case CLASS_OF_SERVICE -> flow.classOfService;
            case SRC_AS -> flow.sourceAs;
            case DST_AS -> flow.destinationAs;
            case SAMPLING_INTERVAL -> flow.samplingInterval;
            default -> 0; // never requested: text, or a column of the flow record
        };
    }

    @Override
    @HotPath
    public int name(byte[] target, int at) {
        byte[] host = exporter.host();
        System.arraycopy(host, 0, target, at, host.length);
        return at + host.length;
    }

    @Override
    @HotPath
    public int others() {
        return flow.others();
    }

    @Override
    @HotPath
    public byte[] otherName(int index) {
        return flow.otherName(index);
    }

    @Override
    @HotPath
    public long otherValue(int index) {
        return flow.otherValue(index);
    }
}
