package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * URL of a folder of an XRootD server: {@code root://host[:port]//path[?opaque]}, or {@code roots://} for TLS. Example:
 * {@code roots://eos.example.org//eos/run7?authz=TOKEN}. Without TLS a token travels in clear text.
 *
 * @param server the server, or redirector, that is asked first
 * @param isTls whether a server without TLS is refused
 * @param root absolute path of the folder, without a slash at the end; empty for the root of the server
 * @param opaque opaque text for each request; may carry credentials
 */
public record XrootdUrl(ServerAddress server, boolean isTls, String root, Opaque opaque) {
    private static final Pattern URL = Pattern.compile("(roots?|xroots?)://(?:[^/@?]*@)?([^/?]+)(/[^?]*)?(?:\\?(.*))?");

    /**
     * Parses a URL.
     *
     * @param url the URL
     * @throws IllegalArgumentException for another text; the message does not contain the text, which may carry
     *     credentials
     */
    public static XrootdUrl parse(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a URL of the form root://host[:port]//path or roots://…");
        }
        String path = parts.group(3) == null ? "" : parts.group(3);
        String root = path.replaceAll("/+", "/").replaceAll("/$", "");
        if (List.of(root.split("/", -1)).contains("..")) {
            throw new IllegalArgumentException("the path has the folder ..; name the folder itself");
        }
        return new XrootdUrl(
                ServerAddress.parse(parts.group(2), ServerAddress.PORT_DEFAULT),
                parts.group(1).endsWith("s"),
                root,
                Opaque.of(parts.group(4) == null ? "" : parts.group(4)));
    }

    /** Returns the URL without user and opaque text. */
    public String place() {
        return (isTls ? "roots://" : "root://") + server + "/" + root;
    }
}
