package io.chimera.queue.source;

import java.util.Locale;

/** Versions of Prometheus remote write, by the content type of a request. */
enum RemoteWriteVersion {
    /** Remote write 1.0. */
    V1("prometheus.writerequest"),
    /** Remote write 2.0. */
    V2("io.prometheus.write.v2.request");

    private static final String TYPE = "application/x-protobuf";
    private static final String PARAMETER = "proto";

    private final String message;

    RemoteWriteVersion(String message) {
        this.message = message;
    }

    /**
     * Returns the version of a content type; null for another content type. A content type without a message is 1.0. A
     * request without a content type is 1.0 too, because senders before 1.0 sent none.
     *
     * @param contentType value of the header; null without the header
     */
    static RemoteWriteVersion of(String contentType) {
        if (contentType == null) {
            return V1;
        }
        String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals(TYPE)) {
            return null;
        }
        RemoteWriteVersion version = V1;
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            if (pair[0].strip().equals(PARAMETER)) {
                version = pair.length == 2 ? ofMessage(pair[1].strip().replace("\"", "")) : null;
            }
        }
        return version;
    }

    private static RemoteWriteVersion ofMessage(String name) {
        for (RemoteWriteVersion version : values()) {
            if (version.message.equals(name)) {
                return version;
            }
        }
        return null;
    }
}
