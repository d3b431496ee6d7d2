package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answer to a login request.
 *
 * @param securityPlugins names of the security plugins with which the login may go on; empty when it is complete
 */
public record LoginAnswer(List<String> securityPlugins) {
    private static final int SESSION_ID_BYTES = 16;
    private static final Pattern PLUGIN = Pattern.compile("&P=([A-Za-z0-9]{1,8})");

    /**
     * Decodes an answer.
     *
     * @param body the body
     * @throws AnswerException for a body outside the protocol
     */
    public static LoginAnswer decode(ByteBuffer body) throws AnswerException {
        if (body.remaining() == 0) {
            return new LoginAnswer(List.of());
        }
        if (body.remaining() < SESSION_ID_BYTES) {
            throw new AnswerException("the answer to a login has " + body.remaining() + " bytes");
        }
        body.position(body.position() + SESSION_ID_BYTES);
        String text = AnswerText.decode(body);
        List<String> plugins = new ArrayList<>();
        Matcher plugin = PLUGIN.matcher(text);
        while (plugin.find()) {
            plugins.add(plugin.group(1));
        }
        if (plugins.isEmpty() && !text.isBlank()) {
            plugins.add("unknown");
        }
        return new LoginAnswer(List.copyOf(plugins));
    }
}
