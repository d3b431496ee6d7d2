package io.chimera.queue.parser.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WireReaderTest {
    private final WireReader reader = new WireReader();
    private final WireCheck check = new WireCheck();
    private final WireShape shape =
            new WireShape().message(1, new WireShape()).varints(2).fixed64s(3);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private boolean isValid(String hex) {
        byte[] bytes = bytes(hex);
        return check.isValid(bytes, 0, bytes.length, shape, 0);
    }

    @Test
    void readsEveryKindOfValue() {
        byte[] bytes = bytes("ff 08 ac02 21 0100000000000080 1a 03 616263 2d ffffffff ff");
        reader.open(bytes, 1, bytes.length - 1);

        assertThat(reader.next()).isTrue();
        assertThat(reader.tag()).isEqualTo(WireReader.tagOf(1, WireReader.VARINT));
        assertThat(reader.value()).isEqualTo(300);
        assertThat(reader.next()).isTrue();
        assertThat(reader.tag()).isEqualTo(WireReader.tagOf(4, WireReader.FIXED64));
        assertThat(reader.value()).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(reader.next()).isTrue();
        assertThat(reader.tag()).isEqualTo(WireReader.tagOf(3, WireReader.LENGTH));
        assertThat(new String(bytes, reader.offset(), reader.length(), StandardCharsets.US_ASCII))
                .isEqualTo("abc");
        assertThat(reader.next()).isTrue();
        assertThat(reader.value()).isEqualTo(-1);
        assertThat(reader.position()).isEqualTo(bytes.length - 1);
        assertThat(reader.next()).isFalse();
        assertThat(reader.isBroken()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08", // no value
                "08 ff", // a varint without an end
                "08 ffffffffffffffffffff 01", // a varint of 11 bytes
                "00 01", // field 0
                "22 05 61", // longer than the message
                "22 ffffffff07 61", // 2 GiB
                "22 ffffffff0f 61", // a negative length
                "21 00000000000000", // 7 bytes
                "25 000000", // 3 bytes
                "26", // an unassigned type
                "0c", // the end of no group
                "0b 08 01", // a group without an end
                "0b 14", // the end of another group
                "0a 02 08 ff", // a malformed message within
                "12 02 01 ff", // a malformed element
                "1a 07 00000000000000" // half a number
            })
    void refusesMalformedMessages(String hex) {
        assertThat(isValid(hex)).isFalse();
    }

    @Test
    void skipsGroupsUpToTheMaximumNesting() {
        assertThat(isValid("0b 0b 08 01 22 01 61 0c 0c 08 01")).isTrue();
        String deepest = "0b".repeat(WireReader.NESTING_MAX) + "0c".repeat(WireReader.NESTING_MAX);
        assertThat(isValid(deepest)).isTrue();
        assertThat(isValid("0b" + deepest + "0c")).isFalse();
        assertThat(isValid("0b".repeat(1_000_000))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"'', true", "0a00, true", "8a0000, true", "0a020801, true", "1200, true", "1a00, true", "f2070162, true"
    })
    void acceptsEmptyPartsAndLongTags(String hex, boolean isGood) {
        assertThat(isValid(hex)).isEqualTo(isGood);
    }
}
