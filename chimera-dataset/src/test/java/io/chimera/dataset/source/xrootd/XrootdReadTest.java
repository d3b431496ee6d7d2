package io.chimera.dataset.source.xrootd;

import static io.chimera.common.agent.Waits.await;
import static io.chimera.dataset.source.xrootd.XrootdFixture.LIMITS;
import static io.chimera.dataset.source.xrootd.XrootdFixture.failure;
import static io.chimera.dataset.source.xrootd.XrootdFixture.object;
import static io.chimera.dataset.source.xrootd.XrootdFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.PieceHeader;
import io.chimera.dataset.source.xrootd.wire.RequestKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads of open files: bytes, sharing, versions. */
final class XrootdReadTest {
    private static final int LENGTH = 200_000;
    private static final byte[] CONTENT = FakeFiles.random(LENGTH, 1);
    private static final DataObject OBJECT = object("a.bin", LENGTH);

    private final XrootdFixture fixture = new XrootdFixture();
    private final FakeFiles files = new FakeFiles().put("/data/a.bin", CONTENT);

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void readsRangesIntoBuffersOfEachKind() throws Exception {
        XrootdSource source = fixture.source(fixture.server(files));
        ByteBuffer direct = ByteBuffer.allocateDirect(LENGTH);
        ByteBuffer middle = ByteBuffer.allocate(LENGTH + 20)
                .position(7)
                .limit(7 + 100)
                .slice()
                .position(3);

        source.read(OBJECT, 0, direct);
        source.read(OBJECT, 5, middle);

        byte[] read = new byte[LENGTH];
        direct.flip().get(read);
        assertThat(read).isEqualTo(CONTENT);
        assertThat(middle.position()).isEqualTo(100);
        assertThat(Arrays.copyOfRange(middle.array(), 10, 107)).isEqualTo(Arrays.copyOfRange(CONTENT, 5, 102));
        assertThat(read(source, OBJECT, LENGTH, 0)).isEmpty();
    }

    @Test
    void refusesARangeOutsideTheObject() throws Exception {
        XrootdSource source = fixture.source(fixture.server(files));

        assertThatThrownBy(() -> read(source, OBJECT, LENGTH - 1, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(source, OBJECT, -1, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void opensAFileOnceForManyReadsAndThreads() throws Exception {
        FakeXrootd server = fixture.server(files);
        XrootdSource source = fixture.source(server);

        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int offset = i * 900;
            reads.add(XrootdFixture.async(() -> read(source, OBJECT, offset, 1_000)));
        }

        for (int i = 0; i < 200; i++) {
            assertThat(reads.get(i).get()).isEqualTo(Arrays.copyOfRange(CONTENT, i * 900, i * 900 + 1_000));
        }
        assertThat(server.count(RequestKind.OPEN)).isEqualTo(1);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void acceptsAnswersInAnotherOrder() throws Exception {
        List<FakeXrootd.Request> waiting = new ArrayList<>();
        XrootdSource source = fixture.source(fixture.server((request, answers) -> {
            if (request.kind() != RequestKind.READ) {
                files.answer(request, answers);
                return;
            }
            waiting.add(request);
            if (waiting.size() == 4) {
                Collections.reverse(waiting);
                for (FakeXrootd.Request read : waiting) {
                    files.answer(read, answers);
                }
            }
        }));

        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int offset = i * 50_000;
            reads.add(XrootdFixture.async(() -> read(source, OBJECT, offset, 50_000)));
        }

        for (int i = 0; i < 4; i++) {
            assertThat(reads.get(i).get()).isEqualTo(Arrays.copyOfRange(CONTENT, i * 50_000, (i + 1) * 50_000));
        }
    }

    @Test
    void readsVectorsWithLongAndManyRanges() throws Exception {
        byte[] content = FakeFiles.random(3 * PieceHeader.LENGTH_MAX, 2);
        FakeXrootd server = fixture.server(files.put("/data/long", content));
        XrootdSource source = fixture.source(server);
        List<VectorPart> parts = new ArrayList<>();
        parts.add(new VectorPart(5, ByteBuffer.allocateDirect(2 * PieceHeader.LENGTH_MAX + 9)));
        for (int i = 0; i < PieceHeader.PIECES_MAX; i++) {
            parts.add(new VectorPart(i * 11L, ByteBuffer.allocate(i % 13)));
        }

        source.readVector(object("long", content.length), parts);

        for (VectorPart part : parts) {
            assertThat(part.into().hasRemaining()).isFalse();
            byte[] read = new byte[part.into().flip().remaining()];
            part.into().get(read);
            int from = (int) part.offset();
            assertThat(read).isEqualTo(Arrays.copyOfRange(content, from, from + read.length));
        }
        assertThat(server.requests().stream().filter(request -> request.startsWith("READV")))
                .hasSize(1);
    }

    @Test
    void refusesAVectorWithAnotherRange() throws Exception {
        XrootdSource source = fixture.source(fixture.server((request, answers) -> {
            if (request.kind() == RequestKind.READV) {
                answers.ok(request, new byte[PieceHeader.BYTES + 10]);
            } else {
                files.answer(request, answers);
            }
        }));

        SourceException failure =
                failure(() -> source.readVector(OBJECT, List.of(new VectorPart(0, ByteBuffer.allocate(10)))));

        assertThat(failure.fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }

    @Test
    void noticesAChangeBeforeAndWithinARead() throws Exception {
        FakeXrootd server = fixture.server(files);
        XrootdSource source = fixture.source(server);
        read(source, OBJECT, 0, 10);

        files.modifiedAt(1_700_000_001);
        assertThat(failure(() -> read(source, OBJECT, 0, 10)).fault()).isEqualTo(SourceFault.CHANGED);
        assertThat(failure(() -> read(source, OBJECT, 0, 10)))
                .hasMessageContaining("1700000001-" + LENGTH)
                .hasMessageContaining("1700000000-" + LENGTH);
        files.put("/data/a.bin", FakeFiles.random(10, 3)).modifiedAt(1_700_000_000);
        assertThat(failure(() -> read(source, OBJECT, 0, 10)).fault()).isEqualTo(SourceFault.CHANGED);
    }

    @Test
    void readsANewListingThroughAFileOpenedBefore() throws Exception {
        XrootdSource source = fixture.source(fixture.server(files));
        read(source, OBJECT, 0, 10);
        byte[] changed = FakeFiles.random(50, 4);
        files.put("/data/a.bin", changed);

        assertThat(read(source, object("a.bin", 50), 0, 50)).isEqualTo(changed);
    }

    @Test
    void acceptsAReplicaWithAnotherTimeByItsChecksum() throws Exception {
        FakeXrootd server = fixture.server(files.modifiedAt(1_700_000_777).withChecksum("adler32 abcdef01"));
        XrootdSource source = fixture.source(server);
        Checksum same = new Checksum(Checksum.Algorithm.ADLER32, "abcdef01");
        Checksum other = new Checksum(Checksum.Algorithm.ADLER32, "abcdef02");

        read(source, object("a.bin", LENGTH, same), 0, 10);
        read(source, object("a.bin", LENGTH, same), 0, 10);

        assertThat(server.count(RequestKind.QUERY)).isEqualTo(1);
        assertThat(failure(() -> read(fixture.source(server), object("a.bin", LENGTH, other), 0, 10))
                        .fault())
                .isEqualTo(SourceFault.CHANGED);
    }

    @Test
    void boundsOpenFilesAndClosesIdleOnes() throws Exception {
        for (int i = 0; i < 10; i++) {
            files.put("/data/" + i, CONTENT);
        }
        XrootdSource source = fixture.source(fixture.server(files));

        for (int i = 0; i < 10; i++) {
            read(source, object("" + i, LENGTH), 0, 1);
        }

        assertThat(source.openFiles()).isEqualTo(LIMITS.openFilesMax());
        await().until(() -> files.openFiles() == LIMITS.openFilesMax());
        fixture.clock.advance(LIMITS.idle().plusSeconds(1));
        await().until(() -> source.openFiles() == 0 && files.openFiles() == 0);
    }

    @Test
    void opensAFileAgainThatTheServerClosed() throws Exception {
        boolean[] isClosed = {false};
        FakeXrootd server = fixture.server((request, answers) -> {
            if (request.kind() == RequestKind.READ && !isClosed[0]) {
                isClosed[0] = true;
                answers.error(request, 3004, "file is not open");
            } else {
                files.answer(request, answers);
            }
        });

        assertThat(read(fixture.source(server), OBJECT, 0, 10)).isEqualTo(Arrays.copyOf(CONTENT, 10));
        assertThat(server.count(RequestKind.OPEN)).isEqualTo(2);
    }

    @Test
    void spreadsThreadsOverLanes() throws Exception {
        List<FakeXrootd.Request> waiting = Collections.synchronizedList(new ArrayList<>());
        FakeXrootd server = fixture.server((request, answers) -> {
            if (request.kind() == RequestKind.READ) {
                waiting.add(request);
                await().until(() -> waiting.size() >= 2); // both reads are under way
            }
            files.answer(request, answers);
        });
        XrootdSource source = fixture.source(server, "", XrootdFixture.limitsWithLanes(2));

        CompletableFuture<byte[]> other = XrootdFixture.async(() -> read(source, OBJECT, 0, 10));
        await().until(() -> !waiting.isEmpty());
        read(source, OBJECT, 10, 10);

        assertThat(other.get()).isEqualTo(Arrays.copyOf(CONTENT, 10));
        assertThat(server.connections()).isEqualTo(2);
    }
}
