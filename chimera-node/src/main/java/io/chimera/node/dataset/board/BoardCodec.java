package io.chimera.node.dataset.board;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.cluster.ReportId;
import io.chimera.dataset.cluster.ResultPlace;
import io.chimera.dataset.cluster.SkippedSpan;
import io.chimera.dataset.cluster.SplitTotals;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.TaskList;
import io.chimera.dataset.cluster.WindowSpan;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Strategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes the records of jobs as JSON. Unknown fields are ignored, so that nodes can be upgraded one after the other; a
 * missing field makes a record malformed. Identities are hexadecimal, because JSON readers round large numbers.
 */
final class BoardCodec {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS, MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL, Nulls.FAIL))
            .build();

    private BoardCodec() {}

    /**
     * Place of a plan in the tree.
     *
     * @param digest digest of the packed plan, and name of the folder with its parts
     * @param parts number of parts
     * @param length length of the plan in bytes, unpacked
     */
    record PlanPlace(String digest, int parts, int length) {}

    private record OrderForm(String run, String definition, JobWish wish, int attempt) {}

    private record WorkerForm(
            String session, String folder, String node, String address, int threads, boolean leaving) {}

    private record SpanForm(long fromNs, long toNs) {
        private SpanForm(WindowSpan span) {
            this(span.fromNs(), span.toNs());
        }

        private WindowSpan span() {
            return new WindowSpan(fromNs, toNs);
        }
    }

    private record MergeForm(List<SpanForm> ranges, List<SkippedSpan> skipped, SplitTotals computed) {}

    private record TasksForm(List<TaskId> tasks, Strategy strategy) {}

    private record SplitForm(int split, String digest, long bytes, long points, long rejected, SpanForm windows) {}

    private record LostForm(TaskId task, String folder, String session, long number, String digest) {}

    private record ReportForm(
            int attempt,
            String folder,
            List<SplitForm> splits,
            List<WorkerReport.RangeDone> ranges,
            List<LostForm> lost,
            List<FailureForm> failures,
            WorkMeasures measures) {}

    private record FailureForm(TaskId task, boolean permanent, String fault, String reason) {}

    private record LeaderForm(String session) {}

    /** Decodes a form to a value. */
    private interface Decoder<F, V> {
        V decode(F form);
    }

    static byte[] order(JobOrder order) {
        return bytes(new OrderForm(hex(order.id().run()), order.definition(), order.wish(), order.attempt()));
    }

    static JobOrder order(String name, byte[] json) throws MalformedRecordException {
        return read(
                json,
                OrderForm.class,
                form -> new JobOrder(new JobId(name, id(form.run())), form.definition(), form.wish(), form.attempt()));
    }

    static byte[] worker(WorkerSession self) {
        return bytes(new WorkerForm(
                hex(self.session()),
                hex(self.folder()),
                self.node(),
                self.address(),
                self.threads(),
                self.isLeaving()));
    }

    static WorkerSession worker(byte[] json) throws MalformedRecordException {
        return read(
                json,
                WorkerForm.class,
                form -> new WorkerSession(
                        id(form.session()),
                        id(form.folder()),
                        form.node(),
                        form.address(),
                        form.threads(),
                        form.leaving()));
    }

    static byte[] leader(long session) {
        return bytes(new LeaderForm(hex(session)));
    }

    static long leader(byte[] json) throws MalformedRecordException {
        return read(json, LeaderForm.class, form -> id(form.session()));
    }

    static byte[] mergePlan(MergePlan plan) {
        return bytes(
                new MergeForm(plan.ranges().stream().map(SpanForm::new).toList(), plan.skipped(), plan.computed()));
    }

    static MergePlan mergePlan(byte[] json) throws MalformedRecordException {
        return read(
                json,
                MergeForm.class,
                form -> new MergePlan(
                        form.ranges().stream().map(SpanForm::span).toList(), form.skipped(), form.computed()));
    }

    static byte[] tasks(TaskList tasks) {
        return bytes(new TasksForm(tasks.tasks(), tasks.strategy()));
    }

    static TaskList tasks(byte[] json) throws MalformedRecordException {
        return read(json, TasksForm.class, form -> new TaskList(form.tasks(), form.strategy()));
    }

    static byte[] outcome(JobOutcome outcome) {
        return bytes(outcome);
    }

    static JobOutcome outcome(byte[] json) throws MalformedRecordException {
        return read(json, JobOutcome.class, form -> form);
    }

    static byte[] place(PlanPlace place) {
        return bytes(place);
    }

    static PlanPlace place(byte[] json) throws MalformedRecordException {
        return read(json, PlanPlace.class, form -> form);
    }

    static byte[] report(WorkerReport report) {
        return bytes(new ReportForm(
                report.attempt(),
                hex(report.folder()),
                report.splits().stream()
                        .map(done -> new SplitForm(
                                done.split(),
                                done.digest(),
                                done.bytes(),
                                done.points(),
                                done.rejected(),
                                new SpanForm(done.windows())))
                        .toList(),
                report.ranges(),
                report.lost().stream().map(BoardCodec::form).toList(),
                report.failures().stream()
                        .map(failure ->
                                new FailureForm(failure.task(), failure.isFinal(), failure.fault(), failure.reason()))
                        .toList(),
                report.measures()));
    }

    private static LostForm form(WorkerReport.LostResult lost) {
        ReportId report = lost.place().report();
        return new LostForm(
                lost.task(),
                hex(lost.place().folder()),
                hex(report.session()),
                report.number(),
                lost.place().digest());
    }

    static WorkerReport report(ReportId id, byte[] json) throws MalformedRecordException {
        return read(json, ReportForm.class, form -> {
            List<WorkerReport.LostResult> lost = new ArrayList<>();
            form.lost().forEach(each -> lost.add(lost(each)));
            return new WorkerReport(
                    id,
                    form.attempt(),
                    id(form.folder()),
                    form.splits().stream()
                            .map(done -> new WorkerReport.SplitDone(
                                    done.split(),
                                    done.digest(),
                                    done.bytes(),
                                    done.points(),
                                    done.rejected(),
                                    done.windows().span()))
                            .toList(),
                    form.ranges(),
                    lost,
                    form.failures().stream()
                            .map(each -> new WorkerReport.TaskFailure(
                                    each.task(), each.permanent(), each.fault(), each.reason()))
                            .toList(),
                    form.measures());
        });
    }

    private static WorkerReport.LostResult lost(LostForm form) {
        return new WorkerReport.LostResult(
                form.task(),
                new ResultPlace(id(form.folder()), new ReportId(id(form.session()), form.number()), form.digest()));
    }

    /** Returns an identity as 16 hexadecimal digits. */
    static String hex(long id) {
        return "%016x".formatted(id);
    }

    /**
     * Returns the identity of 1 to 16 hexadecimal digits.
     *
     * @throws IllegalArgumentException for another text
     */
    static long id(String hex) {
        if (!hex.matches("[0-9a-f]{1,16}")) {
            throw new IllegalArgumentException("an identity is not hexadecimal");
        }
        return Long.parseUnsignedLong(hex, 16);
    }

    private static byte[] bytes(Object form) {
        try {
            return JSON.writeValueAsBytes(form);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A record cannot be written as JSON", e);
        }
    }

    private static <F, V> V read(byte[] json, Class<F> type, Decoder<F, V> decoder) throws MalformedRecordException {
        try {
            F form = JSON.readValue(json, type);
            if (form == null) {
                throw new MalformedRecordException("it is not a JSON object", null);
            }
            return decoder.decode(form);
        } catch (IOException | IllegalArgumentException | NullPointerException e) {
            throw new MalformedRecordException("it is not a record of this release: " + firstLine(e), e);
        }
    }

    private static String firstLine(Exception e) {
        String text = String.valueOf(e.getMessage());
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
