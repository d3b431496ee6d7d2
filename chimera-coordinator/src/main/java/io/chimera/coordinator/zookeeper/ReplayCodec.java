package io.chimera.coordinator.zookeeper;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes the znodes of replays, as {@link ZnodeCodec} does for live cycles. */
final class ReplayCodec {
    private ReplayCodec() {}

    static byte[] encode(ReplayMark mark) {
        return ZnodeCodec.bytes(ZnodeCodec.object()
                .put("cycle", mark.cycle())
                .<ObjectNode>set("totals", ZnodeCodec.accounts(mark.totals())));
    }

    static ReplayMark mark(byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = ZnodeCodec.fields(json);
        return new ReplayMark(fields.number("cycle"), ZnodeCodec.accounts(fields.object("totals")));
    }

    static byte[] encode(ReplayRequest request) {
        ObjectNode json = ZnodeCodec.object()
                .put("pipeline", request.pipeline())
                .put("next", request.next())
                .put("skipped", request.skipped())
                .set("accounts", ZnodeCodec.accounts(request.accounts()));
        ArrayNode cycles = json.putArray("cycles");
        request.cycles().forEach(cycle -> cycles.add(tree(cycle)));
        return ZnodeCodec.bytes(json);
    }

    /** Decodes a request. The id of a request is the name of its znode. */
    static ReplayRequest request(String id, byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = ZnodeCodec.fields(json);
        List<PastCycle> cycles = new ArrayList<>();
        for (ZnodeFields cycle : fields.objects("cycles")) {
            cycles.add(past(cycle));
        }
        try {
            return new ReplayRequest(
                    id,
                    fields.text("pipeline"),
                    cycles,
                    fields.smallNumber("next"),
                    fields.smallNumber("skipped"),
                    ZnodeCodec.accounts(fields.object("accounts")));
        } catch (IllegalArgumentException e) {
            throw new MalformedZnodeException(e.getMessage(), e);
        }
    }

    private static ObjectNode tree(PastCycle cycle) {
        return ZnodeCodec.object()
                .put("cycle", cycle.number())
                .put("time_ms", cycle.timeMs())
                .put("clock_ms", cycle.time().clockMs())
                .<ObjectNode>set("before", ZnodeCodec.positions(cycle.before()))
                .set("cut", ZnodeCodec.positions(cycle.cut()));
    }

    private static PastCycle past(ZnodeFields fields) throws MalformedZnodeException {
        return new PastCycle(
                fields.number("cycle"), ZnodeCodec.time(fields), fields.positions("before"), fields.positions("cut"));
    }

    static ObjectNode tree(Replay replay) {
        return ZnodeCodec.object()
                .put("request", replay.request())
                .put("cycle", replay.cycle())
                .put("pipeline", replay.pipeline())
                .set("before", ZnodeCodec.positions(replay.before()));
    }

    static Replay replay(ZnodeFields fields) throws MalformedZnodeException {
        return new Replay(
                fields.text("request"), fields.number("cycle"), fields.positions("before"), fields.text("pipeline"));
    }

    static ArrayNode spans(List<CycleSpan> spans) {
        ArrayNode array = ZnodeCodec.object().arrayNode();
        spans.forEach(
                span -> array.add(ZnodeCodec.object().put("first", span.first()).put("last", span.last())));
        return array;
    }

    /** Decodes spans; empty when an earlier release wrote the znode. */
    static List<CycleSpan> spans(ZnodeFields fields, String name) throws MalformedZnodeException {
        List<CycleSpan> spans = new ArrayList<>();
        if (fields.has(name)) {
            for (ZnodeFields span : fields.objects(name)) {
                long first = span.number("first");
                spans.add(new CycleSpan(first, Math.max(first, span.number("last"))));
            }
        }
        return spans;
    }
}
