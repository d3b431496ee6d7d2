package io.chimera.dataset.source.xrootd;

import static io.chimera.dataset.source.xrootd.XrootdFixture.LIMITS;
import static io.chimera.dataset.source.xrootd.XrootdFixture.failure;
import static io.chimera.dataset.source.xrootd.XrootdFixture.object;
import static io.chimera.dataset.source.xrootd.XrootdFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.RequestKind;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redirectors and data servers. */
final class XrootdClusterTest {
    private static final int LENGTH = 10_000;
    private static final byte[] CONTENT = FakeFiles.random(LENGTH, 1);
    private static final DataObject OBJECT = object("a.bin", LENGTH);

    private final XrootdFixture fixture = new XrootdFixture();
    private final FakeFiles files = new FakeFiles().put("/data/a.bin", CONTENT);

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    private FakeXrootd redirector(FakeXrootd first, FakeXrootd other) throws Exception {
        return fixture.server((request, answers) -> {
                    boolean isAgain = request.text().contains("tried=");
                    answers.redirect(request, (isAgain ? other : first).address(), "");
                })
                .asManager();
    }

    @Test
    void followsRedirectsWithTheirOpaqueText() throws Exception {
        FakeXrootd data = fixture.server(files);
        FakeXrootd inner =
                fixture.server((request, answers) -> answers.redirect(request, data.address(), "cap=2&authz=new"));
        FakeXrootd outer = fixture.server((request, answers) -> answers.redirect(request, inner.address(), "cap=1"));
        XrootdSource source = fixture.source(outer, "authz=old", LIMITS);

        assertThat(read(source, OBJECT, 0, LENGTH)).isEqualTo(CONTENT);

        assertThat(outer.requests()).containsExactly("OPEN /data/a.bin?authz=old");
        assertThat(inner.requests()).containsExactly("OPEN /data/a.bin?authz=old&cap=1");
        assertThat(data.requests()).contains("OPEN /data/a.bin?authz=new&cap=2");
    }

    @Test
    void refusesACircle() throws Exception {
        FakeXrootd[] servers = new FakeXrootd[2];
        servers[0] = fixture.server((request, answers) -> answers.redirect(request, servers[1].address(), ""));
        servers[1] = fixture.server((request, answers) -> answers.redirect(request, servers[0].address(), ""));

        SourceException failure = failure(() -> read(fixture.source(servers[0]), OBJECT, 0, 1));

        assertThat(failure.fault()).isEqualTo(SourceFault.REDIRECTS);
        assertThat(servers[0].requests()).hasSize(1);
    }

    @Test
    void boundsTheNumberOfRedirects() throws Exception {
        AtomicInteger next = new AtomicInteger();
        FakeXrootd[] server = new FakeXrootd[1];
        server[0] = fixture.server(
                (request, answers) -> answers.redirect(request, server[0].address(), "n=" + next.getAndIncrement()));

        SourceException failure = failure(() -> read(fixture.source(server[0]), OBJECT, 0, 1));

        assertThat(failure.fault()).isEqualTo(SourceFault.REDIRECTS);
        assertThat(server[0].requests()).hasSize(17);
    }

    @Test
    void checksTheTargetOfARedirect() throws Exception {
        FakeXrootd server = fixture.server(
                (request, answers) -> answers.redirect(request, new ServerAddress("metadata.internal", 80), ""));

        SourceException failure = failure(() -> read(fixture.source(server), OBJECT, 0, 1));

        assertThat(failure.fault()).isEqualTo(SourceFault.NOT_ALLOWED);
        assertThat(failure).hasMessageContaining("metadata.internal");
    }

    @Test
    void readsFromAnotherServerAfterTheLossOfOne() throws Exception {
        FakeXrootd dying = fixture.server((request, answers) -> {
            if (request.kind() == RequestKind.READ) {
                answers.close();
            } else {
                files.answer(request, answers);
            }
        });
        FakeXrootd other = fixture.server(files);
        FakeXrootd redirector = redirector(dying, other);

        assertThat(read(fixture.source(redirector, "authz=abc", LIMITS), OBJECT, 5, 100))
                .isEqualTo(Arrays.copyOfRange(CONTENT, 5, 105));
        assertThat(redirector.requests())
                .containsExactly("OPEN /data/a.bin?authz=abc", "OPEN /data/a.bin?authz=abc&tried=127.0.0.1");
    }

    @Test
    void opensAtAnotherServerWhereOneIsNotThere() throws Exception {
        FakeXrootd dead = fixture.server(files);
        dead.close();

        assertThat(read(fixture.source(redirector(dead, fixture.server(files))), OBJECT, 0, LENGTH))
                .isEqualTo(CONTENT);
        assertThat(failure(() -> read(fixture.source(redirector(dead, dead)), OBJECT, 0, 1))
                        .fault())
                .isEqualTo(SourceFault.UNREACHABLE);
    }

    @Test
    void asksForAnotherServerWhenOneHasLostTheFile() throws Exception {
        FakeXrootd empty = fixture.server(new FakeFiles());
        FakeXrootd redirector = redirector(empty, fixture.server(files));

        assertThat(read(fixture.source(redirector), OBJECT, 0, LENGTH)).isEqualTo(CONTENT);
        assertThat(redirector.requests().get(1)).contains("tried=127.0.0.1", "triedrc=enoent");
    }

    @Test
    void reportsTheLossWhenTheRedirectorHasNoOtherServer() throws Exception {
        FakeXrootd dead = fixture.server(files);
        dead.close();
        FakeXrootd redirector = fixture.server((request, answers) -> {
                    if (request.text().contains("tried=")) {
                        answers.error(request, FakeFiles.NOT_FOUND, "no servers have the file");
                    } else {
                        answers.redirect(request, dead.address(), "");
                    }
                })
                .asManager();

        assertThat(failure(() -> read(fixture.source(redirector), OBJECT, 0, 1)).fault())
                .isEqualTo(SourceFault.UNREACHABLE);
    }

    @Test
    void listsTheFoldersOfAllDataServers() throws Exception {
        FakeXrootd one = fixture.server(new FakeFiles()
                .put("/data/b", new byte[1])
                .put("/data/c", new byte[2])
                .modifiedAt(5));
        FakeXrootd two = fixture.server(new FakeFiles()
                .put("/data/c", new byte[2])
                .put("/data/a", new byte[3])
                .modifiedAt(7));
        FakeXrootd empty = fixture.server(new FakeFiles());
        FakeXrootd inner = fixture.server((request, answers) ->
                        answers.ok(request, "Sr127.0.0.1:" + two.port() + " Sr127.0.0.1:" + empty.port()))
                .asManager();
        FakeXrootd outer = fixture.server((request, answers) ->
                        answers.ok(request, "Sw[::127.0.0.1]:" + one.port() + " Mr[::ffff:127.0.0.1]:" + inner.port()))
                .asManager();

        assertThat(fixture.source(outer).list("*"))
                .extracting(object -> object.path() + " " + object.version().tag())
                .containsExactly("a 7-3", "b 5-1", "c 7-2");
        assertThat(outer.requests()).containsExactly("LOCATE */data/");
    }
}
