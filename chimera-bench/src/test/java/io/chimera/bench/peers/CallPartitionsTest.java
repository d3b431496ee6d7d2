package io.chimera.bench.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.apps.voip.CallPlan;
import io.chimera.bench.peers.job.Call;
import io.chimera.bench.peers.job.CallPartitions;
import io.chimera.bench.peers.job.CallReader;
import io.chimera.common.wire.SeriesHash;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class CallPartitionsTest {
    @Test
    void partsUsersAsChimeraPartsItsKeys() {
        for (int user = 0; user < 100; user++) {
            String line = "call,switch=s1 caller=\"" + CallPlan.number(user) + "\",callee=\""
                    + CallPlan.number(user + 1) + "\",duration=65i,code=200i 1700000000000000000\n";
            Call call = new CallReader(ByteBuffer.wrap(line.getBytes(US_ASCII))).next();

            byte[] caller = CallPlan.number(user).getBytes(US_ASCII);
            long hash = SeriesHash.of(new UnsafeBuffer(caller), 0, caller.length);
            assertThat(call.callerHash).isEqualTo(hash);
            assertThat(CallPartitions.of(call.callerHash)).isEqualTo(SeriesHash.shard(hash, CallPartitions.COUNT));
        }
    }
}
