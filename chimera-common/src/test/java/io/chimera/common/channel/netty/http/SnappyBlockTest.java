package io.chimera.common.channel.netty.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.BodyEncoding;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.NoLeaks;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(NoLeaks.class)
final class SnappyBlockTest {
    private static final int BYTES_MAX = 1 << 20;

    private final BodyPool pool = new BodyPool(BYTES_MAX, 4L * BYTES_MAX);
    private final RequestBody body = new RequestBody(
            pool, new Limits(BYTES_MAX, 10, 4L * BYTES_MAX, 1, 1), BodyEncoding.SNAPPY, PooledByteBufAllocator.DEFAULT);

    @AfterEach
    void close() {
        body.close();
        assertThat(pool.bytesOut()).isZero();
    }

    private RequestRefusal unpack(String encoding, byte[] packed) {
        body.drop();
        RequestRefusal refusal = body.begin(encoding);
        for (int from = 0; refusal == null && from < packed.length; from += 1000) {
            refusal = body.append(Unpooled.wrappedBuffer(packed, from, Math.min(1000, packed.length - from)));
        }
        return refusal == null ? body.finish() : refusal;
    }

    private byte[] unpacked() {
        return Arrays.copyOf(body.array(), body.length());
    }

    private RequestRefusal unpackHex(String hex) {
        return unpack("snappy", HexFormat.of().parseHex(hex));
    }

    @Test
    void unpacksBlocksOfAnotherImplementation() {
        Random random = new Random(7);
        byte[] noise = new byte[100_000];
        random.nextBytes(noise);
        for (byte[] plain : new byte[][] {
            {}, {1}, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".getBytes(US_ASCII), Packing.lines(500_000), noise
        }) {
            assertThat(unpack("Snappy", Packing.snappy(plain))).isNull();
            assertThat(unpacked()).isEqualTo(plain);
            assertThat(unpack(null, Packing.snappy(plain)))
                    .as("without a header")
                    .isNull();
            assertThat(unpacked()).isEqualTo(plain);
        }
    }

    /** Elements that the encoder of the other test never writes: long distances, long lengths, overlaps. */
    @ParameterizedTest
    @CsvSource({
        "0a 00 61 15 01, aaaaaaaaaa",
        "0a 04 6162 11 02, ababababab",
        "0c 2c 6162636465666768696a6b6c, abcdefghijkl",
        "18 2c 6162636465666768696a6b6c 2e 0c00, abcdefghijklabcdefghijkl",
        "08 08 616263 12 0300, abcabcab",
        "08 08 616263 13 03000000, abcabcab",
        "03 f0 02 616263, abc",
        "03 f4 0200 616263, abc",
        "03 f8 020000 616263, abc",
        "03 fc 02000000 616263, abc"
    })
    void readsEveryKindOfElement(String hex, String plain) {
        assertThat(unpackHex(hex.replace(" ", ""))).isNull();
        assertThat(new String(unpacked(), US_ASCII)).isEqualTo(plain);
    }

    @ParameterizedTest
    @CsvSource({
        "'', nothing at all",
        "ff, a length without an end",
        "ffffffff7f, a length beyond 32 bits",
        "808080808001, a length of 6 bytes",
        "01, no element",
        "02 00 61, too little",
        "01 04 6162, too much",
        "05 10 61, a literal behind the end",
        "05 fc ffffffff 61, a literal of 4 GiB",
        "05 f0, a literal without its length",
        "05 00 61 01 00, distance 0",
        "05 00 61 01 02, distance before the beginning",
        "05 00 61 01, a copy without its distance",
        "05 00 61 0f 00000080, distance of 2 GiB",
        "03 00 61 01 01, a copy behind the end",
        "ff060000734e61507059, a framed stream"
    })
    void refusesCorruptBlocks(String hex, String why) {
        RequestRefusal refusal = unpackHex(hex.replace(" ", ""));

        assertThat(refusal).as(why).isNotNull();
        assertThat(refusal.status()).isEqualTo(400);
        assertThat(refusal.message()).contains("snappy");
        assertThat(refusal.message().contains("block format")).isEqualTo(why.contains("stream"));
    }

    @Test
    void refusesOtherEncodings() {
        for (String encoding : new String[] {"gzip", "deflate", "zstd", "identity", ""}) {
            assertThat(unpack(encoding, Packing.snappy(new byte[10])).status()).isEqualTo(415);
        }
    }

    @Test
    void refusesABombByItsLengthBeforeTakingMemory() {
        byte[] gibibyte = HexFormat.of().parseHex("8080808004fe0100");
        RequestRefusal impossible = unpack("snappy", gibibyte);
        assertThat(impossible.status()).isEqualTo(400);
        assertThat(impossible.message()).contains("more than such a body can have");

        RequestRefusal tooLong = unpack("snappy", Packing.snappy(new byte[BYTES_MAX + 1]));
        assertThat(tooLong.status()).isEqualTo(413);
        assertThat(tooLong.message()).contains("decompressed body");
        assertThat(body.array().length).isLessThan(BYTES_MAX);

        byte[] dense = Packing.snappy(new byte[BYTES_MAX]);
        assertThat(dense.length).isGreaterThan(BYTES_MAX / 30);
        RequestRefusal ratio = unpack("snappy", dense);
        assertThat(ratio.status()).isEqualTo(413);
        assertThat(ratio.message()).contains("10 times");
        assertThat(body.array().length).isLessThan(BYTES_MAX);
    }

    @Test
    void refusesWhenThePoolIsEmptyAndKeepsNothing() {
        byte[] packed = Packing.snappy(Packing.lines(200_000));
        byte[] hog = pool.take(BYTES_MAX);
        byte[] second = pool.take(BYTES_MAX);
        byte[] third = pool.take(BYTES_MAX);
        byte[] last = pool.take(BYTES_MAX - (256 << 10));
        assertThat(last.length).isEqualTo(BYTES_MAX);
        pool.give(last);
        byte[] half = pool.take(512 << 10);
        byte[] quarter = pool.take(256 << 10);

        assertThat(unpack("snappy", packed).status()).isEqualTo(503);

        body.drop();
        for (byte[] taken : new byte[][] {hog, second, third, half, quarter}) {
            pool.give(taken);
        }
        assertThat(unpack("snappy", packed)).isNull();
    }
}
