package io.chimera.queue.ipfix;

import io.chimera.api.HotPath;
import io.chimera.common.config.FlowColumn;
import io.chimera.queue.flow.FlowOrigin;

/** What an exporter tells of a flow beside its record. One instance per input, laid over each flow. */
final class ExporterOrigin implements FlowOrigin {
    private DecodedFlow flow;
    private Exporter exporter;

    /** Lays it over a flow. */
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
            default -> 0; // a text, or of the flow itself: not asked for
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
