package io.chimera.bench.archive.forensics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.apps.forensics.Statement;
import io.chimera.apps.forensics.Witness;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.filter.PacketFilter;
import io.chimera.archive.server.answer.Connections;
import io.chimera.archive.server.answer.DecodedPacket;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Queries a stenographer as stenoread does, over a persistent connection: hosts, ports and times go to stenographer,
 * and the whole filter is applied to the returned capture file, in this process instead of a tcpdump process per query.
 */
final class StenographerWitness implements Witness {
    /** Filter terms that stenographer supports; terms after "not" are unsupported. */
    private static final Pattern KEYS = Pattern.compile("(?<!not src )(?<!not dst )\\b(host|port) (\\S+)");

    private static final int ETHERNET = 1;
    private static final int FILE_HEADER = 24;
    private static final int PACKET_HEADER = 16;
    private static final int PART_BYTES = 1 << 18;
    private static final int FRAME_BYTES_MAX = 1 << 16;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long NS_PER_MICROSECOND = 1_000;

    private final URI address;
    private final HttpClient client;
    private final DecodedPacket decoded = new DecodedPacket();
    private final UnsafeBuffer packet = new UnsafeBuffer(new byte[FRAME_BYTES_MAX]);

    StenographerWitness(Path certificates, int port) throws IOException, GeneralSecurityException {
        address = URI.create("https://127.0.0.1:" + port + "/query");
        client = HttpClient.newBuilder().sslContext(trust(certificates)).build();
    }

    private static SSLContext trust(Path certificates) throws IOException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        char[] password = StenographerArchive.PASSWORD.toCharArray();
        try (InputStream in = Files.newInputStream(certificates.resolve("client.p12"))) {
            own.load(in, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, password);
        KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null, null);
        try (InputStream in = Files.newInputStream(certificates.resolve("ca_cert.pem"))) {
            authorities.setCertificateEntry(
                    "stenographer", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    @Override
    public String name() {
        return "stenographer";
    }

    /** Returns the supported part of a query in stenographer's language. */
    static String question(Question asked) {
        Set<String> parts = new LinkedHashSet<>();
        for (Matcher matcher = KEYS.matcher(asked.filter()); matcher.find(); ) {
            parts.add(matcher.group());
        }
        if (asked.afterNs() != Long.MIN_VALUE) {
            parts.add("after " + Instant.ofEpochSecond(Math.floorDiv(asked.afterNs(), NS_PER_SECOND)));
        }
        if (asked.beforeNs() != Long.MAX_VALUE) {
            parts.add("before " + Instant.ofEpochSecond(Math.floorDiv(asked.beforeNs(), NS_PER_SECOND) + 1));
        }
        return String.join(" and ", parts);
    }

    @Override
    public Statement ask(Question question) {
        HttpRequest request = HttpRequest.newBuilder(address)
                .POST(BodyPublishers.ofString(question(question)))
                .build();
        try {
            HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = new BufferedInputStream(answer.body(), PART_BYTES)) {
                if (answer.statusCode() != 200) {
                    throw new IOException(answer.statusCode() + " " + new String(body.readAllBytes(), UTF_8).strip());
                }
                return read(question, body);
            }
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "stenographer does not answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, "Interrupted.", e);
        }
    }

    private Statement read(Question question, InputStream body) throws IOException {
        PacketFilter filter = PacketFilter.compile(question.filter(), ETHERNET);
        Connections connections = new Connections();
        long packets = 0;
        byte[] bytes = packet.byteArray();
        if (body.readNBytes(bytes, 0, FILE_HEADER) != FILE_HEADER) {
            throw new IOException("no capture file");
        }
        while (packets < question.limit()) {
            int read = body.readNBytes(bytes, 0, PACKET_HEADER);
            if (read < PACKET_HEADER) {
                break;
            }
            long timeNs = packet.getInt(0, ByteOrder.LITTLE_ENDIAN) * NS_PER_SECOND
                    + packet.getInt(Integer.BYTES, ByteOrder.LITTLE_ENDIAN) * NS_PER_MICROSECOND;
            int captured = packet.getInt(2 * Integer.BYTES, ByteOrder.LITTLE_ENDIAN);
            int length = packet.getInt(3 * Integer.BYTES, ByteOrder.LITTLE_ENDIAN);
            if (body.readNBytes(bytes, 0, captured) != captured) {
                throw new IOException("a truncated capture file");
            }
            if (timeNs >= question.afterNs()
                    && timeNs <= question.beforeNs()
                    && filter.matches(packet, 0, captured, length)
                    && decoded.decode(ETHERNET, timeNs, packet, 0, captured, length)) {
                connections.add(timeNs, decoded);
                packets++;
            }
        }
        return new Statement(connections.list(), packets, 0, 0);
    }

    @Override
    public void close() {
        // idle connections close by themselves
    }
}
