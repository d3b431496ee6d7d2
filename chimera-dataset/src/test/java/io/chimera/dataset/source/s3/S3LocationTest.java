package io.chimera.dataset.source.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.chimera.dataset.source.s3.S3Location.Style;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class S3LocationTest {
    private static S3Location location(String endpoint, String bucket, String prefix, Style style) {
        return new S3Location(URI.create(endpoint), "us-east-1", bucket, prefix, style);
    }

    @Test
    void putsTheBucketIntoThePathOrTheHost() {
        S3Location path = location("http://[::1]:9000/", "data", "", Style.PATH);
        assertThat(path.ofObject("a b/c")).hasToString("http://[::1]:9000/data/a%20b/c");
        assertThat(path.ofBucket("list-type=2")).hasToString("http://[::1]:9000/data?list-type=2");
        assertThat(path.place()).isEqualTo("http://[::1]:9000/data/");

        S3Location host = location("https://S3.Example.org:443", "data", "x/y", Style.VIRTUAL_HOST);
        assertThat(host.ofObject("a=b")).hasToString("https://data.s3.example.org/x/y/a%3Db");
        assertThat(host.ofBucket("list-type=2")).hasToString("https://data.s3.example.org/?list-type=2");
        assertThat(host.place()).isEqualTo("https://s3.example.org/data/x/y/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://h",
                "h:9000",
                "http://me:s3cr3t@h",
                "http://h/s3cr3t",
                "http://h?s3cr3t",
                "http://h#s3cr3t"
            })
    void refusesOtherEndpoints(String endpoint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> location(endpoint, "data", "", Style.PATH))
                .withMessageNotContaining("s3cr3t");
    }

    @ParameterizedTest
    @CsvSource({"a", "a/b", "'a?b'", "a@b.c", "-abc", "..", "'a b'"})
    void refusesOtherBuckets(String bucket) {
        for (Style style : Style.values()) {
            assertThatIllegalArgumentException().isThrownBy(() -> location("http://h", bucket, "", style));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> location("http://h", "Data", "", Style.VIRTUAL_HOST));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "a//b", "../a", "/"})
    void refusesOtherPrefixes(String prefix) {
        assertThatIllegalArgumentException().isThrownBy(() -> location("http://h", "data", prefix, Style.PATH));
    }
}
