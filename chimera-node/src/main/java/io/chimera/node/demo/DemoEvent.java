package io.chimera.node.demo;

import io.chimera.common.config.binding.Durations;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Event of a test during the load, written {@code 10s=kill:p2} or {@code 15s=start:p2}.
 *
 * @param after time since the begin of the load
 * @param kill true to kill the node as in a crash, false to start the node
 * @param node name of the node
 */
record DemoEvent(Duration after, boolean kill, String node) {
    private static final Pattern FORM = Pattern.compile("(\\w+)=(kill|start):([cqp]\\d)");

    /** Parser for picocli. */
    public static final class Converter implements ITypeConverter<DemoEvent> {
        @Override
        public DemoEvent convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is no event; expected e.g. 10s=kill:p2.");
            }
            try {
                return new DemoEvent(
                        Durations.parse(matcher.group(1)), matcher.group(2).equals("kill"), matcher.group(3));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
