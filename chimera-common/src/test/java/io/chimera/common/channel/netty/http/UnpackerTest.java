package io.chimera.common.channel.netty.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.BodyEncoding;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.NoLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
final class UnpackerTest {
    private static final int BYTES_MAX = 1 << 20;

    private final BodyPool pool = new BodyPool(BYTES_MAX, 4L * BYTES_MAX);
    private final RequestBody body = new RequestBody(
            pool, new Limits(BYTES_MAX, 100, 4L * BYTES_MAX, 1, 1), BodyEncoding.ZLIB, PooledByteBufAllocator.DEFAULT);

    @AfterEach
    void close() {
        body.close();
        assertThat(pool.bytesOut()).isZero();
    }

    private RequestRefusal unpack(String encoding, byte[] packed, int pieceLength) {
        body.drop();
        RequestRefusal refusal = body.begin(encoding);
        for (int from = 0; refusal == null && from < packed.length; from += pieceLength) {
            ByteBuf piece = Unpooled.wrappedBuffer(packed, from, Math.min(pieceLength, packed.length - from));
            refusal = body.append(piece);
        }
        return refusal == null ? body.finish() : refusal;
    }

    private byte[] unpacked() {
        return Arrays.copyOf(body.array(), body.length());
    }

    @Test
    void unpacksEachFormatHoweverItIsCut() {
        byte[] plain = Packing.lines(50_000);
        for (int pieceLength : new int[] {1, 7, 1000, 1 << 20}) {
            assertThat(unpack("gzip", Packing.gzip(plain), pieceLength)).isNull();
            assertThat(unpacked()).isEqualTo(plain);
            assertThat(unpack("deflate", Packing.zlib(plain), pieceLength)).isNull();
            assertThat(unpacked()).isEqualTo(plain);
            assertThat(unpack("deflate", Packing.bare(plain), pieceLength)).isNull();
            assertThat(unpacked()).isEqualTo(plain);
            assertThat(unpack(null, plain, pieceLength)).isNull();
            assertThat(unpacked()).isEqualTo(plain);
        }
    }

    @Test
    void unpacksSeveralMembers() {
        byte[] one = Packing.gzip("one ".getBytes(US_ASCII));
        byte[] two = Packing.gzip("two".getBytes(US_ASCII));
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        for (int pieceLength : new int[] {1, 100}) {
            assertThat(unpack("X-GZip", both, pieceLength)).isNull();
            assertThat(new String(unpacked(), US_ASCII)).isEqualTo("one two");
        }
    }

    @Test
    void skipsTheFieldsOfAFullHeaderAndChecksItsChecksum() {
        byte[] plain = Packing.gzip("text".getBytes(US_ASCII));
        ByteArrayOutputStream full = new ByteArrayOutputStream();
        full.write(plain, 0, 3);
        full.write(2 | 4 | 8 | 16);
        full.write(plain, 4, 6);
        full.writeBytes(new byte[] {3, 0, 'e', 'x', 't', 'n', 0, 'c', 'o', 0});
        CRC32 crc = new CRC32();
        crc.update(full.toByteArray());
        int crcAt = full.size();
        full.write((int) crc.getValue());
        full.write((int) crc.getValue() >>> 8);
        full.write(plain, 10, plain.length - 10);
        byte[] packed = full.toByteArray();
        for (int pieceLength : new int[] {1, 100}) {
            assertThat(unpack("gzip", packed, pieceLength)).isNull();
            assertThat(new String(unpacked(), US_ASCII)).isEqualTo("text");
        }
        packed[crcAt] ^= 1;
        assertThat(unpack("gzip", packed, 100).message()).contains("not valid gzip", "CRC16");
    }

    @Test
    void takesAnEmptyBodyInAnyEncoding() {
        assertThat(unpack("gzip", new byte[0], 1)).isNull();
        assertThat(unpack("deflate", new byte[0], 1)).isNull();
        assertThat(unpack("gzip", Packing.gzip(new byte[0]), 1)).isNull();
        assertThat(body.length()).isZero();
    }

    @Test
    void refusesEveryTruncation() {
        byte[] packed = Packing.gzip(Packing.lines(500));
        for (int length = 1; length < packed.length; length++) {
            RequestRefusal refusal = unpack("gzip", Arrays.copyOf(packed, length), 1000);
            assertThat(refusal).as("length %d", length).isNotNull();
            assertThat(refusal.status()).isEqualTo(400);
        }
    }

    @Test
    void refusesEveryFlippedBitThatChangesTheText() {
        byte[] plain = Packing.lines(500);
        byte[] packed = Packing.gzip(plain);
        int refused = 0;
        for (int bit = 0; bit < packed.length * 8; bit++) {
            byte[] damaged = packed.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            if (unpack("gzip", damaged, 64) != null) {
                refused++;
            } else {
                assertThat(unpacked()).as("bit %d", bit).isEqualTo(plain);
            }
        }
        // Time, extra flags, system and the text flag do not affect the content.
        assertThat(refused).isGreaterThan(packed.length * 8 - 60);
    }

    @Test
    void refusesBytesBehindTheEnd() {
        byte[] packed = Packing.zlib(new byte[] {1});
        assertThat(unpack("deflate", Arrays.copyOf(packed, packed.length + 1), 100)
                        .message())
                .contains("not valid deflate", "extra bytes");
        byte[] gzip = Packing.gzip(new byte[] {1});
        assertThat(unpack("gzip", Arrays.copyOf(gzip, gzip.length + 1), 100).status())
                .isEqualTo(400);
    }

    @Test
    void holdsNoMoreThanTheLimitHoweverABombIsPacked() {
        byte[] random = new byte[BYTES_MAX + 1];
        new Random(1).nextBytes(random);
        assertThat(unpack("gzip", Packing.gzip(new byte[8 * BYTES_MAX]), 100).status())
                .isEqualTo(413);
        assertThat(body.length()).isLessThanOrEqualTo(HttpPort.RATIO_FREE_BYTES + 16_384);
        assertThat(unpack("gzip", Packing.gzip(random), 1000).status()).isEqualTo(413);
        assertThat(body.array().length).isEqualTo(BYTES_MAX);
    }

    @Test
    void refusesWhenThePoolIsEmpty() {
        byte[][] hogs = new byte[4][];
        for (int i = 0; i < 4; i++) {
            hogs[i] = RequestBody.EMPTY;
            while (hogs[i].length < BYTES_MAX) {
                hogs[i] = pool.grow(hogs[i], 0);
            }
        }
        assertThat(unpack("gzip", Packing.gzip(new byte[10]), 100).status()).isEqualTo(503);
        assertThat(unpack(null, new byte[10], 100).status()).isEqualTo(503);
        for (byte[] hog : hogs) {
            pool.give(hog);
        }
        assertThat(unpack(null, new byte[10], 100)).isNull();
    }
}
