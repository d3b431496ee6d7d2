package io.chimera.dataset.source.xrootd;

import static io.chimera.dataset.source.xrootd.XrootdFixture.LIMITS;
import static io.chimera.dataset.source.xrootd.XrootdFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.RequestKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listings. */
final class XrootdListTest {
    private final XrootdFixture fixture = new XrootdFixture();
    private final FakeFiles files = new FakeFiles()
            .put("/data/run1/a.bin", new byte[10])
            .put("/data/run1/b.txt", new byte[11])
            .put("/data/run2/deep/er/c.bin", new byte[12])
            .put("/data/d.bin", new byte[13])
            .put("/else/e.bin", new byte[14]);

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({
        "d.bin, d.bin",
        "*, d.bin",
        "run1/*, run1/a.bin run1/b.txt",
        "run1/a*, run1/a.bin",
        "run*/*.bin, run1/a.bin",
        "*/a.bin, run1/a.bin",
        "**/*.bin, d.bin run1/a.bin run2/deep/er/c.bin",
        "run2/**, run2/deep/er/c.bin",
        "**/er/**/c.bin, run2/deep/er/c.bin",
        "none/*, ''",
        "none, ''",
        "run1, ''",
        "d.bin/x, ''",
        "**, d.bin run1/a.bin run1/b.txt run2/deep/er/c.bin",
        "run2/**/deep/**, run2/deep/er/c.bin"
    })
    void findsMatches(String pattern, String paths) throws Exception {
        List<DataObject> objects = fixture.source(fixture.server(files)).list(pattern);

        assertThat(String.join(" ", objects.stream().map(DataObject::path).toList()))
                .isEqualTo(paths);
    }

    @Test
    void tellsLengthAndVersion() throws Exception {
        DataObject object =
                fixture.source(fixture.server(files)).list("run1/a.bin").get(0);

        assertThat(object.length()).isEqualTo(10);
        assertThat(object.version().tag()).isEqualTo("1700000000-10");
        assertThat(object.version().checksum()).isEqualTo(Checksum.NONE);
    }

    @Test
    void asksForChecksumsWhereTheServerHasThem() throws Exception {
        FakeXrootd server = fixture.server(files);
        XrootdSource source = fixture.source(server, "", LIMITS, true);

        assertThat(source.list("d.bin").get(0).version().checksum()).isEqualTo(Checksum.NONE);
        files.withChecksum("crc32c 12");
        assertThat(source.list("d.bin").get(0).version().checksum())
                .isEqualTo(new Checksum(Checksum.Algorithm.CRC32C, "00000012"));
    }

    @Test
    void asksForStatInformationWhereAListingHasNone() throws Exception {
        FakeXrootd server = fixture.server((request, answers) -> {
            if (request.kind() == RequestKind.DIRLIST) {
                answers.ok(request, "a.bin\nb.txt");
            } else {
                files.answer(request, answers);
            }
        });

        assertThat(fixture.source(server).list("run1/*")).hasSize(2);
        assertThat(server.count(RequestKind.STAT)).isEqualTo(2);
    }

    @Test
    void boundsListings() throws Exception {
        for (int i = 0; i <= LIMITS.objectsMax(); i++) {
            files.put("/data/many/" + i, new byte[0]);
        }
        XrootdSource source = fixture.source(fixture.server(files));

        assertThat(failure(() -> source.list("many/*")).fault()).isEqualTo(SourceFault.UNSUPPORTED);
        FakeXrootd longer = fixture.server((request, answers) -> {
            for (int i = 0; i < 3; i++) {
                answers.soFar(request, new byte[50_000]);
            }
        });
        assertThat(failure(() -> fixture.source(longer).list("*")).fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }

    @Test
    void staysBelowTheRoot() throws Exception {
        XrootdSource source = fixture.source(fixture.server(files));

        assertThatThrownBy(() -> source.list("../else/*")).isInstanceOf(IllegalArgumentException.class);
        assertThat(failure(() -> source.list("what?.bin")).fault()).isEqualTo(SourceFault.UNSUPPORTED);
        files.put("/data/\u001bforged", new byte[1]);
        assertThat(failure(() -> source.list("*")))
                .hasMessageNotContaining("\u001b")
                .extracting(SourceException::fault)
                .isEqualTo(SourceFault.UNSUPPORTED);
        FakeXrootd lying = fixture.server((request, answers) -> answers.ok(request, "../else"));
        assertThat(failure(() -> fixture.source(lying).list("*")).fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }
}
