package io.chimera.bench.datasets.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.kit.ParserContract;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.ParserType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** The parser of the events keeps the contract of parsers. */
final class EventParserTest extends ParserContract {
    @Override
    protected ParserType type() {
        return new EventParserType();
    }

    @Override
    protected Record settings() {
        return new NoSettings();
    }

    /** Short events, because the contract cuts the text at every byte. */
    @Override
    protected String good() {
        return event(1, "[3000,4000,0,5000],[1,-2,3,4]") + event(2, "");
    }

    @Override
    protected String withABadPoint() {
        return event(1, "[1,2,3,4]") + event(2, "[1,2,3]") + event(3, "[1,2,3,4]");
    }

    private static String event(int number, String jets) {
        return EventLines.EVENT + number + EventLines.TIME + "170000000000000000" + number + EventLines.TRIGGER + number
                + EventLines.JETS + jets + EventLines.TRACKS + "[1,2,3,4]]}\n";
    }

    @Test
    void eventsOfASeedAreEqualAndHaveAFewKilobytes() {
        String events = generated(7, 200);

        assertThat(generated(7, 200)).isEqualTo(events);
        assertThat(generated(8, 200)).isNotEqualTo(events);
        assertThat(events.length() / 200).isBetween(2_000, 4_000);
        assertThat(events.lines()).hasSize(200);
    }

    @Test
    void readsEveryGeneratedEvent() {
        PointCount count = PointCount.of(new EventParser(1, new WorkerPace(0)), generated(EventLines.SEED, 200));

        assertThat(count.points()).isEqualTo(200);
        assertThat(count.rejected()).isZero();
        assertThat(count.massMax()).isGreaterThan(100);
    }

    private static String generated(long seed, int events) {
        EventLines lines = new EventLines(seed);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            for (int event = 0; event < events; event++) {
                lines.write(event, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(US_ASCII);
    }
}
