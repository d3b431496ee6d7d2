package io.chimera.common.channel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Protocols of metric senders, recognized by the first bytes of a connection, datagram, body or line. A port uses the
 * recognition to name the protocol of a misconfigured sender. Recognition allocates; call it only for rejected input.
 */
public enum WireProtocol {
    /** TLS ClientHello. */
    TLS("a TLS handshake", true, "Connect without TLS: the configuration has no tls section for this port."),
    /** HTTP/1.x or the preface of HTTP/2. */
    HTTP("an HTTP request", true, "Send HTTP/1.1 to the http address of an input."),
    /** Protocol of collectd's network plugin. */
    COLLECTD(
            "collectd's binary network protocol",
            true,
            "Let collectd write through Telegraf (inputs.socket_listener with data_format \"collectd\")."),
    /** IPFIX, or NetFlow 5 or 9. */
    FLOW_RECORDS("IPFIX or NetFlow", true, "Send flow records to an input of type ipfix."),
    /** Gzip file. */
    GZIP("a gzip body without Content-Encoding", true, "Let the sender set the header Content-Encoding: gzip."),
    /** Prometheus remote write: snappy and protobuf over HTTP. */
    PROMETHEUS("Prometheus remote write", true, "Send it to the http address of an input of type remote_write."),
    /** OpenTelemetry over HTTP. */
    OPEN_TELEMETRY(
            "OpenTelemetry (OTLP)",
            true,
            "Let the collector write through its prometheusremotewrite or influxdb exporter."),
    /** JSON of any schema. */
    JSON("JSON", false, "Send JSON in KairosDB's schema to the http address of an input of type kairosdb."),
    /** Telnet commands of OpenTSDB and KairosDB. */
    TELNET(
            "the telnet protocol of KairosDB or OpenTSDB",
            false,
            "Send it to the tcp address of an input of type kairosdb or opentsdb."),
    /** StatsD. */
    STATSD("StatsD", false, "Send it to an input of type statsd."),
    /** Plaintext protocol of Graphite's Carbon. */
    GRAPHITE("Graphite plaintext", false, "Send it to an input of type graphite."),
    /** Line protocol of InfluxDB. */
    INFLUX("InfluxDB line protocol", false, "Send it to an input of type influx.");

    /** Maximum number of inspected bytes. */
    public static final int LENGTH_MAX = 512;

    /** Status of the answer to an HTTP client without TLS on a port with TLS. */
    public static final int UPGRADE_REQUIRED = 426;

    private static final String REFUSAL = "This looks like ";
    private static final int TLS_LENGTH_MIN = 6;
    private static final int PART_HEADER = 4;

    /** Also matches a request whose target is longer than the inspected bytes: a web page may choose any length. */
    private static final Pattern REQUEST = Pattern.compile(
            "(?:[A-Z]{3,10} \\S+ HTTP/\\d.*)|(?:PRI \\* HTTP/2\\.0.*)"
                    + "|(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT) \\S{400,}(?: .*)?)",
            Pattern.DOTALL);

    private static final Pattern JSON_START =
            Pattern.compile("\\s*(?:\\{\\s*[\"}]|\\[\\s*[\\[{\\]\"]).*", Pattern.DOTALL);
    private static final Pattern PUT = Pattern.compile("put[ms]? +\\S+ +-?\\d+ +\\S+.*");
    private static final Pattern STATSD_METRIC = Pattern.compile("[^\\s:|]+:[-+]?[0-9.]+\\|(?:c|g|ms|h|s|d).*");
    private static final Pattern NUMBER_AND_TIME =
            Pattern.compile("[^\\s=,]+ +(?:[-+]?[0-9][0-9.eE+-]*|[nN]a[nN]|U) +(?:-1|\\d{9,10}(?:\\.\\d*)?)\\s*");
    private static final Pattern TAGGED_GRAPHITE =
            Pattern.compile("[^\\s;=,]+(?:;[^\\s;=]+=[^\\s;]+)+ +[-+]?[0-9][0-9.eE+-]* +(?:-1|\\d{9,10})\\s*");
    private static final Pattern LINE =
            Pattern.compile("[^\\s,=\"{\\[]+(?:,[^\\s,=]+=[^\\s,]+)* +[^\\s,=\"]+=(?:[-+]?[0-9.]|[tTfF]|\").*");

    private final String title;
    private final boolean isBinary;
    private final String remedy;

    WireProtocol(String title, boolean isBinary, String remedy) {
        this.title = title;
        this.isBinary = isBinary;
        this.remedy = remedy;
    }

    /** Name of the protocol, for use within a sentence. */
    public String title() {
        return title;
    }

    /** Returns whether the input is binary, so parsing lines is useless. */
    public boolean isBinary() {
        return isBinary;
    }

    /** Message with the protocol and the remedy, in two sentences. */
    public String refusal() {
        return REFUSAL + title + ", which this port does not accept. " + remedy;
    }

    /** Message for a client without TLS on a port with TLS; the protocol is null when unknown. */
    public static String refusalWithoutTls(WireProtocol protocol) {
        return REFUSAL + (protocol == null ? "data" : protocol.title) + " without TLS, but this port requires TLS."
                + " Connect with " + (protocol == HTTP ? "https." : "TLS.");
    }

    /** Returns whether a text is a refusal, which includes the remedy. */
    public static boolean isRefusal(String text) {
        return text.startsWith(REFUSAL);
    }

    /** Refusal of a connection: an HTTP answer for HTTP clients, a line for others. */
    public byte[] answer() {
        return answer(this, "400 Bad Request\r\nConnection: close", refusal());
    }

    /**
     * Refusal of a client without TLS on a port with TLS. An HTTP client gets the status 426 with the header Upgrade;
     * the protocol is null when unknown.
     */
    public static byte[] answerWithoutTls(WireProtocol protocol) {
        String head =
                UPGRADE_REQUIRED + " Upgrade Required\r\nUpgrade: TLS/1.2\r\nConnection: close\r\nConnection: Upgrade";
        return answer(protocol, head, refusalWithoutTls(protocol));
    }

    private static byte[] answer(WireProtocol protocol, String head, String refusal) {
        String text = refusal + "\n";
        String answer = protocol == HTTP
                ? "HTTP/1.1 " + head + "\r\nContent-Type: text/plain\r\nContent-Length: " + text.length() + "\r\n\r\n"
                        + text
                : "ERROR " + text;
        return answer.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Recognizes the protocol of a text or message.
     *
     * @param bytes holds the beginning of the input
     * @param offset index of the first byte
     * @param length length of the input; at most {@link #LENGTH_MAX} bytes are inspected
     * @return empty for an unknown protocol
     */
    public static Optional<WireProtocol> of(byte[] bytes, int offset, int length) {
        if (length < 2) {
            return Optional.empty();
        }
        int looked = Math.min(length, LENGTH_MAX);
        Optional<WireProtocol> binary = binary(bytes, offset, looked, length);
        return binary.isPresent() ? binary : ofText(new String(bytes, offset, looked, StandardCharsets.ISO_8859_1));
    }

    /**
     * Recognizes a protocol not accepted by a port.
     *
     * @param own protocol of the port; null if unknown, which accepts every protocol
     */
    public static Optional<WireProtocol> foreign(byte[] bytes, int offset, int length, WireProtocol own) {
        return own == null ? Optional.empty() : of(bytes, offset, length).filter(protocol -> protocol != own);
    }

    private static Optional<WireProtocol> binary(byte[] bytes, int offset, int length, int whole) {
        int first = bytes[offset] & 0xFF;
        int second = bytes[offset + 1] & 0xFF;
        if (first == 0x16 && second == 0x03) {
            return length >= TLS_LENGTH_MIN && bytes[offset + 2] <= 0x04 && bytes[offset + 5] == 0x01
                    ? Optional.of(TLS)
                    : Optional.empty();
        }
        if (first == 0x1F && second == 0x8B) {
            return Optional.of(GZIP);
        }
        if (isCollectd(bytes, offset, length)) {
            return Optional.of(COLLECTD);
        }
        boolean isVersion = first == 0 && (second == 5 || second == 9 || second == 10);
        return isVersion && whole >= 16 ? Optional.of(FLOW_RECORDS) : Optional.empty();
    }

    /**
     * Recognizes a part of collectd: type and length of 16 bits each, and for host, time, sign and encryption a fixed
     * structure.
     */
    private static boolean isCollectd(byte[] bytes, int offset, int length) {
        if (length <= PART_HEADER) {
            return false;
        }
        int type = ((bytes[offset] & 0xFF) << 8) | (bytes[offset + 1] & 0xFF);
        int part = ((bytes[offset + 2] & 0xFF) << 8) | (bytes[offset + 3] & 0xFF);
        return switch (type) {
            case 0x0000 -> part > PART_HEADER + 1 && (part > length || bytes[offset + part - 1] == 0);
            case 0x0001, 0x0008 -> part == 12;
            case 0x0200 -> part > 36;
            case 0x0210 -> part > 42;
            default -> false;
        };
    }

    private static Optional<WireProtocol> ofText(String text) {
        if (REQUEST.matcher(text).matches()) {
            return Optional.of(HTTP);
        }
        if (JSON_START.matcher(text).matches()) {
            return Optional.of(JSON);
        }
        String line = text.lines().findFirst().orElse("");
        return List.of(TELNET, STATSD, GRAPHITE, INFLUX).stream()
                .filter(protocol -> protocol.isLine(line))
                .findFirst();
    }

    private boolean isLine(String line) {
        return switch (this) {
            case TELNET -> PUT.matcher(line).matches();
            case STATSD -> STATSD_METRIC.matcher(line).matches();
            case GRAPHITE ->
                NUMBER_AND_TIME.matcher(line).matches()
                        || TAGGED_GRAPHITE.matcher(line).matches();
            case INFLUX -> LINE.matcher(line).matches();
            default -> false;
        };
    }

    /** Recognizes Prometheus remote write and OpenTelemetry by the headers and the path of an HTTP request. */
    public static Optional<WireProtocol> of(HttpExchange exchange) {
        if (!exchange.method().equals("POST")) {
            return Optional.empty();
        }
        String type = exchange.header("Content-Type");
        boolean isProtobuf = type != null && type.startsWith("application/x-protobuf");
        if (exchange.path().equals("/v1/metrics")) {
            return Optional.of(OPEN_TELEMETRY);
        }
        boolean isPrometheus = exchange.header("X-Prometheus-Remote-Write-Version") != null
                || exchange.path().equals("/api/v1/write")
                || (isProtobuf && "snappy".equalsIgnoreCase(exchange.header("Content-Encoding")));
        return isPrometheus ? Optional.of(PROMETHEUS) : Optional.empty();
    }
}
