package io.chimera.processor.store.kairosdb;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.kairosdb.client.HttpClient;
import org.kairosdb.client.builder.DataFormatException;
import org.kairosdb.client.builder.Metric;
import org.kairosdb.client.builder.MetricBuilder;

/**
 * Writes rows to KairosDB over its REST API. Every value is sent with its type, because KairosDB keeps a long and a
 * double of the same time as two data points. Names and tag values are sent unchanged: the REST API of KairosDB 1.3
 * takes every character and refuses only empty texts.
 *
 * <p>Status 204 means "taken", not yet "on disk". Status 400 means a malformed metric; the metrics ahead of the
 * malformed metric are stored.
 */
public final class KairosDbStore implements VerifiableStore {
    private static final int BAD_REQUEST = 400;
    private static final int TOO_LARGE = 413;

    /**
     * A data point at the beginning of the year 2000, outside the range of dashboards. Each write overwrites the same
     * point, so KairosDB keeps a single copy.
     */
    private static final Row PROBE_ROW =
            Row.ofLong("chimera.probe", Tags.of(Map.of("chimera", "probe")), 946_684_800_000L, 1);

    private final String url;
    private final int batchRowsMax;
    private final boolean gzip;
    private final LastAnswer lastAnswer = new LastAnswer();
    private final HttpClient client;

    /**
     * Creates a store; does not connect yet.
     *
     * @param url of KairosDB, e.g. {@code http://kairos:8080}
     * @param batchRowsMax rows per request
     * @param timeout for connecting, and for every wait for bytes of the answer
     * @param gzip whether requests are compressed
     */
    public KairosDbStore(String url, int batchRowsMax, Duration timeout, boolean gzip) {
        this(url, batchRowsMax, timeout, gzip, Optional.empty());
    }

    /**
     * Creates a store; does not connect yet.
     *
     * @param tls certificates for an https url; empty for the certificates of the Java runtime. The host name is always
     *     verified
     */
    public KairosDbStore(String url, int batchRowsMax, Duration timeout, boolean gzip, Optional<Tls> tls) {
        this.url = url;
        this.batchRowsMax = batchRowsMax;
        this.gzip = gzip;
        try {
            client = new HttpClient(lastAnswer.clientBuilder(timeout, tls), url);
        } catch (MalformedURLException e) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "'" + url + "' is not a valid url of KairosDB. Example: http://kairos:8080.",
                    e);
        }
    }

    @Override
    public String name() {
        return StoreConfig.KAIROSDB;
    }

    @Override
    public int batchRowsMax() {
        return batchRowsMax;
    }

    @Override
    public Optional<Row> probeRow() {
        return Optional.of(PROBE_ROW);
    }

    @Override
    public void write(List<Row> rows) throws StoreException {
        MetricBuilder metrics = MetricBuilder.getInstance();
        metrics.setCompression(gzip);
        addAll(rows, metrics);
        lastAnswer.clear();
        try {
            if (rows.isEmpty()) {
                client.getVersion();
            } else {
                client.pushMetrics(metrics);
            }
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    @Override
    public List<Row> read(List<Row> written) throws StoreException {
        lastAnswer.clear();
        try {
            return new RowReader(client).read(written);
        } catch (DataFormatException e) {
            lastAnswer.release();
            throw new StoreException(
                    "KairosDB at " + url + " returned values that are not numbers. Check the log of KairosDB.",
                    true,
                    e);
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    /** Adds a metric per series of the batch, with all its data points. */
    private static void addAll(List<Row> rows, MetricBuilder metrics) {
        Map<Series, Metric> series = new LinkedHashMap<>();
        for (Row row : rows) {
            Metric metric =
                    series.computeIfAbsent(new Series(row.metric(), row.tags(), row.isLong()), key -> metrics.addMetric(
                                    key.metric, key.isLong ? "long" : "double")
                            .addTags(key.tags.asMap()));
            if (row.isLong()) {
                metric.addDataPoint(row.timeMs(), row.bits());
            } else {
                metric.addDataPoint(row.timeMs(), row.asDouble());
            }
        }
    }

    private record Series(String metric, Tags tags, boolean isLong) {}

    private StoreException failed(RuntimeException e) {
        lastAnswer.release();
        if (lastAnswer.isError()) {
            return answered(e);
        }
        Throwable cause = e;
        boolean isConnection = false;
        boolean isTls = false;
        while (cause.getCause() != null) {
            cause = cause.getCause();
            isConnection |= cause instanceof IOException;
            isTls |= cause instanceof SSLException;
        }
        String words = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        if (isTls) {
            return new StoreException(
                    "TLS with KairosDB at " + url + " failed (" + words
                            + "). The authority of the certificate must be in tls.ca of the store (without tls.ca:"
                            + " an authority of the Java runtime), and the certificate must name the host of the url.",
                    true,
                    e);
        }
        return isConnection
                ? new StoreException(
                        "KairosDB at " + url + " cannot be reached (" + words
                                + "). Start KairosDB, or correct the url of the store.",
                        true,
                        e)
                : new StoreException(
                        "The client of KairosDB at " + url + " refuses the content (" + words + ").", false, e);
    }

    private StoreException answered(RuntimeException e) {
        int status = lastAnswer.status();
        boolean isContent = status == BAD_REQUEST || status == TOO_LARGE;
        String remedy =
                isContent ? "KairosDB refuses the content." : "Check the url of the store and the log of KairosDB.";
        return new StoreException(
                "KairosDB at " + url + " answered " + status + " (" + lastAnswer.words() + "). " + remedy,
                !isContent,
                e);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The connections to KairosDB at " + url + " cannot be closed.", e);
        }
    }
}
