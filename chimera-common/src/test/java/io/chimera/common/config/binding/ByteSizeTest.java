package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0B",
        "17, 17, 17B",
        "17B, 17, 17B",
        "1_024, 1024, 1KiB",
        "64MiB, 67108864, 64MiB",
        "1536 KiB, 1572864, 1536KiB",
        "3GiB, 3221225472, 3GiB",
        "2TiB, 2199023255552, 2TiB"
    })
    void readsAndWrites(String text, long bytes, String shortest) {
        ByteSize size = ByteSize.parse(text);

        assertThat(size.bytes()).isEqualTo(bytes);
        assertThat(size).hasToString(shortest);
        assertThat(ByteSize.parse(shortest)).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "MiB", "-1", "1.5GiB", "64MB", "64mib", "9223372036854775807KiB", "99999999999999999999"})
    void refusesWhatIsNoSize(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ByteSize.parse(text));
    }

    @Test
    void staysAnIntWhereOneIsWanted() {
        assertThat(ByteSize.ofGibibytes(5).intBytes()).isEqualTo(Integer.MAX_VALUE);
        assertThat(ByteSize.ofMebibytes(1).intBytes()).isEqualTo(1 << 20);
    }
}
