package io.chimera.dataset.source.s3;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.dataset.source.s3.ListingPage.ListedObject;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;

/** Arbitrary documents are read, or refused as malformed; nothing else happens. */
final class BoundedXmlFuzz {
    private static final String PAGE =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult xmlns=\"http://x/\">"
                    + "<IsTruncated>true</IsTruncated><NextContinuationToken>n</NextContinuationToken>"
                    + "<EncodingType>url</EncodingType><Contents><Key>a%2Bb</Key><Size>12</Size>"
                    + "<ETag>&quot;e&quot;</ETag><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>"
                    + "<![CDATA[x]]></ListBucketResult>";
    private static final String ERROR = "<Error><Code>NoSuchKey</Code><!-- c --><Message>&#65;</Message></Error>";

    @FuzzTest(maxDuration = "1m")
    void readsAnyDocument(byte[] document) {
        assertThat(S3Errors.code(document)).hasSizeLessThanOrEqualTo(64);
        try {
            ListingPage page = ListingPage.parse(document);
            assertThat(page.objects()).hasSizeLessThanOrEqualTo(1000);
            for (ListedObject object : page.objects()) {
                assertThat(object.length()).isNotNegative();
                assertThat(object.key()).hasSizeBetween(1, 1024);
            }
        } catch (XMLStreamException e) {
            assertThat(e).hasMessageNotContaining("java.lang");
        }
    }

    @Test
    void readsSoundDocumentsWithBytesChanged() {
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            byte[] document = (random.nextBoolean() ? PAGE : ERROR).getBytes(StandardCharsets.UTF_8);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                document[random.nextInt(document.length)] = (byte) random.nextInt(256);
            }
            readsAnyDocument(document);
        }
    }
}
