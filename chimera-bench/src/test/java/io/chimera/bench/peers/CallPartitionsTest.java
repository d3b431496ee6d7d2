package io.chimera.bench.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.apps.voip.CallPlan;
import io.chimera.bench.peers.job.CallPartitions;
import io.chimera.common.wire.SeriesHash;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class CallPartitionsTest {
    @Test
    void partsUsersAsChimeraPartsItsKeys() {
        CallPartitions partitions = new CallPartitions();
        for (int user = 0; user < 100; user++) {
            String number = CallPlan.number(user);
            byte[] key = ("\4\0call\4\0user" + (char) number.length() + "\0" + number).getBytes(US_ASCII);

            assertThat(partitions.of(number))
                    .isEqualTo(SeriesHash.shard(
                            SeriesHash.of(new UnsafeBuffer(key), 0, key.length), CallPartitions.COUNT));
        }
    }
}
