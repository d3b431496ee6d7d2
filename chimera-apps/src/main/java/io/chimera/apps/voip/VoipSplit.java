package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.util.List;

/**
 * {@code voip_split}: of a call its two halves, one with the tag of the caller, one with that of the callee, so that each goes
 * where the filters of its user are; for two processors in N of M calls these are different ones (Figure 2 of the paper on
 * BlockMon, 2013). Calls that name no caller or no callee leave by {@code invalid}.
 */
public final class VoipSplit implements TransformType {
    private static final int OUT = 0;
    private static final int INVALID = 1;

    /** For the ServiceLoader. */
    public VoipSplit() {}

    @Override
    public String name() {
        return "voip_split";
    }

    @Override
    public List<String> gates(PluginContext context) {
        return List.of(TransformType.OUT, "invalid");
    }

    @Override
    public Transform create(PluginContext context) {
        return VoipSplit::split;
    }

    @HotPath
    private static void split(PointView call, Outlet out) {
        int caller = call.field(CallText.CALLER);
        int callee = call.field(CallText.CALLEE);
        if (isNobody(call, caller) || isNobody(call, callee)) {
            out.pass(INVALID);
            return;
        }
        int duration = call.field(CallText.DURATION);
        int code = call.field(CallText.CODE);
        long calleeHash = UserHash.of(call.text(callee));
        out.point(OUT)
                .metric(CallText.METRIC)
                .tag(CallText.USER, call.text(caller))
                .field(CallText.CALLEE, calleeHash)
                .field(CallText.DURATION, duration < 0 ? 0 : call.whole(duration))
                .field(CallText.CODE, code < 0 ? 0 : call.whole(code))
                .end();
        out.point(OUT)
                .metric(CallText.METRIC)
                .tag(CallText.USER, call.text(callee))
                .field(CallText.CALLER, UserHash.of(call.text(caller)))
                .end();
    }

    private static boolean isNobody(PointView call, int field) {
        if (field < 0) {
            return true;
        }
        Text text = call.text(field);
        return text == null || text.size() == 0;
    }
}
