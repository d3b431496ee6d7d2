package io.chimera.common.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.FieldType;
import io.chimera.common.wire.PointBytes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PointFlyweightTest {
    private final CompositionRig rig = new CompositionRig("blocks: { a: { type: copy } }", false);

    private final PointFlyweight point = rig.lay(new PointBytes("cpu")
            .tag("host", "h1")
            .tag("ort", "Köln 😀")
            .field("d", -2.7)
            .field("t", "grün")
            .field("b", true)
            .field("u", new BigInteger("18446744073709551615"))
            .field("e", "")
            .field("l", 42L)
            .time(99));

    @Test
    void showsSeriesAndTime() {
        assertThat(point.metric()).hasToString("cpu");
        assertThat(point.timeNs()).isEqualTo(99);
        assertThat(point.tags()).isEqualTo(2);
        assertThat(point.tagName(1)).hasToString("ort");
        assertThat(point.tagValue(1)).hasToString("Köln 😀");
        assertThat(point.tagValue(0)).hasToString("h1");
        assertThat(point.tag("host")).hasToString("h1");
        assertThat(point.tag("hos")).isNull();
        assertThat(point.tag("hostx")).isNull();
        assertThatThrownBy(() -> point.tagName(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> point.number(6)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void showsFieldsOfAllTypes() {
        assertThat(point.fields()).isEqualTo(6);
        assertThat(point.number(point.field("d"))).isEqualTo(-2.7);
        assertThat(point.whole(point.field("d"))).isEqualTo(-2);
        assertThat(point.text(point.field("t"))).hasToString("grün");
        assertThat(point.number(point.field("t"))).isNaN();
        assertThat(point.whole(point.field("b"))).isEqualTo(1);
        assertThat(point.number(point.field("u"))).isEqualTo(0x1p64);
        assertThat(point.text(point.field("e")).size()).isZero();
        assertThat(point.text(point.field("l"))).isNull();
        assertThat(point.whole(point.field("l"))).isEqualTo(42);
        assertThat(point.fieldName(5)).hasToString("l");
        assertThat(point.fieldType(3)).isEqualTo(FieldType.UNSIGNED);
        assertThat(point.field("nothing")).isEqualTo(-1);
    }

    @Test
    void textsAreEqualWhenTheirBytesAre() {
        String text = "Köln 😀";

        assertThat(point.tag("ort").is(text)).isTrue();
        assertThat(point.tag("ort").is("Köln")).isFalse();
        assertThat(point.tag("ort").is("Koeln 1234")).isFalse();
        assertThat(point.tag("ort").length()).isEqualTo(text.length());
        assertThat(point.tag("ort").charAt(1)).isEqualTo('ö');
        assertThat(point.tag("ort").subSequence(0, 4)).hasToString("Köln");
        byte[] bytes = new byte[point.tag("ort").size()];
        point.tag("ort").copyTo(bytes, 0);
        assertThat(bytes).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
        long hash = point.tagValue(1).hash();
        assertThat(point.tag("ort").hash())
                .isEqualTo(hash)
                .isNotEqualTo(point.tag("host").hash());
    }

    @Test
    void whatIsBuiltFromTextsOfAllKindsIsWhatIsRead() {
        Utf8Scratch scratch = new Utf8Scratch();
        for (String text : new String[] {"plain", "Köln", "日本", "a😀b", "half \uD83D and \uDE00", ""}) {
            scratch.rewind(0);
            int length = scratch.add(text);
            assertThat(new String(scratch.bytes(), 0, length, StandardCharsets.UTF_8))
                    .isEqualTo(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        }
    }
}
