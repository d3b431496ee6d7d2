package io.chimera.dataset.source.s3;

import io.chimera.dataset.source.http.HttpCall;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests by AWS Signature Version 4 in the header {@code Authorization}. The path of the address is
 * signed as it is, once encoded, as S3 asks for; names and values of the query must be encoded as {@code
 * PercentEncoding} does. Every header of the request is signed. Immutable; any thread.
 */
final class RequestSigner {
    /** Header with the SHA-256 of the body; without this header the body counts as empty. */
    static final String BODY_SHA256 = "x-amz-content-sha256";

    /** SHA-256 of an empty body. */
    static final String EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String TERMINATOR = "aws4_request";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final S3Credentials credentials;
    private final String region;
    private final String service;

    /**
     * Creates a signer.
     *
     * @param credentials the key, not anonymous
     * @param region name of the region
     * @param service name of the service: {@code s3}
     */
    RequestSigner(S3Credentials credentials, String region, String service) {
        this.credentials = credentials;
        this.region = region;
        this.service = service;
    }

    /**
     * Returns all headers of a signed request.
     *
     * @param method {@code GET} or {@code HEAD}
     * @param uri address of the request
     * @param headers headers to sign besides {@code Host}, the time and the token
     * @param now time of the signature
     * @return the given headers, time, token and signature; without {@code Host}
     */
    Map<String, String> sign(String method, URI uri, Map<String, String> headers, Instant now) {
        String time = TIME.format(now);
        String scope = String.join("/", time.substring(0, 8), region, service, TERMINATOR);
        TreeMap<String, String> signed = new TreeMap<>();
        headers.forEach((name, value) -> signed.put(name.toLowerCase(Locale.ROOT), oneSpaced(value)));
        signed.put("x-amz-date", time);
        if (!credentials.sessionToken().isEmpty()) {
            signed.put("x-amz-security-token", credentials.sessionToken());
        }
        Map<String, String> sent = new TreeMap<>(signed);
        signed.put("host", host(uri));

        String names = String.join(";", signed.keySet());
        String request = canonicalRequest(method, uri, signed, names);
        String toSign = String.join("\n", ALGORITHM, time, scope, sha256(request));
        String signature = HexFormat.of().formatHex(hmac(key(time.substring(0, 8)), toSign));
        sent.put(
                HttpCall.AUTHORIZATION,
                ALGORITHM + " Credential=" + credentials.accessKey() + "/" + scope + ", SignedHeaders=" + names
                        + ", Signature=" + signature);
        return sent;
    }

    private static String canonicalRequest(String method, URI uri, Map<String, String> signed, String names) {
        String path = uri.getRawPath();
        String headers = signed.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                .collect(Collectors.joining());
        return String.join(
                "\n",
                method,
                path.isEmpty() ? "/" : path,
                sorted(uri.getRawQuery()),
                headers,
                names,
                signed.getOrDefault(BODY_SHA256, EMPTY_SHA256));
    }

    /** Sorts the parameters by encoded name, then by encoded value; a name without value gets an equals sign. */
    private static String sorted(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return "";
        }
        return Arrays.stream(query.split("&"))
                .map(parameter -> parameter.split("=", 2))
                .map(parameter -> new String[] {parameter[0], parameter.length < 2 ? "" : parameter[1]})
                .sorted((a, b) -> a[0].equals(b[0]) ? a[1].compareTo(b[1]) : a[0].compareTo(b[0]))
                .map(parameter -> parameter[0] + "=" + parameter[1])
                .collect(Collectors.joining("&"));
    }

    /** Returns the header {@code Host} as the HTTP client sends it: with the port that the address names. */
    private static String host(URI uri) {
        return uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }

    private static String oneSpaced(String value) {
        return value.strip().replaceAll(" +", " ");
    }

    private byte[] key(String date) {
        byte[] secret = ("AWS4" + credentials.secretKey()).getBytes(StandardCharsets.UTF_8);
        return hmac(hmac(hmac(hmac(secret, date), region), service), TERMINATOR);
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }

    private static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
