package io.chimera.common.channel.netty.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.channel.BodyEncoding;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.NoLeaks;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Arbitrary bodies: no exception, memory within the limits, and the same result as the JDK's decompression. */
@ExtendWith(NoLeaks.class)
final class UnpackerFuzz {
    private static final int BYTES_MAX = 256 << 10;
    private static final Limits LIMITS = new Limits(BYTES_MAX, 100, BYTES_MAX, 1, 1);

    @FuzzTest
    void unpacksAnyBytes(byte[] bytes) {
        if (bytes.length > 0) {
            byte[] packed = Arrays.copyOfRange(bytes, 1, bytes.length);
            int pieceLength = 1 + (bytes[0] & 0xFF);
            unpack("gzip", packed, pieceLength);
            unpack("deflate", packed, pieceLength);
        }
    }

    @Test
    void unpacksSoundBodiesWithBytesFlipped() {
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            byte[] plain =
                    random.nextBoolean() ? Packing.lines(random.nextInt(3_000)) : new byte[random.nextInt(300_000)];
            boolean gzip = random.nextBoolean();
            byte[] packed =
                    gzip ? Packing.gzip(plain) : random.nextBoolean() ? Packing.zlib(plain) : Packing.bare(plain);
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                packed[random.nextInt(packed.length)] ^= (byte) (1 << random.nextInt(8));
            }
            unpack(gzip ? "gzip" : "deflate", packed, 1 + random.nextInt(2_000));
        }
    }

    private static void unpack(String encoding, byte[] packed, int pieceLength) {
        BodyPool pool = new BodyPool(BYTES_MAX, BYTES_MAX);
        try (RequestBody body = new RequestBody(pool, LIMITS, BodyEncoding.ZLIB, PooledByteBufAllocator.DEFAULT)) {
            RequestRefusal refusal = body.begin(encoding);
            for (int from = 0; refusal == null && from < packed.length; from += pieceLength) {
                int length = Math.min(pieceLength, packed.length - from);
                refusal = body.append(Unpooled.wrappedBuffer(packed, from, length));
                assertThat(pool.bytesOut()).isLessThanOrEqualTo(BYTES_MAX);
            }
            if (refusal == null) {
                refusal = body.finish();
            }
            if (refusal == null && encoding.equals("gzip") && packed.length > 0) {
                assertThat(Arrays.copyOf(body.array(), body.length())).isEqualTo(unpackedByJdk(packed));
            } else if (refusal != null) {
                assertThat(refusal.status()).isIn(400, 413);
            }
        }
        assertThat(pool.bytesOut()).isZero();
    }

    private static byte[] unpackedByJdk(byte[] packed) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError("The JDK does not unpack it.", e);
        }
    }
}
