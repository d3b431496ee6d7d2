package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NumberTextTest {
    private final NumberText number = new NumberText();

    /** Reads a text surrounded by other digits. */
    private boolean read(String text) {
        byte[] bytes = ("9" + text + "9999999999999999").getBytes(StandardCharsets.US_ASCII);
        int end = 1 + text.length();
        return number.read(bytes, 1, end) && number.next() == end;
    }

    private void agreesWithTheJdk(String text) {
        assertThat(read(text)).as(text).isTrue();
        assertThat(Double.doubleToRawLongBits(number.asDouble()))
                .as(text)
                .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "1",
                "-1",
                "1.",
                ".5",
                "-.5",
                "0.1",
                "1e5",
                "1E5",
                "1e+5",
                "1e-5",
                "1.5e22",
                "1.5e23",
                "123456789012345678",
                "9007199254740993",
                "9007199254740992e22",
                "9007199254740992e23",
                "1e-22",
                "1e-23",
                "4.9e-324",
                "2.4e-324",
                "1e-400",
                "1e400",
                "-1e400",
                "1.7976931348623157e308",
                "1e999999999999999999999",
                "1e-999999999999999999999",
                "0e999999999",
                "0.000000000000000000000000000001",
                "100000000000000000000000000000",
                "00000000000000000000000000000001.50",
                "0.1234567890123456789012345678901234567890",
                "12345678.12345678",
                "1234567.1234567",
                "18446744073709551615"
            })
    void givesTheNearestDouble(String text) {
        agreesWithTheJdk(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                ".",
                "-.",
                "e5",
                "1e",
                "1e+",
                "1e-",
                "+1",
                "--1",
                "1.5.5",
                "1,5",
                "NaN",
                "Infinity",
                "-inf",
                "0x10",
                "1f",
                "1d",
                "1 ",
                " 1",
                "1_000",
                "1e5.5"
            })
    void refusesWhatIsNoNumber(String text) {
        assertThat(read(text)).isFalse();
    }

    @Test
    void agreesWithTheJdkOnRandomDoubles() {
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                agreesWithTheJdk(Double.toString(value));
            }
            agreesWithTheJdk(Double.toString(random.nextInt(100_000_000) / 1000.0));
            agreesWithTheJdk(random.nextLong() + "." + random.nextInt(1000) + "e" + (random.nextInt(80) - 40));
            agreesWithTheJdk(random.nextInt() + "e" + (random.nextInt(60) - 30));
        }
    }

    @Test
    void agreesWithBigIntegersOnIntegers() {
        Random random = new Random(12);
        for (int i = 0; i < 50_000; i++) {
            BigInteger value = new BigInteger(1 + random.nextInt(70), random);
            if (random.nextInt(4) == 0) {
                value = BigInteger.ONE
                        .shiftLeft(62 + random.nextInt(4))
                        .add(BigInteger.valueOf(random.nextInt(11) - 5));
            }
            String text = "0".repeat(random.nextInt(3) * random.nextInt(12)) + value;
            check(text, value);
            check("-" + text, value.negate());
        }
    }

    private void check(String text, BigInteger value) {
        boolean negative = text.startsWith("-");
        assertThat(read(text)).as(text).isTrue();
        assertThat(number.isInteger()).isTrue();
        assertThat(number.isLong()).as(text).isEqualTo(value.bitLength() <= 63);
        assertThat(number.isUnsigned()).as(text).isEqualTo(!negative && value.bitLength() <= 64);
        if (number.isLong()) {
            assertThat(number.asLong()).as(text).isEqualTo(value.longValue());
        }
        if (number.isUnsigned()) {
            assertThat(number.asUnsigned()).as(text).isEqualTo(value.longValue());
        }
    }

    @Test
    void leavesWhatFollowsAnInteger() {
        byte[] bytes = "123.5".getBytes(StandardCharsets.US_ASCII);

        assertThat(number.readInteger(bytes, 0, 5)).isTrue();
        assertThat(number.next()).isEqualTo(3);
        assertThat(number.asLong()).isEqualTo(123);
        assertThat(number.readInteger(bytes, 3, 5)).isFalse();
    }
}
