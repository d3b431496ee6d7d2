package io.chimera.dataset.source.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signatures of the test suite of AWS, and of the examples in the documentation of S3. */
final class RequestSignerTest {
    private static final Instant SUITE_TIME = Instant.parse("2015-08-30T12:36:00Z");
    private static final Instant S3_TIME = Instant.parse("2013-05-24T00:00:00Z");

    private static final S3Credentials SUITE =
            new S3Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "");
    private static final S3Credentials S3 =
            new S3Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "");

    private static String signature(Map<String, String> signed) {
        String authorization = signed.get("Authorization");
        return authorization.substring(authorization.indexOf("Signature=") + "Signature=".length());
    }

    @ParameterizedTest
    @CsvSource({
        "/, 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
        "/?Param1=value1, a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
        "/?Param2=value2&Param1=value1, b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
        "/%E1%88%B4, 8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"
    })
    void signsRequestsOfTheSuite(String target, String signature) {
        RequestSigner signer = new RequestSigner(SUITE, "us-east-1", "service");
        Map<String, String> signed =
                signer.sign("GET", URI.create("https://example.amazonaws.com" + target), Map.of(), SUITE_TIME);
        assertThat(signature(signed)).isEqualTo(signature);
        assertThat(signed.get("Authorization"))
                .startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                        + " SignedHeaders=host;x-amz-date,");
    }

    @Test
    void trimsValuesOfHeaders() {
        RequestSigner signer = new RequestSigner(SUITE, "us-east-1", "service");
        Map<String, String> signed = signer.sign(
                "GET",
                URI.create("https://example.amazonaws.com/"),
                Map.of("My-Header1", " value1", "My-Header2", " \"a   b   c\""),
                SUITE_TIME);
        assertThat(signature(signed)).isEqualTo("acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
    }

    @ParameterizedTest
    @CsvSource({
        "/test.txt, bytes=0-9, f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        "/?lifecycle, '', fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        "/?max-keys=2&prefix=J, '', 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    })
    void signsTheExamplesOfS3(String target, String range, String signature) {
        Map<String, String> hash = Map.of("x-amz-content-sha256", RequestSigner.EMPTY_SHA256);
        Map<String, String> headers =
                range.isEmpty() ? hash : Map.of("Range", range, "x-amz-content-sha256", RequestSigner.EMPTY_SHA256);
        Map<String, String> signed = new RequestSigner(S3, "us-east-1", "s3")
                .sign("GET", URI.create("https://examplebucket.s3.amazonaws.com" + target), headers, S3_TIME);
        assertThat(signature(signed)).isEqualTo(signature);
    }

    @Test
    void signsTheSessionToken() {
        S3Credentials temporary = new S3Credentials(SUITE.accessKey(), SUITE.secretKey(), "t0ken");
        Map<String, String> signed = new RequestSigner(temporary, "us-east-1", "s3")
                .sign("GET", URI.create("http://127.0.0.1:9000/b/a"), Map.of(), SUITE_TIME);
        assertThat(signed)
                .containsEntry("x-amz-security-token", "t0ken")
                .containsEntry("x-amz-date", "20150830T123600Z")
                .doesNotContainKey("host");
        assertThat(signed.get("Authorization")).contains("host;x-amz-date;x-amz-security-token");
    }

    @Test
    void credentialsShowNoSecret() {
        assertThat(new S3Credentials("id", "s3cr3t", "t0ken").toString())
                .contains("id")
                .doesNotContain("s3cr3t", "t0ken");
        assertThat(S3Credentials.ANONYMOUS.toString()).contains("anonymous");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new S3Credentials("id", "s3cr3t\n", ""))
                .withMessageNotContaining("s3cr3t");
        assertThatIllegalArgumentException().isThrownBy(() -> new S3Credentials("id", "", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new S3Credentials("", "", "t0ken"));
    }
}
